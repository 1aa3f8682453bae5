package transcript

import (
	"fmt"

	"github.com/detent-run/detent/statechart"
)

// restore kills the session and brings it back: it is written as a document,
// and what goes on knows nothing but that document.
func (p *player) restore(s *Step) ([]string, error) {
	in, err := p.instance(s)
	if err != nil {
		return nil, err
	}
	if p.options.InMemory {
		return nil, problem("a session in memory cannot be restored", "leave Options.InMemory unset")
	}
	chart := in.Chart()
	back, err := reread(chart, in.Snapshot())
	if err != nil {
		return nil, err
	}
	*in = statechart.Instance{}
	if err := chart.Resume(in, back.WithRows(p.world.Rows(s.Session))); err != nil {
		return nil, err
	}
	p.shadows[s.Session].snapshot = back
	return p.holdings(back)
}

func (p *player) show(s *Step) ([]string, error) {
	in, err := p.instance(s)
	if err != nil {
		return nil, err
	}
	return p.holdings(in.Snapshot())
}

// holdings tells all that a session holds, from its document: what is not in
// there is not told.
func (p *player) holdings(s statechart.Snapshot) ([]string, error) {
	text, err := encode(s)
	if err != nil {
		return nil, err
	}
	v, err := decodeWritten(text)
	if err != nil {
		return nil, err
	}
	doc := reader{v}
	lines := []string{}
	tell := func(format string, args ...any) { lines = append(lines, "  "+fmt.Sprintf(format, args...)) }
	if leafs := doc.at("configuration").texts(); len(leafs) > 0 {
		tell("in %s", leaves(leafs))
	}
	if s.Status() != statechart.Active {
		tell("%s%s", status(s), payload(s.Output()))
	}
	for _, e := range entries(s) {
		tell("data %s = %s", e.path(), e.value)
	}
	p.past(doc, tell)
	p.pending(doc, tell)
	return lines, nil
}

// past tells what histories keep, and how long the lists are.
func (p *player) past(doc reader, tell func(string, ...any)) {
	for _, h := range doc.at("history").keys() {
		tell("history %s = %s", plain(h), leaves(doc.at("history").at(h).texts()))
	}
	for _, h := range doc.at("parked").keys() {
		parked := doc.at("parked").at(h)
		for _, scope := range parked.at("scopes").keys() {
			for _, name := range parked.at("scopes").at(scope).keys() {
				tell("parked %s: %s = %s", plain(h), entry{scope: scope, name: name}.path(), formatJSON(parked.at("scopes").at(scope).at(name).value))
			}
		}
		for _, t := range parked.at("timers").list() {
			tell("parked %s: timer %s with %s left", plain(h), plain(t.at("name").text()), Duration(t.at("remaining").number()))
		}
	}
	for _, l := range doc.at("lists").keys() {
		tell("list %s: %d rows", plain(l), doc.at("lists").at(l).number())
	}
}

// pending tells timers, open calls and deferred events.
func (p *player) pending(doc reader, tell func(string, ...any)) {
	for _, t := range doc.at("timers").list() {
		tell("timer %s in %s%s", plain(t.at("name").text()), Duration(t.at("due").number()-p.world.Now()), payload(t.at("data").value))
	}
	for _, c := range doc.at("live").list() {
		tell("call %s %s", plain(c.at("source").at("id").text()), plain(c.at("src").text()))
	}
	for _, e := range doc.at("deferred").list() {
		tell("deferred %s%s", plain(e.at("name").text()), payload(e.at("data").value))
	}
}

// reader walks through JSON-like data; what is not there is empty.
type reader struct{ value any }

func (r reader) at(key string) reader {
	m, _ := r.value.(map[string]any)
	return reader{m[key]}
}

func (r reader) keys() []string {
	m, _ := r.value.(map[string]any)
	return sortedKeys(m)
}

func (r reader) list() []reader {
	list, _ := r.value.([]any)
	out := make([]reader, len(list))
	for i, v := range list {
		out[i] = reader{v}
	}
	return out
}

func (r reader) texts() []string {
	var out []string
	for _, e := range r.list() {
		out = append(out, e.text())
	}
	return out
}

func (r reader) text() string {
	s, _ := r.value.(string)
	return s
}

func (r reader) number() int64 {
	n, _ := r.value.(int64)
	return n
}
