package scxml

import (
	"fmt"
	"path"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// invocation reads an <invoke>.
func (r *reader) invocation(e *element, s *spot) statechart.Invocation {
	call := statechart.Invocation{ID: strings.TrimSpace(e.attributeText("id"))}
	s.mark("id", "id")
	if a := e.attribute("id"); a != nil && len(strings.Fields(a.value)) != 1 {
		r.noteAttribute(statechart.CodeInvalidName, e, a, quote(a.value)+" is no id", "an id is one word; without the attribute the call gets one when it starts")
	}
	call.Type = r.either(e, s, "type", "type")
	call.IDLocation = r.location(e, s, "idlocation")
	call.Src = r.invoked(e, s, call.Type)
	call.Input = r.payload(e, s.add("input", e, nil))
	if a := e.attribute("autoforward"); a != nil {
		call.Forward = a.value == "true"
		if a.value != "true" && a.value != "false" {
			r.noteAttribute(statechart.CodeInvalid, e, a, "autoforward is true or false, not "+quote(a.value), "false is what holds without the attribute")
		}
	}
	if f := r.child(e, "finalize"); f != nil {
		outer := r.final
		r.final = true
		call.Finalize = r.actions(f.elements(), s, "finalize")
		r.final = outer
	}
	if !isSession(call.Type) {
		r.warn(statechart.CodeInvalid, e, e.attribute("type").at, "nothing of the type "+quote(call.Type.(string))+" can be invoked, so it fails when it is executed", "an SCXML document is http://www.w3.org/TR/scxml/")
	}
	return call
}

// invoked reads what is invoked.
func (r *reader) invoked(e *element, s *spot, kind any) any {
	content := r.child(e, "content")
	src := r.either(e, s, "src", "src")
	switch {
	case content != nil && src != nil:
		r.note(statechart.CodeNotAllowed, content, "<invoke> has both "+map[bool]string{true: "src", false: "srcexpr"}[e.attribute("src") != nil]+" and <content>", "keep one of the two")
		return "-"
	case content != nil:
		s.add("src", content, nil)
		return r.invokedContent(e, content, kind)
	case src == nil:
		r.note(statechart.CodeMissing, e, "<invoke> says not what to invoke", `write src="…", or an SCXML document into <content>`)
		return "-"
	}
	if _, fixed := src.(string); fixed && isSession(kind) {
		return r.invokedFile(e, e.attribute("src"))
	}
	return src
}

// invokedContent reads a document that stands in <content>.
func (r *reader) invokedContent(e, content *element, kind any) any {
	a, inner := content.attribute("expr"), content.elements()
	switch text := content.words(); {
	case a != nil:
		return r.exprOrContent(content)
	case !isSession(kind):
		return "-" // it is never looked at
	case len(inner) == 1 && blank(text):
		return r.childDocument(r.reader(r.doc.Name), inner[0], r.folder, "")
	case len(inner) > 0 || blank(text):
		r.note(statechart.CodeMissing, content, "<content> of <invoke> holds no document", "write one <scxml> into it")
		return "-"
	case strings.TrimLeft(text, " \t\r\n")[0] != '<':
		r.note(statechart.CodeMissing, content, "<content> of <invoke> holds text that is no document", "write one <scxml> into it")
		return "-"
	default:
		return r.invokedText(content)
	}
}

// invokedText reads a document that stands in <content> as text.
func (r *reader) invokedText(content *element) any {
	text := strings.Trim(content.words(), " \t\r\n")
	if !r.afford(len(text)) {
		r.note(chartfile.CodeTooLarge, content, fmt.Sprintf("what the document brings along has more than %d bytes", maxFileBytes), "put it into files of their own")
		return "-"
	}
	s := newSource(r.doc.Name, []byte(text))
	first := content.content[0]
	s.line, s.column = content.source.place(first.at + len(first.text) - len(strings.TrimLeft(first.text, " \t\r\n")))
	root, child := r.parse(s)
	if root == nil {
		r.takeOver(child)
		return "-"
	}
	return r.childDocument(child, root, r.folder, "")
}

// invokedFile reads the document that src names, once.
func (r *reader) invokedFile(e *element, a *attribute) any {
	if r.options.Files == nil {
		if _, hint := r.cleanPath(a.value); hint == "" {
			return strings.TrimSpace(a.value) // the host knows it
		}
	}
	name, data, ok := r.file(e, a)
	if !ok {
		if name == "" {
			return "-"
		}
		return strings.TrimSpace(a.value)
	}
	if known, met := r.byFile[name]; met {
		if known == nil {
			return "-" // what is wrong with it is said already
		}
		r.call(known)
		return "chart:" + known.Definition.ID
	}
	root, child := r.parse(newSource(name, data))
	if root == nil {
		r.byFile[name] = nil
		r.takeOver(child)
		return "-"
	}
	folder := path.Dir(name)
	if folder == "." {
		folder = ""
	}
	return r.childDocument(child, root, folder, name)
}

// childDocument reads a document that this one invokes. It is called by its
// file, or by its own name, or after its parent.
func (r *reader) childDocument(child *reader, root *element, folder, file string) any {
	if len(r.documents) >= maxDocuments {
		r.noteAt(root.source, chartfile.CodeTooLarge, root.at, "the document invokes too many others", "at most 256 stand in it, or are named by it")
		return "-"
	}
	wanted := chartID(file)
	if file == "" {
		wanted = r.doc.Definition.ID + "_" + chartID(root.attributeText("name"))
		if strings.TrimSpace(root.attributeText("name")) == "" {
			wanted = r.doc.Definition.ID + "_1"
		}
	}
	id := r.unique(wanted)
	r.documents = append(r.documents, child.doc)
	if file != "" {
		r.byFile[file] = child.doc
		child.doc.Definition.ID = id // who invokes it from below needs it
	}
	if child.document(root, id, folder) == nil {
		if file != "" {
			r.byFile[file] = nil
		}
		r.takeOver(child)
		return "-"
	}
	r.call(child.doc)
	return "chart:" + child.doc.Definition.ID
}

// takeOver says what is wrong with a child that is no document.
func (r *reader) takeOver(child *reader) {
	for _, d := range child.doc.found {
		r.add(d)
	}
}

// call notes a document that this one invokes.
func (r *reader) call(child *Document) {
	r.doc.calls = append(r.doc.calls, child)
}
