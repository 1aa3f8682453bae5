package statechart

import (
	"encoding/json"
	"slices"
	"strings"
)

// SnapshotFormat is the number of the encoding of snapshots. A change that
// old programs could not read is a new number.
const SnapshotFormat = 1

// Encode returns the snapshot as one self-contained document of canonical
// JSON: equal states have equal bytes. Data that is not JSON-like cannot be
// encoded. A typed context is encoded by encoding/json and must come back from
// that as it was: what is not exported is lost, and in a field of type any an
// integer comes back as a float64 (declare such data as a variable instead).
func (s Snapshot) Encode() ([]byte, error) {
	if s.s == nil {
		return nil, &Error{Code: CodeSnapshot, Message: "the snapshot is empty"}
	}
	w := documentWriter{b: make([]byte, 0, 512), values: jsonWriter{limit: maxDocumentSize}} // most are smaller
	if err := s.s.write(&w); err != nil {
		return nil, err
	}
	if w.err != nil {
		return nil, &Error{Code: CodeSnapshot, Message: "the state holds what JSON cannot: " + w.err.Error(), Cause: w.err}
	}
	return w.b, nil
}

// write writes the members of the document, in the order of their keys.
func (s *snapshot) write(w *documentWriter) error {
	c := s.chart
	w.b = append(w.b, '{')
	if bound := s.boundPaths(); len(bound) > 0 {
		w.member("bound", bound)
	}
	w.open("chart")
	w.text("digest", c.digest)
	w.text("id", c.definition.ID)
	w.text("version", c.definition.Version)
	w.close()
	w.texts("configuration", leafPaths(c, s.active))
	if err := s.writeContext(w); err != nil {
		return err
	}
	w.open("counters")
	w.number("entries", int64(s.counter))
	w.number("ids", int64(s.ids))
	w.close()
	s.writeData(w)
	s.writeDeferred(w)
	if s.ended {
		w.member("ended", true)
	}
	w.number("format", SnapshotFormat)
	if len(s.heard) > 0 {
		w.texts("heard", s.heard)
	}
	s.writeHistory(w)
	if len(s.lists) > 0 {
		lists := map[string]any{}
		for i, n := range s.lists {
			lists[c.lists[i]] = n
		}
		w.member("lists", lists)
	}
	s.writeLive(w)
	w.number("now", s.now)
	if s.output != nil {
		w.member("output", s.output)
	}
	if s.parent != "" {
		w.text("parent", s.parent)
	}
	s.writeParked(w)
	if s.reason != nil {
		w.member("reason", encodeReason(s.reason))
	}
	w.number("semantics", Semantics)
	w.number("sequence", int64(s.sequence))
	w.text("session", s.session)
	w.text("status", string(s.status))
	s.writeTimers(w)
	if s.user != "" {
		w.text("user", s.user)
	}
	w.close()
	return nil
}

// writeContext writes the typed context.
func (s *snapshot) writeContext(w *documentWriter) error {
	if s.ctx == nil {
		return nil
	}
	raw, err := json.Marshal(s.chart.context.box(s.ctx))
	if err == nil {
		_, err = decodeStrict(raw) // what Decode would refuse must not be written
	}
	if err != nil {
		return &Error{Code: CodeSnapshot, Path: "context", Message: "the context cannot be written as JSON: " + err.Error(), Cause: err}
	}
	w.member("context", rawJSON(raw))
	return nil
}

const documentDepth = 8

// maxDocumentSize bounds how many values one snapshot is made of.
const maxDocumentSize = 10_000_000

// rawJSON is text that is JSON already.
type rawJSON []byte

func texted(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func encodeReason(r *Reason) map[string]any {
	out := map[string]any{"code": string(r.Code), "message": r.Message}
	if r.Place != "" {
		out["place"] = r.Place
	}
	if len(r.Cycle) > 0 {
		out["cycle"] = texted(r.Cycle)
	}
	return out
}

// writeData writes the variables of the scopes that exist, by path and name.
func (s *snapshot) writeData(w *documentWriter) {
	var room [8]*node
	nodes, active := room[:0], s.scopes()
	for i := active.next(0); i >= 0; i = active.next(i + 1) {
		if n := &s.chart.nodes[i]; len(n.variables) > 0 {
			nodes = append(nodes, n)
		}
	}
	if len(nodes) == 0 {
		return
	}
	slices.SortFunc(nodes, func(a, b *node) int { return strings.Compare(a.path, b.path) })
	w.open("data")
	for _, n := range nodes {
		var room [16]*variable
		variables := room[:0]
		for i := range n.variables {
			variables = append(variables, &n.variables[i])
		}
		slices.SortFunc(variables, func(a, b *variable) int { return strings.Compare(a.name, b.name) })
		w.open(n.path)
		for _, v := range variables {
			w.member(v.name, s.slots[v.slot])
		}
		w.close()
	}
	w.close()
}

func (s *snapshot) writeHistory(w *documentWriter) {
	history := map[string]any{}
	for i, recorded := range s.history {
		if recorded != nil {
			history[s.chart.nodes[s.chart.histories[i]].path] = s.chart.pathList(recorded)
		}
	}
	if len(history) > 0 {
		w.member("history", history)
	}
}

func (s *snapshot) writeParked(w *documentWriter) {
	parked := map[string]any{}
	for i, p := range s.parked {
		if len(p.scopes)+len(p.timers) > 0 {
			parked[s.chart.nodes[s.chart.histories[i]].path] = s.chart.encodeParking(p)
		}
	}
	if len(parked) > 0 {
		w.member("parked", parked)
	}
}

func (c *Chart) pathList(states []int32) []any {
	out := make([]any, len(states))
	for i, s := range states {
		out[i] = c.nodes[s].path
	}
	return out
}

func (c *Chart) encodeParking(p parking) map[string]any {
	out := map[string]any{}
	scopes := map[string]any{}
	for _, s := range p.scopes {
		values := map[string]any{}
		for i, v := range c.nodes[s.state].variables {
			values[v.name] = s.values[i]
		}
		scopes[c.nodes[s.state].path] = values
	}
	if len(scopes) > 0 {
		out["scopes"] = scopes
	}
	timers := []any{}
	for _, t := range p.timers {
		timers = append(timers, map[string]any{"name": c.nodes[t.state].timed[t.index].name, "state": c.nodes[t.state].path, "remaining": t.remaining})
	}
	if len(timers) > 0 {
		out["timers"] = timers
	}
	return out
}

func (s *snapshot) writeTimers(w *documentWriter) {
	list := make([]any, len(s.timers))
	for i := range s.timers {
		list[i] = encodeTimer(&s.timers[i])
	}
	w.list("timers", list)
}

func (s *snapshot) writeLive(w *documentWriter) {
	list := make([]any, len(s.live))
	for i, l := range s.live {
		call := map[string]any{"source": encodeSource(l.Source), "key": l.Key, "src": l.Src, "state": l.State}
		if s.chart.scxml {
			call["index"] = int64(l.index)
		}
		list[i] = call
	}
	w.list("live", list)
}

func (s *snapshot) writeDeferred(w *documentWriter) {
	list := make([]any, len(s.deferred))
	for i, e := range s.deferred {
		list[i] = encodeDelivery(e)
	}
	w.list("deferred", list)
}

func encodeTimer(t *Timer) map[string]any {
	out := map[string]any{"name": t.Name, "kind": t.Kind, "due": t.Due, "source": encodeSource(t.Source)}
	if t.state >= 0 {
		out["state"] = t.State
	}
	if t.To != "" {
		out["to"] = t.To
	}
	if t.Data != nil {
		out["data"] = t.Data
	}
	if t.Period != 0 {
		out["period"] = t.Period
	}
	return out
}

func encodeSource(s Source) map[string]any {
	return map[string]any{"kind": s.Kind, "id": s.ID, "entry": int64(s.Entry)}
}

func encodeDelivery(e Delivery) map[string]any {
	out := map[string]any{"name": e.Name}
	if e.Data != nil {
		out["data"] = e.Data
	}
	if v := e.Envelope; v != nil {
		envelope := map[string]any{"id": v.ID, "acceptedAt": v.AcceptedAt, "from": v.From, "effect": v.Effect}
		for _, f := range v.sender() {
			if *f.text != "" {
				envelope[f.key] = *f.text
			}
		}
		out["envelope"] = envelope
	}
	return out
}
