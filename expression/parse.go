package expression

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/parser/lexer"
)

// Tree is an expression that was parsed: its syntax is right, it uses
// functions that exist with as many arguments as they take, and it keeps the
// bounds. Its names were not looked up. It does not change and may be used
// concurrently.
type Tree struct {
	source string
	node   ast.Node
	roots  []Root
}

// Root is a name that an expression takes from outside: a variable, or one
// of the language's own, such as event.
type Root struct {
	// Name as it is written.
	Name string
	// Member says that fields or elements of it are read somewhere.
	Member bool
	// Offset of its first use, in bytes.
	Offset int
}

// Parse reads a source. The error is always an [Error].
func Parse(source string) (*Tree, error) { return parse(source, false) }

// parse reads a source, of an SCXML document or of a chart.
func parse(source string, document bool) (*Tree, error) {
	if err := checkSource(source); err != nil {
		return nil, err
	}
	tree, err := parser.Parse(source)
	if err != nil {
		return nil, syntaxError(source, err)
	}
	w := walker{source: source, document: document, roots: map[string]*Root{}}
	if err := w.node(tree.Node, 0); err != nil {
		return nil, err
	}
	return &Tree{source: source, node: tree.Node, roots: w.sorted()}, nil
}

// Roots returns the names that come from outside the expression, sorted,
// each once. The caller owns the slice.
func (t *Tree) Roots() []Root { return append([]Root(nil), t.roots...) }

// unexpected is how the parser names the token that it stumbles over.
var unexpected = regexp.MustCompile(`unexpected token (?:[A-Za-z]+\("(.*?)"\)|(EOF))`)

// syntaxHints say what was probably meant where a token stands wrongly.
var syntaxHints = map[string]string{
	"=":  "use == to compare; an expression assigns nothing",
	"==": "use == to compare",
	"&":  `use "and"`,
	"{":  "an expression stands here bare, without ${ }; an object is {key: value}",
	"<>": "use != to compare",
	":":  "an object in a function's body stands in braces of its own: map(list, {{a: #}})",
	";":  "in a function's body, put { } around parts divided by ;",
	"#":  "# is the element that a function such as filter looks at, and means nothing outside its body",
	".":  "write the name before the dot; only in the body of a function such as filter it may be left out",
}

// mistakes are the parser's other messages, by how they begin, in words of
// ours.
var mistakes = []struct{ begin, message, hint string }{
	{"unexpected end", "the expression ends where more is expected", ""},
	{"literal not terminated", "the text is not closed", "end it with the quote that it begins with"},
	{"unclosed comment", "the comment is not closed", "end it with */"},
	{"invalid char escape", "the text has an escape that does not exist", `a backslash is written \\, or the text between backquotes`},
	{"unable to unescape", "the text has an escape that does not exist", `a backslash is written \\, or the text between backquotes`},
	{"bad number syntax", "the number is not one that can be written here", "a name does not begin with a digit"},
	{"invalid", "the number is not one that can be written here", "integers have 64 bits, decimals are doubles"},
	{"integer literal", "the number is not one that can be written here", "integers have 64 bits, decimals are doubles"},
	{"float literal", "the number is not one that can be written here", "integers have 64 bits, decimals are doubles"},
	{"expected at least", "an argument is missing", ""},
	{"expected name", "a name is expected after the dot", ""},
	{"wrap predicate", "a function's body of several parts stands in { }", ""},
	{"Operator (", "?? cannot stand beside another operator without parentheses", "write (a ?? b) in parentheses"},
}

// syntaxError puts what the parser says into a sentence of ours.
func syntaxError(source string, err error) *Error {
	bad, ok := err.(*file.Error)
	if !ok {
		e := wrong("", "the expression cannot be read: %s", err)
		e.Offset = 0
		return e
	}
	e := wrong("", "%s", strings.ToLower(bad.Message[:1])+bad.Message[1:])
	e.Offset = byteOffset(source, bad.From)
	if m := unexpected.FindStringSubmatch(bad.Message); m != nil {
		e.Message, e.Hint = quote(m[1])+" is not expected here", syntaxHints[m[1]]
		if m[2] != "" {
			e.Message, e.Offset = mistakes[0].message, len(source)
		}
		return e
	}
	for _, m := range mistakes {
		if strings.HasPrefix(bad.Message, m.begin) {
			e.Message, e.Hint = m.message, m.hint
			break
		}
	}
	switch {
	case strings.HasPrefix(bad.Message, "unexpected end"):
		e.Offset = len(source)
	case strings.HasPrefix(bad.Message, "literal not") || strings.HasPrefix(bad.Message, "unclosed"):
		e.Offset = lastToken(source)
	case strings.HasPrefix(bad.Message, "unrecognized character"):
		e.Message = "the character " + quote(characterAt(source, e.Offset)) + " means nothing here"
	}
	return e
}

// lastToken is where the token begins that the lexer cannot end.
func lastToken(source string) int {
	tokens := lexer.New()
	tokens.Reset(file.NewSource(source))
	end := 0
	for {
		token, err := tokens.Next()
		if err != nil || token.Is(lexer.EOF) {
			break
		}
		end = byteOffset(source, token.To)
	}
	rest := source[end:]
	return end + len(rest) - len(strings.TrimLeftFunc(rest, unicode.IsSpace))
}

func characterAt(source string, at int) string {
	for _, r := range source[min(at, len(source)):] {
		return string(r)
	}
	return ""
}
