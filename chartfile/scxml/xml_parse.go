package scxml

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// Bounds of a document. They hold before anything is made of it.
const (
	maxBytes      = 1 << 20
	maxDepth      = 64
	maxElements   = 100_000
	maxAttributes = 256 // of one element
	maxName       = 1_000
)

// fault is one thing that is wrong with the XML of a document.
type fault struct {
	code          statechart.Code
	at            int
	message, hint string
}

// parser reads one document. What cannot be read ends it; what can be read
// and is not taken is noted, and it goes on.
type parser struct {
	*source
	at       int
	faults   []fault
	broken   bool // the last fault ends the reading
	open     []*element
	elements int
	root     *element
	text     []byte // of the element that is open
	textAt   int
	prefixes map[string][]string // the namespaces of prefixes, the innermost last
}

// parse reads a document. The tree is nil when it could not be read to its
// end; faults stand in the order of the document.
func parse(s *source) (*element, []fault) {
	p := &parser{source: s, prefixes: map[string][]string{"xml": {spaceXML}}}
	if !p.readable() {
		return nil, p.faults
	}
	p.declaration()
	for !p.broken && p.at < len(p.source.text) {
		p.markup()
	}
	switch {
	case p.broken:
	case len(p.open) > 0:
		e := p.open[len(p.open)-1]
		p.stop(chartfile.CodeSyntax, e.at, "<"+e.written()+"> is not closed", "write </"+e.written()+"> where it ends")
	case p.root == nil && blank(p.source.text):
		p.stop(chartfile.CodeEmpty, 0, "there is nothing in the file", `an SCXML document begins with <scxml xmlns="`+spaceSCXML+`">`)
	case p.root == nil:
		p.stop(chartfile.CodeSyntax, p.at, "the document has no element", `it begins with <scxml xmlns="`+spaceSCXML+`">`)
	}
	if p.broken {
		return nil, p.faults
	}
	return p.root, p.faults
}

// note remembers what is not taken.
func (p *parser) note(code statechart.Code, at int, message, hint string) {
	if len(p.faults) <= maxDiagnostics {
		p.faults = append(p.faults, fault{code, at, message, hint})
	}
}

// stop notes what ends the reading.
func (p *parser) stop(code statechart.Code, at int, message, hint string) {
	if !p.broken {
		p.faults = append(p.faults[:min(len(p.faults), maxDiagnostics)], fault{code, at, message, hint})
		p.broken = true
	}
}

func (p *parser) syntax(at int, message, hint string) {
	p.stop(chartfile.CodeSyntax, at, message, hint)
}

// rest is what is still to be read.
func (p *parser) rest() string { return p.source.text[p.at:] }

func (p *parser) sees(text string) bool { return strings.HasPrefix(p.rest(), text) }

// until takes all up to a text and the text itself.
func (p *parser) until(end string) (taken string, found bool) {
	i := strings.Index(p.rest(), end)
	if i < 0 {
		return "", false
	}
	taken = p.rest()[:i]
	p.at += i + len(end)
	return taken, true
}

// space takes white space and reports whether there was some.
func (p *parser) space() bool {
	before := p.at
	for p.at < len(p.source.text) && isSpace(p.source.text[p.at]) {
		p.at++
	}
	return p.at > before
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// markup takes one tag, comment or section, or the text up to the next.
func (p *parser) markup() {
	switch {
	case !p.sees("<"):
		p.characters()
	case p.sees("<!--"):
		p.comment()
	case p.sees("<![CDATA["):
		p.section()
	case p.sees("<!DOCTYPE"):
		p.stop(chartfile.CodeXML, p.at, "a document type is declared, and none is taken", "remove <!DOCTYPE …>; entities and defaults that it declares are written out")
	case p.sees("<!"):
		p.syntax(p.at, "<! begins neither a comment nor a section", "a comment is written <!-- … -->, and < in text &lt;")
	case p.sees("<?"):
		p.instruction()
	case p.sees("</"):
		p.endTag()
	default:
		p.startTag()
	}
}

// characters takes text.
func (p *parser) characters() {
	start := p.at
	end := strings.IndexByte(p.rest(), '<')
	if end < 0 {
		end = len(p.rest())
	}
	text := p.rest()[:end]
	if i := strings.Index(text, "]]>"); i >= 0 {
		p.syntax(start+i, "]]> stands in text", "write ]]&gt;")
		return
	}
	p.at += end
	if len(p.open) == 0 {
		if !blank(text) {
			at := start + len(text) - len(strings.TrimLeft(text, " \t\r\n"))
			p.syntax(at, "text stands outside the document's element", "remove it, or write it as a comment: <!-- … -->")
		}
		return
	}
	p.addText(start, p.expand(start, text, false))
}

func (p *parser) addText(at int, text string) {
	if len(p.text) == 0 {
		p.textAt = at
	}
	p.text = append(p.text, text...)
}

// flush ends the text that was gathered.
func (p *parser) flush() {
	if len(p.text) > 0 {
		e := p.open[len(p.open)-1]
		e.content = append(e.content, piece{text: string(p.text), at: p.textAt})
		p.text = p.text[:0]
	}
}

func (p *parser) comment() {
	start := p.at
	p.at += len("<!--")
	body, closed := p.until("--")
	switch {
	case !closed:
		p.syntax(start, "the comment is not closed", "it ends with -->")
	case !p.sees(">"):
		p.syntax(start+len("<!--")+len(body), "-- stands in a comment", "part the two: - -")
	default:
		p.at++
	}
}

func (p *parser) section() {
	start := p.at
	p.at += len("<![CDATA[")
	body, closed := p.until("]]>")
	switch {
	case len(p.open) == 0:
		p.syntax(start, "text stands outside the document's element", "remove it")
	case !closed:
		p.syntax(start, "the section <![CDATA[ is not closed", "it ends with ]]>")
	default:
		p.addText(start+len("<![CDATA["), lineEnds(body))
	}
}

// instruction takes a processing instruction: none is known.
func (p *parser) instruction() {
	start := p.at
	p.at += len("<?")
	target := p.token()
	body, closed := p.until("?>")
	switch {
	case p.broken:
	case !closed:
		p.syntax(start, "the processing instruction is not closed", "it ends with ?>; what it says is not taken, so it can be removed")
	case body != "" && !isSpace(body[0]):
		p.syntax(start+len("<?")+len(target), "a space is missing behind the name of a processing instruction", "remove it: what it says is not taken")
	case strings.EqualFold(target, "xml"):
		p.syntax(start, "<?xml … ?> stands at the very beginning or nowhere", "remove it here, and what stands before it there")
	default:
		p.note(chartfile.CodeXML, start, "the processing instruction "+quote(target)+" is not known", "remove it")
	}
}

// token takes a name with its prefix.
func (p *parser) token() string {
	n := nameLength(p.rest())
	if n == 0 {
		found := "the end of the document"
		if p.at < len(p.source.text) {
			found = quote(firstCharacter(p.rest()))
		}
		p.syntax(p.at, "a name is wanted, not "+found, "a name begins with a letter or _; the sign < in text is written &lt;")
		return ""
	}
	if n > maxName {
		p.stop(chartfile.CodeTooLarge, p.at, fmt.Sprintf("a name is longer than %d bytes", maxName), "shorten it")
		return ""
	}
	p.at += n
	return p.source.text[p.at-n : p.at]
}
