package indetent

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Rewrite returns a document with its expressions in Detent's language and
// its data model "detent", and all documents in it, too. Everything else stays
// byte for byte. One of the null data model stays as it is. The error says
// what has no equal, with the element in which it stands.
func Rewrite(document []byte) ([]byte, error) {
	tags, err := startTags(document)
	if err != nil {
		return nil, err
	}
	scopes := variables(tags)
	var out bytes.Buffer
	done := 0
	for _, t := range tags {
		text, err := t.rewritten(document[t.from:t.to], scopes[t.document])
		if err != nil {
			return nil, fmt.Errorf("<%s>: %w", t.name, err)
		}
		out.Write(document[done:t.from])
		out.WriteString(text)
		done = t.to
	}
	out.Write(document[done:])
	return out.Bytes(), nil
}

// startTag is a start tag of a document.
type startTag struct {
	name       string
	attributes []xml.Attr
	from, to   int
	document   int // number of the innermost <scxml> around it
}

// value returns an attribute.
func (t *startTag) value(name string) (string, bool) {
	for _, a := range t.attributes {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value, true
		}
	}
	return "", false
}

// startTags lists the start tags of a document in their order.
func startTags(document []byte) ([]startTag, error) {
	decoder := xml.NewDecoder(bytes.NewReader(document))
	var out []startTag
	open, documents := []int{-1}, 0
	for {
		from := int(decoder.InputOffset())
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		switch x := token.(type) {
		case xml.StartElement:
			if x.Name.Local == "scxml" {
				open = append(open, documents)
				documents++
			}
			out = append(out, startTag{name: x.Name.Local, attributes: slices.Clone(x.Attr), from: from, to: int(decoder.InputOffset()), document: open[len(open)-1]})
		case xml.EndElement:
			if x.Name.Local == "scxml" && len(open) > 1 {
				open = open[:len(open)-1]
			}
		}
	}
}

// variables gathers, for each document, the names that are declared in it.
func variables(tags []startTag) map[int]map[string]bool {
	out := map[int]map[string]bool{}
	add := func(document int, name string, ok bool) {
		if out[document] == nil {
			out[document] = map[string]bool{}
		}
		if ok {
			out[document][strings.TrimSpace(name)] = true
		}
	}
	for i := range tags {
		t := &tags[i]
		switch t.name {
		case "data":
			id, ok := t.value("id")
			add(t.document, id, ok)
		case "foreach":
			for _, name := range []string{"item", "index"} {
				id, ok := t.value(name)
				add(t.document, id, ok)
			}
		default:
			add(t.document, "", false)
		}
	}
	return out
}

// attribute finds the attributes of a start tag as they are written.
var attribute = regexp.MustCompile(`(\s)([\w:.-]+)(\s*=\s*)("[^"]*"|'[^']*')`)

// rewritten is a start tag with its attributes rewritten.
func (t *startTag) rewritten(raw []byte, declared map[string]bool) (string, error) {
	if t.name == "script" {
		return "", errors.New("it is a statement, and the language has expressions only")
	}
	i, named := 0, false
	var failed error
	text := attribute.ReplaceAllStringFunc(string(raw), func(written string) string {
		m := attribute.FindStringSubmatch(written)
		value := t.attributes[i].Value
		i++
		if t.name == "scxml" && m[2] == "datamodel" {
			named = true
		}
		changed, err := t.attribute(m[2], value, declared)
		if err != nil && failed == nil {
			failed = fmt.Errorf("%s=%q: %w", m[2], value, err)
		}
		if err != nil || changed == value {
			return written
		}
		return m[1] + m[2] + m[3] + `"` + escape.Replace(changed) + `"`
	})
	if t.name == "scxml" && !named {
		end := strings.TrimSuffix(text, ">")
		end, empty := strings.CutSuffix(end, "/")
		if text = end + ` datamodel="detent">`; empty {
			text = end + ` datamodel="detent"/>`
		}
	}
	return text, failed
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "\n", "&#10;", "\t", "&#9;", "\r", "&#13;")

// expressions are the attributes that hold values, by element.
var expressions = map[string][]string{
	"data": {"expr"}, "assign": {"expr"}, "log": {"expr"}, "content": {"expr"}, "param": {"expr", "location"}, "foreach": {"array"},
	"send":   {"eventexpr", "targetexpr", "typeexpr", "delayexpr"},
	"cancel": {"sendidexpr"}, "invoke": {"typeexpr", "srcexpr"},
}

// attribute rewrites the value of one attribute.
func (t *startTag) attribute(name, value string, declared map[string]bool) (string, error) {
	switch {
	case t.name == "scxml" && name == "datamodel":
		if value == "ecmascript" {
			return "detent", nil
		}
	case name == "cond":
		return condition(value, declared)
	case slices.Contains(expressions[t.name], name):
		return expression(value, declared)
	case t.name == "assign" && name == "location", name == "idlocation":
		return location(value, declared)
	}
	return value, nil
}
