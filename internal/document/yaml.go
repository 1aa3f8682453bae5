package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

func (s *source) parseYAML(l Limits) (*Node, []Problem) {
	if p := s.unreadable(l); p != nil {
		return nil, []Problem{*p}
	}
	r := yamlReader{source: s, limits: l}
	r.lines()
	root, err := r.load(r.directives())
	if err != nil {
		if root == nil && err.Code != CodeTooLarge {
			if root = r.until(err.Start.Line); root == nil {
				root = r.until(r.broken)
			}
		}
		if root != nil {
			r.document(root) // for its problems
		}
		if err.Code != CodeEmpty || len(r.problems) == 0 {
			r.problems = append(r.problems, *err)
		}
		return nil, r.problems
	}
	n := r.document(root)
	if slices.ContainsFunc(r.problems, func(p Problem) bool { return p.Code == CodeTooLarge }) {
		return nil, r.problems // it was not read to its end
	}
	return n, r.problems
}

// until composes the lines before the one that cannot be read, if that can be
// done: their problems are to be listed too.
func (r *yamlReader) until(line int) *yaml.Node {
	part := r.data[:r.starts[max(line, 1)-1]]
	if len(bytes.TrimSpace(part)) == 0 {
		return nil
	}
	root, err := r.load(part)
	if err != nil || len(root.Content) == 0 || root.Content[0].Kind == yaml.ScalarNode {
		return nil
	}
	return root
}

// unreadable finds what the parser should not see.
func (s *source) unreadable(l Limits) *Problem {
	at := func(offset int, code, message, hint string) *Problem {
		return &Problem{Code: code, Start: s.position(offset), Message: message, Hint: hint}
	}
	if len(s.data) > l.Bytes {
		return &Problem{Code: CodeTooLarge, Start: Position{0, 1, 1}, Message: fmt.Sprintf("the file is %d bytes long, and may be %d", len(s.data), l.Bytes), Hint: partIt}
	}
	if bytes.HasPrefix(s.data, []byte("\xef\xbb\xbf")) {
		return at(0, CodeEncoding, "the file begins with a byte order mark", "save it as UTF-8 without one")
	}
	if at, crowded := s.crowded(); crowded {
		return &Problem{Code: CodeTooLarge, Start: s.position(at), Message: fmt.Sprintf("the line has more than %d commas, colons and brackets", mostMarks), Hint: "break it into lines"}
	}
	for i := 0; i < len(s.data); {
		c := s.data[i]
		if c >= ' ' && c < 0x7f || c == '\n' || c == '\t' || c == '\r' {
			i++
			continue
		}
		switch r, size := utf8.DecodeRune(s.data[i:]); {
		case r == utf8.RuneError && size == 1:
			return at(i, CodeEncoding, fmt.Sprintf("the byte 0x%02x is no UTF-8", c), "save the file as UTF-8")
		case r == 0:
			return at(i, CodeEncoding, "the file holds a NUL byte", "is it UTF-16? save it as UTF-8")
		case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r == '\ufffe' || r == '\uffff':
			return at(i, CodeEncoding, fmt.Sprintf("the character U+%04X cannot stand in a file", r), fmt.Sprintf(`remove it, or write it \u%04x in double quotes`, r))
		default:
			i += size
		}
	}
	return nil
}

// mostMarks is how many marks one line may have: the YAML library holds the
// whole of a line in brackets before it hands out its first part, with work
// that grows with the square.
const mostMarks = 20_000

// crowded finds a line with too many marks.
func (s *source) crowded() (at int, found bool) {
	marks := 0
	for i, c := range s.data {
		switch c {
		case '\n', '\r':
			marks = 0
		case ',', ':', '[', ']', '{', '}', '?', '"', '\'':
			if marks++; marks > mostMarks {
				return i, true
			}
		}
	}
	return 0, false
}

// yamlReader turns what the YAML library composes into nodes.
type yamlReader struct {
	*source
	limits   Limits
	starts   []int    // of the lines
	last     Position // that offset found
	nodes    int
	problems []Problem
	full     bool // the nodes are past their limit
	broken   int  // the line where what cannot be read begins
}

// lines finds where each line starts.
func (r *yamlReader) lines() {
	r.starts = append(r.starts, 0)
	for i, c := range r.data {
		if c == '\n' || c == '\r' && (i+1 == len(r.data) || r.data[i+1] != '\n') {
			r.starts = append(r.starts, i+1)
		}
	}
}

// offset is where a line and a column, both from 1, are. Nodes come in the
// order of the file, so that a long line is walked over once.
func (r *yamlReader) offset(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(r.starts) {
		return len(r.data)
	}
	if r.last.Line != line || r.last.Column > column {
		r.last = Position{r.starts[line-1], line, 1}
	}
	for r.last.Column < column && r.last.Offset < len(r.data) {
		_, size := utf8.DecodeRune(r.data[r.last.Offset:])
		r.last.Offset += size
		r.last.Column++
	}
	return r.last.Offset
}

// load composes the first document and sees that no other follows.
func (r *yamlReader) load(data []byte) (*yaml.Node, *Problem) {
	loader, err := yaml.NewLoader(bytes.NewReader(data), yaml.WithPlugin(bounds{r.limits.Depth}), yaml.WithPlugin(noAliases{}))
	if err != nil {
		return nil, &Problem{Code: CodeSyntax, Start: r.position(0), Message: err.Error(), Hint: "save it as UTF-8 text"}
	}
	root := new(yaml.Node)
	switch err := loader.Load(root); {
	case errors.Is(err, io.EOF):
		return nil, &Problem{Code: CodeEmpty, Start: r.position(0), Message: "the file is empty", Hint: emptyHint}
	case err != nil:
		return nil, r.syntax(err)
	}
	second := new(yaml.Node)
	switch err := loader.Load(second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return root, r.syntax(err)
	default:
		r.refuse(r.offset(second.Line, second.Column), "several documents", "a second document begins here", "a file holds one document: part it, or remove the line ---")
	}
	return root, nil
}

// refuse records a part of YAML that is not taken.
func (r *yamlReader) refuse(offset int, feature, message, hint string) {
	r.record(Problem{Code: CodeFeature, Start: r.position(offset), Message: message, Hint: hint, Feature: feature})
}

func (r *yamlReader) problem(code string, at Position, message, hint string) {
	r.record(Problem{Code: code, Start: at, Message: message, Hint: hint})
}

// mostProblems is how many problems anybody is shown.
const mostProblems = 1000

func (r *yamlReader) record(p Problem) {
	if len(r.problems) < mostProblems {
		r.problems = append(r.problems, p)
	}
}

func (r *yamlReader) document(root *yaml.Node) *Node {
	if len(root.Content) == 0 {
		if len(r.problems) > 0 {
			return nil // a directive is all there is
		}
		r.problem(CodeEmpty, r.position(0), "the file is empty", emptyHint)
		return nil
	}
	n := r.node(root.Content[0], 0, inBrackets)
	if n.Blank && len(r.problems) == 0 {
		r.problem(CodeEmpty, r.position(0), "the file holds no value", emptyHint)
		return nil
	}
	return n
}

// inBrackets is the indent of what may be indented as it likes.
const inBrackets = -1

// node reads a value that stands so many levels deep below a block with this
// indent.
func (r *yamlReader) node(y *yaml.Node, depth, indent int) *Node {
	n := &Node{source: r.source}
	if r.nodes++; r.nodes > r.limits.Nodes {
		if !r.full {
			r.full = true
			r.problem(CodeTooLarge, r.position(r.offset(y.Line, y.Column)), fmt.Sprintf("the file has more than %d values", r.limits.Nodes), partIt)
		}
		return n
	}
	begins := r.offset(y.Line, y.Column)
	at := r.properties(y)
	n.Start = r.position(at)
	switch y.Kind {
	case yaml.AliasNode:
		r.alias(n, y)
	case yaml.ScalarNode:
		r.scalar(n, y)
		if n.Blank || at > begins && r.isText(begins) {
			// The tag is all there is, or a part of the text.
			n.Kind, n.Blank, n.Start = Null, true, r.position(begins)
		}
	default:
		if depth++; depth > r.limits.Depth {
			r.record(r.tooDeep(n.Start))
			n.End = n.Start
			return n
		}
		n.Flow = y.Style&yaml.FlowStyle != 0
		if y.Kind == yaml.SequenceNode {
			r.list(n, y, depth)
		} else {
			r.object(n, y, depth)
		}
		n.End = r.position(r.source.closing(n))
	}
	if indent != inBrackets {
		r.continued(n, indent)
	}
	return n
}

func (r *yamlReader) tooDeep(at Position) Problem {
	return Problem{Code: CodeTooLarge, Start: at, Message: fmt.Sprintf("the file is nested deeper than %d levels", r.limits.Depth), Hint: "move states up, or part the chart"}
}

// below is the indent of a block's children.
func below(n *Node, y *yaml.Node) int {
	if n.Flow || len(y.Content) == 0 {
		return inBrackets
	}
	if n.Kind == Object {
		return y.Content[0].Column - 1
	}
	return y.Column - 1
}

func (r *yamlReader) list(n *Node, y *yaml.Node, depth int) {
	n.Kind = List
	n.Items = make([]*Node, len(y.Content))
	indent := below(n, y)
	for i, c := range y.Content {
		n.Items[i] = r.node(c, depth, indent)
	}
}

func (r *yamlReader) object(n *Node, y *yaml.Node, depth int) {
	n.Kind = Object
	n.Fields = make([]Field, 0, len(y.Content)/2)
	seen := make(map[string]Position, len(y.Content)/2)
	indent := below(n, y)
	for i := 0; i+1 < len(y.Content); i += 2 {
		f, ok := r.key(y.Content[i])
		value := r.node(y.Content[i+1], depth, indent)
		if !ok || r.full {
			continue
		}
		if first, twice := seen[f.Key]; twice {
			r.problem(CodeDuplicate, f.KeyStart, fmt.Sprintf("the key %s stands twice, first at line %d, column %d", quote(f.Key), first.Line, first.Column), keepOne)
			continue
		}
		seen[f.Key] = f.KeyStart
		f.Value = value
		n.Fields = append(n.Fields, f)
	}
}

// key reads a key, which is the text that is written whatever it looks like.
func (r *yamlReader) key(y *yaml.Node) (Field, bool) {
	offset := r.properties(y)
	n := &Node{Start: r.position(offset), source: r.source}
	if y.Kind == yaml.AliasNode {
		r.alias(n, y)
		return Field{}, false
	}
	if y.Kind != yaml.ScalarNode {
		r.record(Problem{Code: CodeKey, Start: n.Start, Message: "a list or an object stands where a key belongs", Hint: "a key is text; one that begins with { or [ stands in quotes", Feature: "complex key"})
		return Field{}, false
	}
	r.text(n, y)
	switch {
	case n.Plain && n.Text == "<<":
		r.refuse(offset, "merge key", "the merge key << is not taken", "write out the keys that are meant")
		return Field{}, false
	case n.Plain && n.Text == "":
		r.record(Problem{Code: CodeKey, Start: n.Start, Message: "a key is missing before the colon", Hint: `a key without characters is written ""`, Feature: "empty key"})
		return Field{}, false
	}
	return Field{Key: n.Text, KeyStart: n.Start, keyEnd: n.End.Offset}, true
}

// alias refuses an alias; often it is an asterisk that wants quotes.
func (r *yamlReader) alias(n *Node, y *yaml.Node) {
	name := "*" + y.Value
	n.Blank = true // what it names is not looked for
	n.End = r.position(n.Start.Offset + len(name))
	r.refuse(n.Start.Offset, "alias", name+" is read as an alias, and aliases are not taken", fmt.Sprintf("if it is text, quote it: %q; otherwise write out what is meant", name))
}

// scalar reads a value that is neither a list nor an object.
func (r *yamlReader) scalar(n *Node, y *yaml.Node) {
	r.text(n, y)
	if !n.Plain {
		return
	}
	if p := n.resolve(); p != nil {
		r.record(*p)
	}
	if n.Blank {
		n.Slip = r.blank(n.Start.Offset)
	}
}

// text reads how a scalar is written, and what no text may hold.
func (r *yamlReader) text(n *Node, y *yaml.Node) {
	n.Kind, n.Text = String, y.Value
	switch {
	case y.Style&yaml.DoubleQuotedStyle != 0:
		n.style = doubleQuoted
	case y.Style&yaml.SingleQuotedStyle != 0:
		n.style = singleQuoted
	case y.Style&yaml.LiteralStyle != 0:
		n.style = literal
	case y.Style&yaml.FoldedStyle != 0:
		n.style = folded
	default:
		n.style, n.Plain = plain, true
	}
	n.End = r.position(n.skip(len(n.Text), true))
	if i := strings.IndexByte(n.Text, 0); i >= 0 {
		r.problem(CodeEncoding, n.At(i), "the text holds a NUL character", "no text of a chart may")
	}
	if !utf8.ValidString(n.Text) {
		r.problem(CodeEncoding, n.Start, "the text holds half of a surrogate pair", "an escape stands for one character")
	}
}
