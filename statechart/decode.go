package statechart

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Decode reads a snapshot of this chart. It is strict: an unknown key, a
// state or variable that the chart does not have, an illegal configuration
// or another digest is an error, and nothing half-read is returned.
func (c *Chart) Decode(data []byte) (s Snapshot, err error) {
	v, err := decodeStrict(data)
	if err != nil {
		return Snapshot{}, &Error{Code: CodeSnapshot, Message: "the snapshot is no JSON document: " + err.Error(), Cause: err}
	}
	d := decoder{c: c, document: data}
	d.root(d.object("", v))
	if d.err != nil {
		return Snapshot{}, d.err
	}
	return Snapshot{&d.s}, nil
}

// maxCount leaves room for every step to come.
const maxCount = 1 << 62

// decoder reads a document; after the first error it does nothing more.
type decoder struct {
	c        *Chart
	s        snapshot
	err      *Error
	counters map[uint64]bool // of timers and calls, each once
	document []byte
}

func (d *decoder) fail(code Code, path, message string) {
	if d.err == nil {
		d.err = &Error{Code: code, Path: path, Message: message}
	}
}

func (d *decoder) bad(path, message string) { d.fail(CodeSnapshot, path, message) }

func (d *decoder) object(path string, v any) map[string]any {
	m, ok := v.(map[string]any)
	if !ok && d.err == nil {
		d.bad(path, "this must be an object")
	}
	return m
}

func (d *decoder) list(path string, v any) []any {
	if v == nil {
		return nil
	}
	l, ok := v.([]any)
	if !ok {
		d.bad(path, "this must be a list")
	}
	return l
}

func (d *decoder) text(path string, v any) string {
	t, ok := v.(string)
	if !ok {
		d.bad(path, "this must be text")
	}
	return t
}

// value checks data of the chart's.
func (d *decoder) value(path string, v any) any {
	if _, err := normalize(v); err != nil {
		d.bad(path, "this cannot be a value: "+err.Error())
	}
	return v
}

func (d *decoder) integer(path string, v any) int64 {
	n, ok := v.(int64)
	if !ok || n < 0 {
		d.bad(path, "this must be an integer, zero or more")
	}
	return n
}

// keys refuses what is not in the list.
func (d *decoder) keys(path string, m map[string]any, allowed ...string) {
	for _, k := range sortedKeys(m) {
		if !slices.Contains(allowed, k) {
			d.bad(path, "the key "+quote(k)+" is not known")
		}
	}
}

func (d *decoder) state(path string, v any) int32 {
	name := d.text(path, v)
	s, ok := d.c.paths[name]
	if !ok || d.c.nodes[s].kind == History {
		d.bad(path, "the chart has no state "+quote(name))
		return 0
	}
	return s
}

func (d *decoder) root(m map[string]any) {
	if d.err != nil {
		return
	}
	d.keys("", m, "format", "semantics", "chart", "session", "user", "parent", "heard", "bound", "sequence", "now", "status", "counters", "configuration", "reason", "output",
		"ended", "data", "history", "parked", "lists", "timers", "live", "deferred", "context")
	if f := d.integer("format", m["format"]); d.err == nil && f != SnapshotFormat {
		d.bad("format", fmt.Sprintf("format %d is not known; this program reads %d", f, SnapshotFormat))
	}
	if n := d.integer("semantics", m["semantics"]); d.err == nil && n != Semantics {
		d.fail(CodeSemantics, "semantics", fmt.Sprintf("semantics %d is not known", n))
	}
	chart := d.object("chart", m["chart"])
	d.keys("chart", chart, "id", "version", "digest")
	if id := d.text("chart.id", chart["id"]); d.err == nil && id != d.c.definition.ID {
		d.fail(CodeChartMismatch, "chart.id", "the snapshot belongs to the chart "+quote(id))
	}
	if v := d.text("chart.version", chart["version"]); d.err == nil && v != d.c.definition.Version {
		d.fail(CodeChartMismatch, "chart.version", "the snapshot belongs to version "+quote(v)+" of the chart")
	}
	if d.err == nil && chart["digest"] != d.c.digest {
		d.fail(CodeChartMismatch, "chart.digest", "the snapshot belongs to another version of the chart")
	}
	if d.err != nil {
		return
	}
	s := &d.s
	s.chart = d.c
	s.session = d.text("session", m["session"])
	if user, ok := m["user"]; ok {
		s.user = d.text("user", user)
	}
	d.peers(m)
	s.sequence = uint64(d.integer("sequence", m["sequence"]))
	if s.sequence == 0 || s.sequence > maxCount {
		d.bad("sequence", "a session that was started is at 1 or more, and below 2^62")
	}
	s.now = d.integer("now", m["now"])
	d.status(m)
	counters := d.object("counters", m["counters"])
	d.keys("counters", counters, "entries", "ids")
	s.counter, s.ids = uint64(d.integer("counters.entries", counters["entries"])), uint64(d.integer("counters.ids", counters["ids"]))
	if s.counter > maxCount || s.ids > maxCount {
		d.bad("counters", "a counter is below 2^62")
	}
	d.configuration(m["configuration"])
	d.data(m)
	d.pending(m)
	d.context(m)
}

func (d *decoder) status(m map[string]any) {
	s := &d.s
	s.status = Status(d.text("status", m["status"]))
	if !slices.Contains([]Status{Active, Completed, FailedStatus, Cancelled, Parked}, s.status) {
		d.bad("status", quote(string(s.status))+" is no status")
	}
	s.output = d.value("output", m["output"])
	if m["ended"] != nil && m["ended"] != true {
		d.bad("ended", "this is true or left out")
	}
	s.ended = m["ended"] == true
	switch {
	case s.ended && (s.status == Active || s.status == Parked):
		d.bad("ended", "a session that is "+string(s.status)+" has not ended")
	case !s.ended && (s.status == Completed || s.status == Cancelled):
		d.bad("status", "a session that is "+string(s.status)+" has ended")
	}
	if m["reason"] == nil {
		return
	}
	if s.status == Active || s.status == Completed || s.status == Cancelled {
		d.bad("reason", "a session that is "+string(s.status)+" has none")
	}
	r := d.object("reason", m["reason"])
	d.keys("reason", r, "code", "message", "place", "cycle")
	s.reason = &Reason{Code: Code(d.text("reason.code", r["code"])), Message: d.text("reason.message", r["message"])}
	if r["place"] != nil {
		s.reason.Place = d.text("reason.place", r["place"])
	}
	for _, v := range d.list("reason.cycle", r["cycle"]) {
		s.reason.Cycle = append(s.reason.Cycle, d.text("reason.cycle", v))
	}
}

// configuration reads the active leaves and checks that they are a legal
// configuration (R2).
func (d *decoder) configuration(v any) {
	d.s.active = newSet(len(d.c.nodes))
	leaves := d.list("configuration", v)
	if leaves == nil {
		d.bad("configuration", "this must be a list")
	}
	for _, l := range leaves {
		for s := d.state("configuration", l); s >= 0 && d.err == nil; s = d.c.nodes[s].parent {
			d.s.active.add(s)
		}
	}
	if d.err != nil || len(leaves) == 0 && d.s.status == FailedStatus {
		return
	}
	for _, k := range d.c.nodes[0].children {
		if d.s.status == Active && d.c.nodes[k].kind == Final && d.c.nodes[0].kind == Compound && d.s.active.has(k) {
			d.bad("configuration", "a session in a final state of the root has ended")
		}
	}
	if !d.c.legal(d.s.active) || !slices.Equal(texted(leafPaths(d.c, d.s.active)), leaves) {
		d.bad("configuration", "this is no legal configuration of the chart, its leaves in document order")
	}
}

// legal reports whether each active compound state has one active child and
// each active parallel state all of them (R2).
func (c *Chart) legal(active set) bool { return c.legalBelow(0, active) }

// legalBelow is legal for a state and what lies below it.
func (c *Chart) legalBelow(top int32, active set) bool {
	if !active.has(top) {
		return false
	}
	for s := active.next(top); s >= 0 && s <= c.nodes[top].last; s = active.next(s + 1) {
		n := &c.nodes[s]
		if s != top && !active.has(n.parent) || n.kind == History {
			return false
		}
		count := 0
		for _, k := range n.children {
			if active.has(k) {
				count++
			}
		}
		if n.kind == Compound && count != 1 || n.kind == Parallel && count != len(n.children) {
			return false
		}
	}
	return true
}

func (d *decoder) data(m map[string]any) {
	c, s := d.c, &d.s
	s.slots, s.lists = make([]any, len(c.slots)), make([]int64, len(c.lists))
	if n := len(c.histories); n > 0 {
		s.history, s.parked = make([][]int32, n), make([]parking, n)
	}
	data := map[string]any{}
	if m["data"] != nil {
		data = d.object("data", m["data"])
	}
	scopes := s.scopes()
	for i := range c.nodes {
		n := &c.nodes[i]
		if len(n.variables) == 0 || d.err != nil || !scopes.has(n.index) {
			continue
		}
		for k, v := range d.scope("data."+n.path, data[n.path], n) {
			s.slots[n.variables[k].slot] = v
		}
		delete(data, n.path)
	}
	for _, path := range sortedKeys(data) {
		d.bad("data."+path, "there is no scope of this state now")
	}
	d.histories(m)
	lists := map[string]any{}
	if m["lists"] != nil {
		lists = d.object("lists", m["lists"])
	}
	d.keys("lists", lists, c.lists...)
	for i, name := range c.lists {
		s.lists[i] = d.integer("lists."+name, lists[name])
	}
}

// scope reads the variables of one state, all of them and no others.
func (d *decoder) scope(path string, v any, n *node) []any {
	m := d.object(path, v)
	values := make([]any, len(n.variables))
	names := make([]string, len(n.variables))
	for i, v := range n.variables {
		names[i] = v.name
		x, ok := m[v.name]
		if !ok {
			d.bad(path, "the variable "+quote(v.name)+" is missing")
		}
		values[i] = d.value(path+"."+v.name, x)
	}
	d.keys(path, m, names...)
	return values
}

func (d *decoder) histories(m map[string]any) {
	c, s := d.c, &d.s
	read := func(key string, into func(h *node, path string, v any)) {
		if m[key] == nil || d.err != nil {
			return
		}
		all := d.object(key, m[key])
		for _, path := range sortedKeys(all) {
			h, ok := c.paths[path]
			if !ok || c.nodes[h].kind != History {
				d.bad(key, "the chart has no history "+quote(path))
				return
			}
			into(&c.nodes[h], key+"."+path, all[path])
		}
	}
	read("history", func(h *node, path string, v any) { s.history[h.ordinal] = d.record(h, path, v) })
	read("parked", func(h *node, path string, v any) {
		if s.history[h.ordinal] == nil {
			d.bad(path, "a history that has recorded nothing keeps nothing")
		}
		s.parked[h.ordinal] = d.parking(h, path, d.object(path, v))
	})
}

// record reads what a history recorded: children of its parent, or leaves
// below it, that were active together.
func (d *decoder) record(h *node, path string, v any) []int32 {
	c := d.c
	recorded, active := []int32{}, newSet(len(c.nodes))
	for _, l := range d.list(path, v) {
		x := d.state(path, l)
		if d.err != nil {
			return nil
		}
		if !c.isDescendant(x, h.parent) || h.deep && !c.leafMask.has(x) || !h.deep && c.nodes[x].parent != h.parent ||
			len(recorded) > 0 && recorded[len(recorded)-1] >= x {
			d.bad(path, "a shallow history holds children of its parent, a deep one leaves below it, in document order")
			return nil
		}
		recorded = append(recorded, x)
		for up := x; up >= h.parent; up = c.nodes[up].parent {
			active.add(up)
		}
	}
	count := len(c.nodes[h.parent].children)
	if c.nodes[h.parent].kind == Compound {
		count = 1
	}
	if h.deep && !c.legalBelow(h.parent, active) || !h.deep && len(recorded) != count {
		d.bad(path, "these states cannot have been active together")
	}
	return recorded
}

func (d *decoder) parking(h *node, path string, m map[string]any) (p parking) {
	d.keys(path, m, "scopes", "timers")
	if m["scopes"] != nil {
		scopes := d.object(path+".scopes", m["scopes"])
		for i := len(d.c.nodes) - 1; i >= 0; i-- { // the order of leaving
			n := &d.c.nodes[i]
			within := n.index == h.parent || d.c.isDescendant(n.index, h.parent)
			if v, ok := scopes[n.path]; ok && within && len(n.variables) > 0 {
				p.scopes = append(p.scopes, parkedScope{n.index, d.scope(path+"."+n.path, v, n)})
				delete(scopes, n.path)
			}
		}
		for _, unknown := range sortedKeys(scopes) {
			d.bad(path, "the history keeps no data of "+quote(unknown))
		}
	}
	for _, v := range d.list(path+".timers", m["timers"]) {
		t := d.object(path+".timers", v)
		d.keys(path+".timers", t, "name", "state", "remaining")
		s := d.state(path+".timers", t["state"])
		i := slices.IndexFunc(d.c.nodes[s].timed, func(x timed) bool { return x.name == t["name"] })
		if i < 0 || !d.c.nodes[s].timed[i].keep || s != h.parent && !d.c.isDescendant(s, h.parent) {
			d.bad(path+".timers", "the history keeps no such timer")
			return p
		}
		p.timers = append(p.timers, parkedTimer{s, int32(i), d.integer(path+".remaining", t["remaining"])})
	}
	return p
}

func (d *decoder) source(path string, v any) Source {
	m := d.object(path, v)
	d.keys(path, m, "kind", "id", "entry")
	if d.err != nil {
		return Source{}
	}
	return Source{Kind: d.text(path+".kind", m["kind"]), ID: d.text(path+".id", m["id"]), Entry: uint64(d.integer(path+".entry", m["entry"]))}
}

// context reads a typed context by encoding/json.
func (d *decoder) context(m map[string]any) {
	t := d.c.context
	_, given := m["context"]
	switch {
	case d.err != nil:
	case t == nil && given:
		d.bad("context", "the chart has no typed context")
	case t != nil && !given:
		d.bad("context", "the typed context is missing")
	case t != nil:
		// Its own text, since a number in it need not be one of a chart.
		var raw struct{ Context json.RawMessage }
		err := json.Unmarshal(d.document, &raw)
		if err == nil {
			d.s.ctx = t.make()
			reader := json.NewDecoder(bytes.NewReader(raw.Context))
			reader.DisallowUnknownFields()
			err = reader.Decode(t.box(d.s.ctx))
		}
		if err != nil {
			d.bad("context", "the context does not fit its type: "+err.Error())
		}
	}
}
