package deployment

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/performer/plan"
	"github.com/detent-run/detent/statechart"
)

// Limits of a file.
const (
	maxBytes = 1 << 20
	maxNodes = 100_000
	maxNames = 1000 // of tools, models and servers each
)

// Options say where a deployment lives.
type Options struct {
	// Dir is what relative roots of files and directories of processes start
	// from; empty: the working directory.
	Dir string
	// Secrets looks references up when a call needs them; nil: [System], with
	// paths that start in Dir. Its errors must not hold the secret. It may be
	// called concurrently.
	Secrets func(reference string) (string, error)
}

// Deployment is a deployment file that was read. It is not changed afterwards
// and may be used concurrently. Close ends what its tools keep running.
type Deployment struct {
	// Store is a path, from where the file is; empty: not said.
	Store string
	// LogDir is where agent.log and errors.log are written, empty for nowhere,
	// and LogLevel is debug, info, warn or error; empty: not said.
	LogDir, LogLevel string
	// Allow lists host:port that may be called beside public addresses.
	Allow []string
	// Models by name, and Servers, which speak MCP, as the file has them.
	Models  map[string]Model
	Servers map[string]Server
	// Concurrency and EventBytes are the engine's bounds; 0: the default.
	Concurrency int
	EventBytes  int

	name        string // of the file
	places      map[string]document.Position
	digest      string
	tools       map[string]host.Entry
	toolGrants  []string // nil: all
	modelGrants []string
	secrets     *secrets
	closers     []io.Closer
}

var topKeys = []string{"store", "log", "grants", "network", "models", "tools", "mcp", "limits"}

// Read reads a deployment file, YAML or JSON, and lists everything that is
// wrong with it, in the order of the file. The deployment is nil when
// something is.
func Read(name string, data []byte, o Options) (*Deployment, chartfile.Diagnostics) {
	lookup := o.Secrets
	if lookup == nil {
		lookup = systemFrom(o.Dir)
	}
	s := &secrets{lookup: lookup, seen: map[string]bool{}}
	r := &reader{name: name, secrets: s, desk: &desk{}, dir: o.Dir}
	n, problems := document.Parse(data, document.FormatOf(name, data), document.Limits{Bytes: maxBytes, Nodes: maxNodes})
	for _, p := range problems {
		r.note(statechart.Code(p.Code), p.Start, p.Message, p.Hint)
	}
	d := &Deployment{tools: map[string]host.Entry{}, Models: map[string]Model{}, Servers: map[string]Server{}, secrets: s}
	if n != nil && r.object(n, "a deployment", topKeys...) {
		d.name, d.places, d.digest = name, placesOf(n), digest(n)
		r.deployment(d, n)
		r.compile()
	}
	if found := r.sort(); len(found) > 0 {
		d.Close()
		return nil, found
	}
	return d, nil
}

func (r *reader) deployment(d *Deployment, n *document.Node) {
	d.Store = r.store(n)
	if v := part(n, "log"); v != nil && r.object(v, "log", "dir", "level") {
		d.LogDir, d.LogLevel = r.text(v, "dir"), r.choice(v, "level", "debug", "info", "warn", "error")
	}
	if v := part(n, "network"); v != nil && r.object(v, "network", "allow") {
		d.Allow = r.allow(v)
	}
	if v := part(n, "limits"); v != nil && r.object(v, "limits", "concurrency", "eventBytes") {
		d.Concurrency, d.EventBytes = int(r.number(v, "concurrency", 1, 100_000)), int(r.number(v, "eventBytes", 1, 1<<26))
	}
	for _, f := range r.named(n, "models") {
		r.model(d, f)
	}
	for _, f := range r.named(n, "tools") {
		r.tool(d, f)
	}
	for _, f := range r.named(n, "mcp") {
		r.server(d, f)
	}
	if v := part(n, "grants"); v != nil && r.object(v, "grants", "tools", "models") {
		d.toolGrants = r.grants(v, "tools", slices.Sorted(maps.Keys(d.tools)), part(n, "tools"))
		d.modelGrants = r.grants(v, "models", slices.Sorted(maps.Keys(d.Models)), part(n, "models"))
	}
}

// named is an object whose keys are names.
func (r *reader) named(n *document.Node, key string) []document.Field {
	v := part(n, key)
	if v == nil || !r.object(v, key) {
		return nil
	}
	if len(v.Fields) > maxNames {
		r.note(chartfile.CodeTooLarge, v.Start, fmt.Sprintf("there are %d %s; at most %d may be", len(v.Fields), key, maxNames), "part the file")
		return nil
	}
	return v.Fields
}

// Tools lists the names of the tools that are defined and granted, sorted.
func (d *Deployment) Tools() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(d.tools)) {
		if granted(d.toolGrants, name) {
			out = append(out, name)
		}
	}
	return out
}

// Performers returns who makes the calls: the tools that are granted, people,
// and the fixed planner for models where the file neither defines any nor
// grants none. A call of a model that is defined fails with the code
// "unsupported": this version has nobody who makes it, and the planner must not
// pass for it.
func (d *Deployment) Performers() host.Performers {
	repeatable := host.Traits{Mode: host.AtLeastOnce}
	table := host.Table{}
	people(table)
	for _, name := range d.Tools() {
		table["tool:"+name] = d.tools[name]
	}
	switch {
	case len(d.Models) > 0:
		for name := range d.Models {
			if granted(d.modelGrants, name) {
				table["model:"+name] = host.Entry{Performer: uncalled(name), Traits: repeatable}
				table["decide:"+name] = host.Entry{Performer: uncalled(name), Traits: repeatable}
			}
		}
	case d.FixedPlanner():
		table["model:*"] = host.Entry{Performer: plan.New(d.Tools()...), Traits: repeatable}
		table["decide:*"] = host.Entry{Performer: plan.Decider(), Traits: repeatable}
	}
	return table
}

// FixedPlanner reports whether the fixed planner answers the calls of models,
// for want of a model: the file defines none, and does not grant none either.
func (d *Deployment) FixedPlanner() bool { return len(d.Models) == 0 && d.modelGrants == nil }

// Digest is that of the file's content; how it is written does not count.
func (d *Deployment) Digest() string { return d.digest }

// Redact puts ••• where a text holds a secret that was looked up, plain, in hex,
// or encoded as JSON, in base64 or for a URL. Secrets shorter than 6 bytes are
// not looked for inside of longer bytes that were encoded.
func (d *Deployment) Redact(text string) string { return d.secrets.redact(text) }

// Secret looks a reference up. What it gives is redacted from then on.
func (d *Deployment) Secret(reference string) (string, error) { return d.secrets.get(reference) }

// Close ends what the tools keep running.
func (d *Deployment) Close() error {
	var errs []error
	for _, c := range d.closers {
		errs = append(errs, c.Close())
	}
	d.closers = nil
	return errors.Join(errs...)
}
