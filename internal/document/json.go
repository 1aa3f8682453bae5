package document

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/detent-run/detent/internal/strictjson"
)

func (s *source) parseJSON(l Limits) (*Node, []Problem) {
	root, errs := strictjson.ParseAll(s.data, strictjson.Limits{Bytes: l.Bytes, Depth: l.Depth, Values: l.Nodes})
	r := jsonReader{source: s}
	for _, e := range errs {
		r.problems = append(r.problems, s.refused(e))
	}
	if root == nil {
		return nil, r.problems
	}
	return r.node(root), r.problems
}

// refused is the problem of an error.
func (s *source) refused(e *strictjson.Error) Problem {
	code := CodeSyntax
	switch e.Reason {
	case strictjson.Encoding:
		code = CodeEncoding
	case strictjson.Duplicate:
		code = CodeDuplicate
	case strictjson.TooLarge:
		code = CodeTooLarge
	case strictjson.Syntax:
		if len(bytes.TrimSpace(s.data)) == 0 {
			code = CodeEmpty
		}
	}
	return Problem{Code: code, Start: Position{e.Offset, e.Line, e.Column}, Message: e.Message, Hint: cmp.Or(e.Hint, jsonHint(code, e))}
}

// jsonHint says what to do about an error that does not say so itself.
func jsonHint(code string, e *strictjson.Error) string {
	switch {
	case code == CodeDuplicate:
		return keepOne
	case code == CodeTooLarge:
		return partIt
	case code == CodeEmpty:
		return emptyHint
	case strings.HasSuffix(e.Message, "is not closed"):
		return closeIt
	}
	return "add what is missing, or remove what stands here"
}

type jsonReader struct {
	*source
	problems []Problem
}

func (r *jsonReader) node(j *strictjson.Node) *Node {
	n := &Node{Start: r.position(j.Offset), End: r.position(j.End), Text: j.Text, source: r.source}
	switch j.Kind {
	case strictjson.Null:
		n.Text = "null"
	case strictjson.Bool:
		n.Kind, n.Bool = Bool, j.Bool
		n.Text = strconv.FormatBool(j.Bool)
	case strictjson.Number:
		r.number(n)
	case strictjson.String:
		n.Kind, n.style = String, doubleQuoted
	case strictjson.Array:
		n.Kind = List
		n.Items = make([]*Node, len(j.Items))
		for i := range j.Items {
			n.Items[i] = r.node(&j.Items[i])
		}
	case strictjson.Object:
		n.Kind = Object
		r.fields(n, j)
	}
	return n
}

func (r *jsonReader) fields(n *Node, j *strictjson.Node) {
	n.Fields = make([]Field, 0, len(j.Members))
	seen := make(map[string]bool, len(j.Members))
	for i := range j.Members {
		m := &j.Members[i]
		value := r.node(&m.Value) // also of a second one: its problems are problems
		if !seen[m.Key] {
			seen[m.Key] = true
			n.Fields = append(n.Fields, Field{Key: m.Key, KeyStart: r.position(m.Offset), Value: value})
		}
	}
}

func (r *jsonReader) number(n *Node) {
	if problem := n.number(strings.ContainsAny(n.Text, ".eE")); problem != nil {
		r.problems = append(r.problems, *problem)
	}
}

// number makes n the number that its text is. One that does not fit is
// refused.
func (n *Node) number(decimal bool) *Problem {
	var err error
	if decimal {
		n.Kind = Float
		n.Float, err = strconv.ParseFloat(n.Text, 64)
	} else {
		n.Kind = Int
		n.Int, err = strconv.ParseInt(strings.TrimPrefix(n.Text, "+"), 10, 64)
		if base, digits := based(n.Text); base != 0 {
			n.Int, err = strconv.ParseInt(digits, base, 64)
		}
	}
	if err == nil {
		return nil
	}
	message := fmt.Sprintf("the number %s does not fit a 64-bit integer", clip(n.Text))
	if decimal {
		message = fmt.Sprintf("the number %s is too large", clip(n.Text))
	}
	n.Int, n.Float = 0, 0
	return &Problem{Code: CodeNumber, Start: n.Start, Message: message, Hint: "write it as text, in quotes"}
}

// based parts a number of YAML that is not decimal.
func based(text string) (base int, digits string) {
	switch {
	case strings.HasPrefix(text, "0x"):
		return 16, text[2:]
	case strings.HasPrefix(text, "0o"):
		return 8, text[2:]
	}
	return 0, ""
}
