package statechart_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// chat appends a message for each "say" and, in the same block, keeps the
// last n of them.
func chat(n int) (Definition, *Registry) {
	r := heard()
	r.Value("last", func(s *Scope) (any, error) { return s.Last("messages", n) })
	return Definition{Lists: []string{"messages"}, Root: State{Initial: "a", Context: vars("seen", nil, "problem", nil), States: []State{
		{Name: "a", On: []Transition{
			{Event: "say", Actions: []Action{{Append: "messages", Data: "before"}, {Append: "messages", Data: Expression("payload")}, assign("seen", Expression("last"))}},
			{Event: "error.execution", Actions: []Action{assign("problem", Expression("payload"))}},
		}},
	}}}, r
}

// host keeps rows as a host does: after the step.
type host struct{ rows []any }

func (h *host) read(list string, from, to int64) ([]any, error) {
	if list != "messages" || from < 0 || to > int64(len(h.rows)) {
		return nil, fmt.Errorf("asked for %s %d to %d of %d", list, from, to, len(h.rows))
	}
	return h.rows[from:to], nil
}

func (h *host) keep(effects []statechart.Effect) {
	for _, e := range effects {
		if e.Type == statechart.EffectAppend {
			h.rows = append(h.rows, e.Data)
		}
	}
}

// The last rows of a list are those of this macrostep, then the host's; the
// state holds none of them.
func TestLastRowsOfAList(t *testing.T) {
	d, r := chat(3)
	c := compile(t, d, r)
	h := &host{}
	in := c.Instance(nil)
	in.SetRows(h.read)
	var want []string
	for i := range 6 {
		in.Send(Event{Name: "say", Data: fmt.Sprint("m", i)})
		h.keep(in.Effects())
		want = append(want, "before", fmt.Sprint("m", i))
		if got := fmt.Sprint(in.Data()[""]["seen"]); got != fmt.Sprint(want[max(0, len(want)-3):]) {
			t.Errorf("after %d messages the last three are %s", i+1, got)
		}
	}
	if in.Len("messages") != 12 {
		t.Errorf("the list is %d long", in.Len("messages"))
	}
	// The pure face, from a document.
	text, err := in.Snapshot().Encode()
	if err != nil || strings.Contains(string(text), "m1") {
		t.Fatalf("the document holds rows (%v): %s", err, text)
	}
	s, err := c.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	next, err := statechart.Step(c, s.WithRows(h.read), Delivery{Event: Event{Name: "say", Data: "m6"}}, 0)
	if err != nil || fmt.Sprint(next.Snapshot.Data()[""]["seen"]) != "[m5 before m6]" {
		t.Errorf("the pure step sees %v (%v)", next.Snapshot.Data(), err)
	}
}

// Rows that are not at hand, too many of them, and a host that breaks its
// word are errors of the action, not panics.
func TestLastRowsThatCannotBeHad(t *testing.T) {
	bad := errors.New("the disk is gone")
	for _, x := range []struct {
		name string
		n    int
		rows statechart.Rows
		want string
	}{
		{"no host", 3, nil, `the rows of the list "messages" are not at hand`},
		{"too many", 101, nil, "0 to 100 rows can be read at once, not 101"},
		{"below zero", -1, nil, "0 to 100 rows can be read at once, not -1"},
		{"a failing host", 3, func(string, int64, int64) ([]any, error) { return nil, bad }, "the disk is gone"},
		{"a forgetful host", 3, func(string, int64, int64) ([]any, error) { return nil, nil }, "0 rows came instead of 1"},
	} {
		d, r := chat(x.n)
		in := compile(t, d, r).Instance(nil)
		in.SetRows(x.rows)
		in.Send(Event{Name: "say", Data: "a"})
		in.Send(Event{Name: "say", Data: "b"})
		got, _ := in.Data()[""]["problem"].(map[string]any)
		if text, _ := got["message"].(string); !strings.Contains(text, x.want) {
			t.Errorf("%s: %v", x.name, got)
		}
	}
}

// The user of a session is there for guards, and in its document.
func TestTheUserOfASession(t *testing.T) {
	r := spoken()
	r.Value("who", func(s *Scope) (any, error) { return s.User() + " of " + s.Chart(), nil })
	c := compile(t, Definition{ID: "c", Root: State{Initial: "a", Context: vars("user", nil), States: []State{
		{Name: "a", On: []Transition{{Event: "ask", Actions: []Action{assign("user", Expression("who"))}}}},
	}}}, r)
	next, err := c.Begin(statechart.Start{Session: "s", User: "mira"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := next.Snapshot.Encode()
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	if s.User() != "mira" {
		t.Errorf("the document %s gives back the user %q", text, s.User())
	}
	next, err = statechart.Step(c, s, Delivery{Event: Event{Name: "ask"}}, 0)
	if got := next.Snapshot.Data()[""]["user"]; err != nil || got != "mira of c" {
		t.Errorf("the expression sees %v (%v)", got, err)
	}
}
