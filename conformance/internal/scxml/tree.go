package scxml

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const namespace = "http://www.w3.org/2005/07/scxml"

// node is one XML element. Elements of other namespaces have their prefix's
// address and a space before the name, so that no reader takes them for ours.
type node struct {
	name       string
	attributes map[string]string
	children   []*node
	text       string // of the element itself, without its children's
	line       int
}

// has reports whether the element has an attribute, be it empty.
func (n *node) has(attribute string) bool {
	_, ok := n.attributes[attribute]
	return ok
}

// list returns an attribute's words.
func (n *node) list(attribute string) []string { return strings.Fields(n.attributes[attribute]) }

// all returns the children with one of the names.
func (n *node) all(names ...string) []*node {
	var found []*node
	for _, c := range n.children {
		if slices.Contains(names, c.name) {
			found = append(found, c)
		}
	}
	return found
}

// first returns the first child with the name, nil without any.
func (n *node) first(name string) *node {
	if found := n.all(name); len(found) > 0 {
		return found[0]
	}
	return nil
}

// walk calls f on the element and all below it, in document order; where f
// returns false it goes no deeper.
func (n *node) walk(f func(*node) bool) {
	if !f(n) {
		return
	}
	for _, c := range n.children {
		c.walk(f)
	}
}

// parse reads a document into its tree.
func parse(r io.Reader) (*node, error) {
	decoder := xml.NewDecoder(r)
	var open []*node
	var root *node
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			n := element(token)
			n.line, _ = decoder.InputPos()
			if len(open) > 0 {
				parent := open[len(open)-1]
				parent.children = append(parent.children, n)
			} else {
				root = n
			}
			open = append(open, n)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text += string(token)
			}
		}
	}
	if root == nil || root.name != "scxml" {
		return nil, fmt.Errorf("the root element is not <scxml>")
	}
	return root, nil
}

func element(token xml.StartElement) *node {
	n := &node{name: token.Name.Local, attributes: map[string]string{}}
	if token.Name.Space != namespace {
		n.name = token.Name.Space + " " + token.Name.Local
	}
	for _, a := range token.Attr {
		if a.Name.Space == "" {
			n.attributes[a.Name.Local] = a.Value
		}
	}
	return n
}
