package statechart

import (
	"encoding/json"
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
	m, c := s.s, s.s.chart
	doc := map[string]any{
		"format": int64(SnapshotFormat), "semantics": int64(Semantics),
		"chart":         map[string]any{"id": c.definition.ID, "version": c.definition.Version, "digest": c.digest},
		"session":       m.session,
		"sequence":      int64(m.sequence),
		"now":           m.now,
		"status":        string(m.status),
		"counters":      map[string]any{"entries": int64(m.counter), "ids": int64(m.ids)},
		"configuration": texted(s.Configuration()),
	}
	if m.user != "" {
		doc["user"] = m.user
	}
	if m.parent != "" {
		doc["parent"] = m.parent
	}
	if len(m.heard) > 0 {
		doc["heard"] = texted(m.heard)
	}
	if bound := m.boundPaths(); len(bound) > 0 {
		doc["bound"] = bound
	}
	if m.reason != nil {
		doc["reason"] = encodeReason(m.reason)
	}
	if m.output != nil {
		doc["output"] = m.output
	}
	if m.ended {
		doc["ended"] = true
	}
	m.encodeData(doc)
	m.encodePending(doc)
	if m.ctx != nil {
		raw, err := json.Marshal(c.context.box(m.ctx))
		if err == nil {
			_, err = decodeStrict(raw) // what Decode would refuse must not be written
		}
		if err != nil {
			return nil, &Error{Code: CodeSnapshot, Path: "context", Message: "the context cannot be written as JSON: " + err.Error(), Cause: err}
		}
		doc["context"] = rawJSON(raw)
	}
	// The document's own levels do not count against the depth of values.
	w := jsonWriter{limit: maxDocumentSize}
	b, err := w.value(make([]byte, 0, 512), doc, -documentDepth) // most are smaller
	if err != nil {
		return nil, &Error{Code: CodeSnapshot, Message: "the state holds what JSON cannot: " + err.Error(), Cause: err}
	}
	return b, nil
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

// encodeData writes scopes, history, parked scopes and lists.
func (s *snapshot) encodeData(doc map[string]any) {
	c := s.chart
	data := map[string]any{}
	scopes := dataOf(c, s.scopes(), s.slots)
	for _, path := range sortedKeys(scopes) {
		data[path] = scopes[path]
	}
	if len(data) > 0 {
		doc["data"] = data
	}
	history, parked := map[string]any{}, map[string]any{}
	for i, h := range c.histories {
		if len(s.history) == 0 {
			break
		}
		if s.history[i] != nil {
			history[c.nodes[h].path] = c.pathList(s.history[i])
		}
		if p := s.parked[i]; len(p.scopes)+len(p.timers) > 0 {
			parked[c.nodes[h].path] = c.encodeParking(p)
		}
	}
	if len(history) > 0 {
		doc["history"] = history
	}
	if len(parked) > 0 {
		doc["parked"] = parked
	}
	if len(s.lists) > 0 {
		lists := map[string]any{}
		for i, n := range s.lists {
			lists[c.lists[i]] = n
		}
		doc["lists"] = lists
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

// encodePending writes timers, calls and deferred events.
func (s *snapshot) encodePending(doc map[string]any) {
	timers, live, deferred := []any{}, []any{}, []any{}
	for _, t := range s.timers {
		timers = append(timers, encodeTimer(&t))
	}
	for _, l := range s.live {
		call := map[string]any{"source": encodeSource(l.Source), "key": l.Key, "src": l.Src, "state": l.State}
		if s.chart.scxml {
			call["index"] = int64(l.index)
		}
		live = append(live, call)
	}
	for _, e := range s.deferred {
		deferred = append(deferred, encodeDelivery(e))
	}
	for _, part := range []struct {
		name string
		list []any
	}{{"timers", timers}, {"live", live}, {"deferred", deferred}} {
		if len(part.list) > 0 {
			doc[part.name] = part.list
		}
	}
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
