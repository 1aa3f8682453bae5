package deployment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/performer/code"
	"github.com/detent-run/detent/performer/file"
	"github.com/detent-run/detent/performer/http"
	"github.com/detent-run/detent/performer/process"
	"github.com/detent-run/detent/statechart"
)

// kinds are the ways in which a tool is called.
var kinds = []string{"http", "process", "file", "code"}

// tool reads one tool.
func (r *reader) tool(d *Deployment, f document.Field) {
	n, keys := f.Value, append([]string{"description", "input", "annotations", "concurrency"}, kinds...)
	if !validName(f.Key) {
		r.note(statechart.CodeInvalidName, f.KeyStart, fmt.Sprintf("%.60q is no name of a tool", f.Key), nameHint)
	}
	if !r.object(n, "a tool", keys...) {
		return
	}
	var kind string
	for _, k := range kinds {
		if part(n, k) == nil {
			continue
		}
		if kind != "" {
			r.note(statechart.CodeInvalid, f.KeyStart, fmt.Sprintf("the tool has both %s and %s", kind, k), "keep one of the two")
			return
		}
		kind = k
	}
	if kind == "" {
		r.note(statechart.CodeMissing, f.KeyStart, fmt.Sprintf("the tool %q does not say how it is called", f.Key), "add http, process, file or code")
		return
	}
	r.text(n, "description")
	entry := host.Entry{Traits: host.Traits{
		Mode: r.mode(n), Concurrency: int(r.number(n, "concurrency", 1, 10_000)), Check: r.input(n), Version: digest(n),
	}}
	entry.Performer = r.call(d, kind, part(n, kind))
	d.tools[f.Key] = entry
}

// mode is what a tool's annotations say: without any it is not repeatable.
func (r *reader) mode(n *document.Node) host.Mode {
	a := part(n, "annotations")
	if a == nil || !r.object(a, "annotations", "readOnly", "idempotent", "destructive") {
		return host.AtMostOnce
	}
	r.flag(a, "destructive")
	readOnly, idempotent := r.flag(a, "readOnly"), r.flag(a, "idempotent")
	if readOnly != nil && *readOnly || idempotent != nil && *idempotent {
		return host.AtLeastOnce
	}
	return host.AtMostOnce
}

// input is the check of a tool's input; nil without a schema.
func (r *reader) input(n *document.Node) func(any) error {
	v := part(n, "input")
	if v == nil || !r.is(v, document.Object, "input") {
		return nil
	}
	check, err := schemaCheck(v.Value())
	if err != nil {
		r.note(statechart.CodeSchema, v.Start, err.Error(), "write it as JSON Schema has it")
		return nil
	}
	return check
}

// call makes the performer of a tool.
func (r *reader) call(d *Deployment, kind string, n *document.Node) host.Performer {
	before := len(r.found)
	var p host.Performer
	var err error
	switch kind {
	case "http":
		p, err = r.http(d, n)
	case "process":
		p, err = r.process(n)
	case "file":
		if r.object(n, "file", "root", "allow", "maxBytes") {
			c := file.Config{Root: r.text(n, "root"), Allow: r.texts(n, "allow"), MaxBytes: r.number(n, "maxBytes", 1, 1<<30), Redact: r.secrets.redact}
			if c.Root != "" && !filepath.IsAbs(c.Root) {
				c.Root = filepath.Join(r.dir, c.Root)
			}
			p, err = file.New(c)
		}
	case "code":
		if r.object(n, "code", "language", "steps", "memory", "deadline") {
			var c *code.Performer
			c, err = code.New(code.Config{
				Language: r.text(n, "language"), Steps: uint64(r.number(n, "steps", 1, 1<<40)), Memory: r.number(n, "memory", 1<<20, 1<<34),
				Deadline: r.duration(n, "deadline"), Redact: r.secrets.redact,
			})
			if err == nil {
				d.closers = append(d.closers, c)
				p = c
			}
		}
	}
	if err != nil && len(r.found) == before { // what was said already explains it
		r.refused(n, kind, err)
	}
	return p
}

// refused says what a performer has against its configuration, at the key with
// which its error begins.
func (r *reader) refused(n *document.Node, kind string, err error) {
	at := n.Start
	key, _, _ := strings.Cut(err.Error(), ":")
	for step := range strings.SplitSeq(key, ".") {
		v := part(n, step)
		if v == nil {
			break
		}
		n, at = v, v.Start
	}
	r.note(statechart.CodeInvalid, at, kind+": "+err.Error(), "correct it; docs/deployment-file.md says what may stand here")
}

func (r *reader) http(d *Deployment, n *document.Node) (host.Performer, error) {
	if !r.object(n, "http", "method", "url", "headers", "body", "output", "errors", "lookup", "redirects", "maxBytes", "timeout") {
		return nil, nil
	}
	c := http.Config{
		Method: r.text(n, "method"), URL: r.template(n, "url", false), Headers: r.templates(n, "headers"),
		Body: r.template(n, "body", false), Output: r.template(n, "output", true), Errors: r.failures(n), Allow: d.Allow,
		Redirects: r.redirects(n), MaxBytes: r.number(n, "maxBytes", 1, 1<<28), Timeout: r.duration(n, "timeout"),
		Redact: r.secrets.redact,
	}
	if l := part(n, "lookup"); l != nil && r.object(l, "lookup", "method", "url", "headers", "found", "absent", "output") {
		c.Lookup = &http.Lookup{
			Method: r.text(l, "method"), URL: r.template(l, "url", false), Headers: r.templates(l, "headers"),
			Found: r.condition(l, "found"), Absent: r.condition(l, "absent"), Output: r.template(l, "output", true),
		}
	}
	return http.New(c)
}

// redirects is how many are followed, as [http.Config] has it: there nothing
// said is 0, and none is -1.
func (r *reader) redirects(n *document.Node) int {
	if v := part(n, "redirects"); v != nil && v.Kind == document.Int && v.Int == 0 {
		return -1
	}
	return int(r.number(n, "redirects", 0, 20))
}

func (r *reader) process(n *document.Node) (host.Performer, error) {
	if !r.object(n, "process", "argv", "env", "dir", "stdin", "stdout", "timeout", "grace", "errors", "maxOutput") {
		return nil, nil
	}
	c := process.Config{
		Env: r.templates(n, "env"), Dir: r.text(n, "dir"), Stdin: r.text(n, "stdin"), Stdout: r.text(n, "stdout"),
		Timeout: r.duration(n, "timeout"), Grace: r.duration(n, "grace"), Errors: r.failures(n),
		MaxOutput: r.number(n, "maxOutput", 1, 1<<28), Redact: r.secrets.redact,
	}
	if !filepath.IsAbs(c.Dir) {
		c.Dir = filepath.Join(r.dir, c.Dir)
	}
	if v := part(n, "argv"); v != nil && r.is(v, document.List, "argv") {
		for _, item := range v.Items {
			if r.is(item, document.String, "an argument") {
				c.Argv = append(c.Argv, r.templateOf(item, false))
			}
		}
	}
	return process.New(c)
}

// validName reports whether a tool or a model can be called so.
func validName(name string) bool {
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-", c)) {
			return false
		}
	}
	return name != "" && len(name) <= 128
}

// digest is that of a node's normal form: order and spelling do not count.
func digest(n *document.Node) string {
	text, err := statechart.AppendJSON(nil, n.Value())
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
