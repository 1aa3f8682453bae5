package document

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// properties refuses the tag and the anchor of a node, and returns where what
// follows them begins.
func (r *yamlReader) properties(y *yaml.Node) int {
	at := r.offset(y.Line, y.Column)
	if !r.owns(y, at) {
		return at
	}
	for at < len(r.data) && (r.data[at] == '!' || r.data[at] == '&') {
		end := at + tokenLength(r.data[at:])
		token := string(r.data[at:end])
		if token[0] == '&' {
			r.refuse(at, "anchor", token+" is read as an anchor, and anchors are not taken", "if it is text, quote it; otherwise write out what is meant where it is meant")
		} else {
			r.tag(at, token, y)
		}
		at = end
		if y.Kind == yaml.ScalarNode && y.Value == "" && !quotedNext(r.data[at:]) && !bytes.ContainsAny(firstWord(r.data[at:]), "!&") {
			break
		}
		for at < len(r.data) && (white(r.data[at]) || r.data[at] == '#') {
			if r.data[at] == '#' {
				at += lineLength(r.data[at:])
				continue
			}
			at++
		}
	}
	return at
}

// owns reports whether the tag or anchor at a place is the node's: a block's
// first key begins where the block does.
func (r *yamlReader) owns(y *yaml.Node, at int) bool {
	switch {
	case y.Anchor != "" || y.Style&yaml.TaggedStyle != 0:
		return true
	case at >= len(r.data) || r.data[at] != '!': // a lone ! leaves no trace
		return false
	case y.Kind == yaml.ScalarNode:
		return y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 || y.Value == "" || y.Value[0] != '!'
	}
	return len(y.Content) == 0 || y.Content[0].Line != y.Line || y.Content[0].Column != y.Column
}

func tokenLength(data []byte) int {
	if bytes.HasPrefix(data, []byte("!<")) {
		if i := bytes.IndexByte(data, '>'); i > 0 {
			return i + 1
		}
	}
	if i := bytes.IndexAny(data, " \t\r\n,[]{}"); i >= 0 {
		return i
	}
	return len(data)
}

func lineLength(data []byte) int {
	if i := bytes.IndexAny(data, "\r\n"); i >= 0 {
		return i
	}
	return len(data)
}

func quotedNext(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) > 0 && (data[0] == '"' || data[0] == '\'' || data[0] == '|' || data[0] == '>')
}

// firstWord is the first character of what follows on the line.
func firstWord(data []byte) []byte {
	data = bytes.TrimLeft(data, " \t")
	return data[:min(1, len(data))]
}

// tag refuses a tag. Of those with one exclamation mark most are meant as
// text: !ready is no tag to who writes a guard.
func (r *yamlReader) tag(at int, token string, y *yaml.Node) {
	message := token + " is read as a tag, and tags are not taken"
	if !r.isText(at) {
		r.refuse(at, "tag", message, "leave it out; what is to be text stands in quotes")
		return
	}
	meant := token
	if y.Kind == yaml.ScalarNode && y.Value != "" {
		meant += " " + y.Value
	}
	r.refuse(at, "tag", message, fmt.Sprintf("if it is text, quote it: %s", inQuotes(clip(meant))))
}

// isText reports whether a tag is one that nobody means as a tag.
func (r *yamlReader) isText(at int) bool {
	rest := r.data[at:]
	return len(rest) > 0 && rest[0] == '!' && !bytes.HasPrefix(rest, []byte("!!")) && !bytes.HasPrefix(rest, []byte("!<"))
}

// inQuotes writes text as a person would quote it.
func inQuotes(text string) string {
	if strings.ContainsAny(text, `"\`) && !strings.Contains(text, "'") && !strings.ContainsFunc(text, needsEscape) {
		return "'" + text + "'"
	}
	return fmt.Sprintf("%q", text)
}

// blank says what may have been meant where nothing stands: what follows on
// the line may have been read as a comment.
func (r *yamlReader) blank(at int) string {
	line := r.data[at : at+lineLength(r.data[at:])]
	text := strings.TrimLeft(string(line), " \t")
	if at > 0 && !white(r.data[at-1]) && len(text) == len(line) || len(text) < 2 || text[0] != '#' || white(text[1]) {
		return ""
	}
	return fmt.Sprintf("what follows # is a comment; if it is text, quote it: %s", inQuotes(clip(strings.TrimRight(text, " \t"))))
}

// directives refuses the lines that begin with % before a document, and
// returns the text with comments in their place.
func (r *yamlReader) directives() []byte {
	data := r.data
	for _, start := range r.starts {
		line := data[start : start+lineLength(data[start:])]
		switch {
		case len(line) > 0 && line[0] == '%':
			r.refuse(start, "directive", "directives are not taken", "remove the line")
			if &data[0] == &r.data[0] {
				data = bytes.Clone(data)
			}
			data[start] = '#'
		case len(bytes.TrimSpace(line)) > 0 && line[0] != '#':
			return data
		}
	}
	return data
}

// continued looks at the further lines of a value in quotes or brackets, or
// below a bar, which the YAML library takes at any indent.
func (r *yamlReader) continued(n *Node, indent int) {
	switch {
	case n.style == literal || n.style == folded:
		r.aboveText(n, indent)
		return
	case n.style == plain || n.Kind >= List && !n.Flow:
		return
	}
	for line := n.Start.Line; line < n.End.Line; line++ {
		at := r.starts[line]
		space := 0
		for at+space < len(r.data) && r.data[at+space] == ' ' {
			space++
		}
		rest := r.data[at+space:]
		blank := len(bytes.TrimLeft(rest[:lineLength(rest)], " \t")) == 0
		switch {
		case space > indent || blank || rest[0] == ']' || rest[0] == '}':
		case rest[0] == '\t':
			r.problem(CodeSyntax, r.position(at+space), "a tab stands where only spaces may", "indent with spaces")
			return
		default:
			r.problem(CodeSyntax, r.position(at+space), "the line continues what is in quotes or brackets, and is indented too little for it", "indent it further than the key")
			return
		}
	}
}

// aboveText looks for text that the YAML library takes for a comment, because
// the empty lines above it are indented further.
func (r *yamlReader) aboveText(n *Node, indent int) {
	for line := n.Start.Line; line < len(r.starts); line++ {
		rest := r.data[r.starts[line]:]
		text := rest[:lineLength(rest)]
		space := len(text) - len(bytes.TrimLeft(text, " "))
		if space == len(text) {
			continue
		}
		if space > indent && text[space] == '#' && strings.Trim(n.Text, "\n") == "" {
			r.problem(CodeSyntax, r.position(r.starts[line]+space), "the first line of the text is indented less than the empty line above it", "remove the spaces from the empty line")
		}
		return
	}
}
