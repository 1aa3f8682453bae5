package document

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// syntax says in our words what the YAML library cannot read, and where.
func (r *yamlReader) syntax(err error) *Problem {
	e, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return &Problem{Code: CodeSyntax, Start: r.position(0), Message: "the file is no YAML: " + err.Error(), Hint: "text with signs of YAML in it stands in quotes"}
	}
	at := r.offset(e.Mark.Line, e.Mark.Column)
	if strings.Contains(e.Message, errTooDeep.Error()) {
		p := r.tooDeep(r.position(at))
		return &p
	}
	from := at
	if e.ContextMark.Line > 0 {
		from = r.offset(e.ContextMark.Line, e.ContextMark.Column)
	}
	r.broken = r.position(min(at, from)).Line
	f := fault{r, e, at, from}
	p := f.problem()
	return &p
}

// fault is one error of the YAML library: where it was noticed, and where what
// was being read began.
type fault struct {
	*yamlReader
	err      *yaml.LoadError
	at, from int
}

func (f fault) says(part string) bool { return strings.Contains(f.err.Message, part) }

func (f fault) within(part string) bool { return strings.Contains(f.err.ContextMsg, part) }

func (f fault) found(offset int, message, hint string) Problem {
	return Problem{Code: CodeSyntax, Start: f.position(offset), Message: message, Hint: hint}
}

// feature is for what cannot be read and would not be taken either.
func (f fault) feature(name, message string) Problem {
	p := f.found(f.from, message, "if it is text, quote it: "+inQuotes(f.text(f.from)))
	p.Code, p.Feature = CodeFeature, name
	return p
}

func (f fault) problem() Problem {
	switch {
	case f.within("alias"):
		return f.feature("alias", "an asterisk begins an alias, and aliases are not taken")
	case f.within("anchor"):
		return f.feature("anchor", "the sign & begins an anchor, and anchors are not taken")
	case f.within("quoted scalar") && f.says("unknown escape"):
		return f.found(f.at, "there is no such escape in double quotes", `a backslash is written \\, or the text stands in single quotes`)
	case f.within("quoted scalar") && f.says("hexadecimal"):
		return f.found(f.at, "a hexadecimal digit is missing in the escape", `an escape has two digits after \x, four after \u`)
	case f.within("quoted scalar") && f.says("Unicode"):
		return f.found(f.at, "the escape stands for no character", "write the character itself")
	case f.within("quoted scalar"):
		return f.found(f.from, "the quote that opens here is not closed", "close it where the text ends")
	case f.within("tag") || f.says("tag"):
		return f.feature("tag", "an exclamation mark begins a tag, and tags are not taken")
	case f.within("block scalar"):
		return f.found(f.from, "the text below | or > cannot be read: "+f.err.Message, "text that begins with | or > stands in quotes")
	case f.onTab():
		return f.found(f.at, "a tab stands where only spaces may", "indent with spaces")
	}
	if at, found := f.expansion(); found {
		return f.found(at, "${ … } stands in brackets without quotes", "quote it: "+inQuotes(f.unquoted(at)))
	}
	if at, found := f.swallowed(); found {
		return f.found(at, "what follows # is a comment, and the bracket before it is not closed", "if it is text, quote it: "+inQuotes(f.commented(at)))
	}
	if f.within("flow") {
		return f.flow()
	}
	return f.block()
}

func (f fault) onTab() bool {
	return f.says("tab") || f.at < len(f.data) && f.data[f.at] == '\t'
}

// flow is what goes wrong within brackets.
func (f fault) flow() Problem {
	switch {
	case f.at >= len(f.data) && f.from >= len(f.data):
		return f.found(f.at, "the file ends within brackets", closeIt)
	case f.from >= len(f.data) || f.data[f.from] != '[' && f.data[f.from] != '{':
		hint := "text with , : [ ] { } in it stands in quotes"
		if f.at < len(f.data) && f.data[f.at] == ',' {
			hint = "remove a comma, or write null"
		}
		return f.found(f.at, "a value is missing here", hint)
	}
	bracket := string(f.data[f.from : f.from+1])
	switch {
	case f.at >= len(f.data):
		return f.found(f.from, "the "+bracket+" that opens here is not closed", closeIt)
	case f.position(f.from).Line != f.position(f.at).Line:
		opened := f.position(f.from)
		return f.found(f.word(), "a comma or a closing bracket is missing before this", fmt.Sprintf("the %s at line %d, column %d is not closed", bracket, opened.Line, opened.Column))
	}
	return f.found(f.at, "a comma or a closing bracket is missing before this", "text with , : [ ] { } in it stands in quotes")
}

// expansion finds ${ without quotes on the line of the fault, within brackets.
func (f fault) expansion() (at int, found bool) {
	line := f.line(f.at)
	start := f.at + 1 - len(line)
	for i := strings.Index(line, "${"); i >= 0 && !found; {
		before := line[:i]
		found = strings.Count(before, `"`)%2 == 0 && strings.Count(before, "'")%2 == 0 && strings.ContainsAny(before, "[{") ||
			f.within("flow") && start+i+1 == f.at
		at = start + i
		next := strings.Index(line[i+2:], "${")
		if next < 0 {
			break
		}
		i += 2 + next
	}
	return at, found
}

// unquoted is what stands at a ${, up to its brace.
func (f fault) unquoted(at int) string {
	line := f.data[at : at+lineLength(f.data[at:])]
	if end := bytes.IndexByte(line, '}'); end > 0 {
		return clip(string(line[:end+1]))
	}
	return "${ … }"
}

// block is what goes wrong between lines.
func (f fault) block() Problem {
	switch {
	case f.says("mapping values are not allowed") && f.sign('&') >= 0:
		f.from = f.sign('&')
		return f.feature("anchor", "the sign & begins an anchor, and anchors are not taken")
	case f.says("mapping values are not allowed") && f.sign('*') >= 0:
		f.from = f.sign('*')
		return f.feature("alias", "an asterisk begins an alias, and aliases are not taken")
	case f.says("mapping values are not allowed") && strings.Contains(f.line(f.at-1), ": "):
		return f.found(f.at, "a second colon cannot stand here", "text with a colon and a space in it stands in quotes")
	case f.says("mapping values are not allowed"):
		return f.found(f.word(), "a key cannot stand here", "is the line indented as its neighbours are? is a space missing after the colon above?")
	case f.says("expected ':'"):
		return f.found(f.from, "a colon is missing after this key", "is it text? then it is indented too little")
	case f.says("comment without preceding"):
		return f.found(f.at, "no value begins with #", "if it is text, quote it: "+inQuotes(f.text(f.at)))
	case f.says("cannot start any token") && f.sign('!') >= 0:
		f.from = f.sign('!')
		return f.feature("tag", "an exclamation mark begins a tag, and tags are not taken")
	case f.says("cannot start any token"):
		return f.found(f.at, "no value begins with "+f.character(), "text that begins with it stands in quotes")
	case f.says("block sequence entries"):
		return f.found(f.at, "a list item cannot begin here", "an item begins on its own line; text with - stands in quotes")
	case f.says("mapping keys are not allowed"):
		return f.found(f.at, "a key cannot begin here", "text that begins with ? stands in quotes")
	case f.afterQuote():
		return f.found(f.at, "something follows the closing quote", "put the whole text in quotes, of the other kind if it has these inside")
	case f.at < len(f.data) && (f.data[f.at] == ']' || f.data[f.at] == '}'):
		return f.found(f.at, "the "+f.character()+" closes nothing", "text with brackets in it stands in quotes")
	case f.says("node content"):
		return f.found(f.at, "a value is missing before this", "is the line indented as its neighbours are?")
	case f.afterBracket():
		return f.found(f.at, "something follows the closing bracket", "text that begins with [ or { stands in quotes")
	case f.says("expected key"):
		return f.found(f.at, "a key is missing here", "is the line indented as its neighbours are?")
	case f.says("'-' indicator"):
		return f.found(f.at, "a list item or the end of the list is missing here", "is the line indented as its neighbours are?")
	case f.at >= len(f.data):
		return f.found(f.at, "the file ends too early", "a value, or the end of a text or list, is missing")
	case f.says("document start"), f.says("document-end"), f.says("end of stream"):
		return f.found(f.at, "something follows the document", "is the line indented as its neighbours are?")
	case f.says("directive"):
		return f.found(f.at, "a directive cannot stand here", "text that begins with % stands in quotes")
	}
	return f.found(f.at, "the file is no YAML here: "+f.err.Message, "text with signs of YAML in it stands in quotes")
}

// word is where the key begins behind which a colon was not wanted.
func (f fault) word() int {
	at := f.at
	if at < len(f.data) && f.data[at] == ':' {
		for at > 0 && !white(f.data[at-1]) && bytes.IndexByte([]byte(",[]{}"), f.data[at-1]) < 0 {
			at--
		}
	}
	return at
}

// sign is where on the line a word begins with an anchor's or alias's sign.
func (f fault) sign(c byte) int {
	line := f.line(f.at)
	for i := range len(line) {
		if line[i] == c && i+1 < len(line) && !white(line[i+1]) && (i == 0 || white(line[i-1])) {
			return f.at + 1 - len(line) + i
		}
	}
	return -1
}

// line is what stands before a place on its line, and the place itself.
func (f fault) line(at int) string {
	start := f.starts[f.position(at).Line-1]
	return string(f.data[start:min(at+1, len(f.data))])
}

func (f fault) before() byte {
	text := strings.TrimRight(f.line(f.at-1), " \t")
	if text == "" {
		return 0
	}
	return text[len(text)-1]
}

func (f fault) afterQuote() bool {
	c := byte(0)
	if f.at > 0 {
		c = f.before()
	}
	return c == '"' || c == '\''
}

func (f fault) afterBracket() bool {
	c := byte(0)
	if f.at > 0 {
		c = f.before()
	}
	return c == ']' || c == '}'
}

// text is what stands on a line from a place on, up to where a comment, a
// closing bracket or a comma may end it.
func (f fault) text(at int) string {
	text := string(f.data[at : at+lineLength(f.data[at:])])
	if i := strings.Index(text, " #"); i >= 0 {
		text = text[:i]
	}
	if i := strings.Index(text, ": "); i >= 0 {
		text = text[:i]
	}
	return clip(strings.TrimRight(text, " \t:,]}"))
}

func (f fault) character() string {
	if f.at >= len(f.data) {
		return "the end of the file"
	}
	for _, r := range string(f.data[f.at:min(f.at+4, len(f.data))]) {
		return string(r)
	}
	return ""
}
