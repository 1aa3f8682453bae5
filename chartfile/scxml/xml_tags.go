package scxml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/chartfile"
)

// The namespaces that are known.
const (
	spaceSCXML    = "http://www.w3.org/2005/07/scxml"
	spaceXML      = "http://www.w3.org/XML/1998/namespace"
	spaceXMLNS    = "http://www.w3.org/2000/xmlns/"
	spaceInstance = "http://www.w3.org/2001/XMLSchema-instance"
	spaceUnknown  = "?" // of a prefix that is not declared
)

// startTag takes a tag that opens an element.
func (p *parser) startTag() {
	e := &element{source: p.source, at: p.at}
	p.at++
	name := p.token()
	if p.broken || !p.fits(e) {
		return
	}
	e.name = p.qualified(e.at+1, name)
	for {
		spaced := p.space()
		switch {
		case p.sees("/>"):
			p.at += 2
			p.begin(e)
			p.end(e)
			return
		case p.sees(">"):
			p.at++
			p.begin(e)
			return
		case p.at >= len(p.source.text) || p.sees("<"):
			p.syntax(e.at, "the tag <"+name+" is not closed", "it ends with > or />")
			return
		case !spaced:
			p.syntax(p.at, "a space is missing before "+quote(firstCharacter(p.rest())), `attributes are parted by spaces: a="…" b="…"`)
			return
		}
		if p.attribute(e); p.broken {
			return
		}
	}
}

// fits refuses a second root, and elements that are too many or nested too
// deep.
func (p *parser) fits(e *element) bool {
	p.elements++
	switch {
	case p.elements > maxElements:
		p.stop(chartfile.CodeTooLarge, e.at, fmt.Sprintf("the document has more than %d elements", maxElements), "part the chart, or move data out of it")
	case len(p.open) >= maxDepth:
		p.stop(chartfile.CodeTooLarge, e.at, fmt.Sprintf("elements are nested deeper than %d", maxDepth), "part the chart, and invoke a part of it")
	case len(p.open) == 0 && p.root != nil:
		p.syntax(e.at, "a second element stands beside <"+p.root.written()+">", "a document has one element with all others in it")
	}
	return !p.broken
}

// attribute takes one attribute.
func (p *parser) attribute(e *element) {
	a := attribute{at: p.at}
	name := p.token()
	if p.broken {
		return
	}
	p.space()
	if !p.sees("=") {
		p.syntax(a.at, "the attribute "+name+" has no value", "write "+name+`="…"`)
		return
	}
	p.at++
	p.space()
	if !p.sees(`"`) && !p.sees("'") {
		p.syntax(p.at, "the value of the attribute "+name+" does not stand in quotes", "write "+name+`="…"`)
		return
	}
	delimiter := p.rest()[:1]
	p.at++
	a.start = p.at
	raw, closed := p.until(delimiter)
	if i := strings.IndexByte(raw, '<'); i >= 0 {
		p.syntax(a.start+i, "the sign < stands in the value of the attribute "+name, "write &lt;, and see that the quotes are closed")
		return
	}
	if !closed {
		p.syntax(a.start-1, "the quote that opens here is not closed", "close it where the value of "+name+" ends")
		return
	}
	a.raw, a.value = raw, p.expand(a.start, raw, true)
	a.name = p.qualified(a.at, name)
	p.add(e, a)
}

// add gives an attribute to its element.
func (p *parser) add(e *element, a attribute) {
	if slices.ContainsFunc(e.attributes, func(o attribute) bool { return o.prefix == a.prefix && o.local == a.local }) {
		p.note(chartfile.CodeDuplicateKey, a.at, "the attribute "+a.written()+" stands twice in <"+e.written()+">", "keep one of the two")
		return
	}
	if len(e.attributes) == maxAttributes {
		p.stop(chartfile.CodeTooLarge, a.at, fmt.Sprintf("an element has more than %d attributes", maxAttributes), "none of SCXML has that many")
		return
	}
	e.attributes = append(e.attributes, a)
}

// begin opens an element whose start tag was read: its namespaces are known
// now.
func (p *parser) begin(e *element) {
	for i := range e.attributes {
		p.declare(&e.attributes[i])
	}
	p.resolve(&e.name, e.at+1)
	for i := range e.attributes {
		a := &e.attributes[i]
		if a.prefix == "" {
			continue // attributes without a prefix have no namespace
		}
		p.resolve(&a.name, a.at)
		if a.space != "" && slices.ContainsFunc(e.attributes[:i], func(o attribute) bool { return o.space == a.space && o.local == a.local }) {
			p.note(chartfile.CodeDuplicateKey, a.at, "the attribute "+a.written()+" stands twice in <"+e.written()+">, under another prefix", "keep one of the two")
		}
	}
	if len(p.open) == 0 {
		p.root = e
	} else {
		p.flush()
		e.parent = p.open[len(p.open)-1]
		e.parent.content = append(e.parent.content, piece{element: e, at: e.at})
	}
	p.open = append(p.open, e)
}

// end closes the innermost element.
func (p *parser) end(e *element) {
	p.flush()
	e.end = p.at
	p.open = p.open[:len(p.open)-1]
	for i := range e.attributes {
		if prefix, ok := e.attributes[i].declares(); ok {
			if stack := p.prefixes[prefix]; len(stack) > 0 && prefix != "xml" {
				p.prefixes[prefix] = stack[:len(stack)-1]
			}
		}
	}
}

// endTag takes a tag that closes an element.
func (p *parser) endTag() {
	start := p.at
	p.at += len("</")
	name := p.token()
	if p.broken {
		return
	}
	p.space()
	if !p.sees(">") {
		p.syntax(start, "the tag </"+name+" is not closed", "it ends with >, and holds nothing but the name")
		return
	}
	p.at++
	if len(p.open) == 0 {
		p.syntax(start, "</"+name+"> closes nothing", "remove it")
		return
	}
	e := p.open[len(p.open)-1]
	if e.written() != name {
		line, column := p.place(e.at)
		p.syntax(start, fmt.Sprintf("</%s> stands where <%s> of line %d, column %d is still open", name, e.written(), line, column),
			"write </"+e.written()+"> first: what opened last closes first")
		return
	}
	p.end(e)
}

// declares returns the prefix that an attribute declares, "" for elements
// without one.
func (a *attribute) declares() (prefix string, ok bool) {
	switch {
	case a.prefix == "xmlns":
		return a.local, true
	case a.prefix == "" && a.local == "xmlns":
		return "", true
	}
	return "", false
}

// declare notes what a prefix stands for.
func (p *parser) declare(a *attribute) {
	prefix, ok := a.declares()
	if !ok {
		return
	}
	switch {
	case prefix == "xmlns" || a.value == spaceXMLNS:
		p.note(chartfile.CodeSyntax, a.at, "xmlns is no prefix that can be declared", "choose another prefix")
	case (prefix == "xml") != (a.value == spaceXML):
		p.note(chartfile.CodeSyntax, a.at, "the prefix xml and its namespace belong together", "choose another prefix")
	case prefix != "" && a.value == "":
		p.note(chartfile.CodeSyntax, a.at, "the prefix "+prefix+" is declared as nothing", "write its namespace, or remove the attribute")
	}
	if prefix != "xml" {
		p.prefixes[prefix] = append(p.prefixes[prefix], a.value)
	}
}

// resolve finds what the prefix of a name stands for.
func (p *parser) resolve(n *name, at int) {
	if n.prefix == "xmlns" {
		n.space = spaceXMLNS
		return
	}
	stack := p.prefixes[n.prefix]
	if len(stack) > 0 {
		n.space = stack[len(stack)-1]
	} else if n.prefix != "" {
		n.space = spaceUnknown
		p.note(chartfile.CodeSyntax, at, "the prefix "+n.prefix+" is not declared", "declare it: xmlns:"+n.prefix+`="…"`)
	}
}

// qualified parts a name into its prefix and the rest.
func (p *parser) qualified(at int, written string) name {
	prefix, local, parted := strings.Cut(written, ":")
	if !parted {
		return name{local: written}
	}
	if prefix == "" || nameLength(local) != len(local) || local == "" || strings.Contains(local, ":") {
		p.note(chartfile.CodeSyntax, at, quote(written)+" is no name: it has one prefix at most", "write prefix:name")
	}
	return name{prefix: prefix, local: local}
}
