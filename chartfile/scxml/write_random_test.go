package scxml_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/internal/chartgen"
	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

var (
	chartsFlag = flag.Int("charts", 150, "how many random charts TestWriteRandomCharts writes, reads and plays")
	seedFlag   = flag.Uint64("seed", 1, "the seed of the random charts")
)

// Random charts, without what SCXML cannot say, are written and read: what was
// read is what was meant, and every event does the same in both.
func TestWriteRandomCharts(t *testing.T) {
	written, refused, steps := 0, map[string]int{}, 0
	for number := uint64(0); written < *chartsFlag; number++ {
		c := chartgen.ForFile(chartgen.New(*seedFlag, number))
		c.Definition = chartgen.Rendered(c)
		sayable(&c.Definition)
		chart, found := compiled(c.Definition)
		if chart == nil {
			refused[found[0].Message]++
			continue
		}
		text, err := scxml.Write(c.Definition, scxml.WriteOptions{})
		if err != nil {
			all, _ := errors.AsType[statechart.Errors](err)
			for _, e := range all {
				if e.Code != chartfile.CodeUnwritable || e.Path == "" || e.Hint == "" {
					t.Fatalf("chart %d: %#v", number, e)
				}
			}
			refused[strings.Join(strings.Fields(all[0].Message)[:3], " ")]++
			continue
		}
		steps += sameAsDocument(t, number, c, chart, text)
		written++
		if t.Failed() {
			return
		}
	}
	t.Logf("seed %d: %d charts written and read, %d macrosteps alike; not written:", *seedFlag, written, steps)
	for _, why := range slices.Sorted(maps.Keys(refused)) {
		t.Logf("%6d  %s", refused[why], why)
	}
}

func compiled(def statechart.Definition) (*statechart.Chart, statechart.Errors) {
	chart, err := statechart.Compile(def, chartfile.Behaviour())
	all, _ := errors.AsType[statechart.Errors](err)
	return chart, all
}

// sameAsDocument reads the text and plays the case on both charts. It returns
// how many macrosteps were compared.
func sameAsDocument(t *testing.T, number uint64, c chartgen.Case, chart *statechart.Chart, text []byte) int {
	t.Helper()
	doc, fromText, err := scxml.Load("c.scxml", text, scxml.Options{})
	if err != nil {
		t.Fatalf("chart %d: %v\n%s\nof\n%s", number, err, text, chartgen.JSON(c.Definition))
	}
	meant := scxml.Means(c.Definition)
	if got, want := canonical(doc.Definition), canonical(meant.Definition); got != want {
		t.Fatalf("chart %d\n%s\nis read as\n%s\nnot as\n%s\nfirst different:\n%s", number, text, got, want, firstDifference(got, want))
	}
	sameAgain(t, number, doc)
	a, b := play(t, chart, c, scxml.Meant{}), play(t, fromText, c, meant)
	names := a.variables()
	want, got := a.told(names), b.told(names)
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("chart %d, step %d:\n%s\nin the document\n%s\nbefore:\n%s\nof\n%s\n%s", number, i, want[i], strings.Join(got[i:min(i+1, len(got))], ""),
				strings.Join(want[:i], "\n"), text, chartgen.JSON(c.Definition))
		}
	}
	return len(want)
}

// canonical is a definition as text, without what only people read.
func canonical(def statechart.Definition) string {
	def.ID, def.Description = "", ""
	var strip func(s *statechart.State)
	strip = func(s *statechart.State) {
		s.Description = ""
		for _, list := range [][]statechart.Transition{s.On, s.Always} {
			for i := range list {
				list[i].Description = ""
			}
		}
		for i := range s.States {
			strip(&s.States[i])
		}
	}
	text, _ := json.Marshal(def)
	var out statechart.Definition
	_ = json.Unmarshal(text, &out)
	strip(&out.Root)
	text, _ = json.MarshalIndent(out, "", " ")
	return string(text)
}

// sameAgain writes a document that was read, and reads that.
func sameAgain(t *testing.T, number uint64, doc *scxml.Document) {
	t.Helper()
	o := scxml.WriteOptions{Name: "c", DataModel: doc.DataModel}
	text, err := scxml.Write(doc.Definition, o)
	if err != nil {
		t.Fatalf("chart %d, written again: %v", number, err)
	}
	again, _ := scxml.Read("c.scxml", text, scxml.Options{})
	if got, want := definition(again.Definition), definition(doc.Definition); got != want {
		t.Fatalf("chart %d, written again, is read as\n%s\nnot as\n%s\nfirst different:\n%s", number, got, want, firstDifference(got, want))
	}
	if third, err := scxml.Write(again.Definition, o); err != nil || string(third) != string(text) {
		t.Fatalf("chart %d, the third time: %v\n%s", number, err, firstDifference(string(third), string(text)))
	}
}

// definition is a whole definition as text.
func definition(def statechart.Definition) string {
	text, err := json.MarshalIndent(def, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// sayable takes out of a chart what SCXML cannot say.
func sayable(d *statechart.Definition) {
	d.Lists, d.Unhandled, d.Limits, d.Delays, d.Performers, d.Budget, d.Input = nil, "", statechart.Limits{}, nil, nil, nil, nil
	for i := range d.Events {
		d.Events[i].From, d.Events[i].Data = nil, nil
	}
	// An error that nothing takes would end the chart's session only (R21).
	d.Root.On = append(d.Root.On, statechart.Transition{Event: "error.*", Actions: []statechart.Action{{Log: statechart.Expression("event.data.message")}}})
	sayableState(&d.Root)
	// Lists are asked for their rows in expressions, and a document's done
	// events have names of its own.
	text := listLength.ReplaceAllString(compact(*d), "3")
	text = strings.NewReplacer("(rows0", "([1, 2]", "(rows1", "([k0]",
		"event.type", `(event.type startsWith 'done.' ? 'done' : event.type)`).Replace(text)
	*d = statechart.Definition{}
	if err := json.Unmarshal([]byte(text), d); err != nil {
		panic(err)
	}
}

var listLength = regexp.MustCompile(`len\(rows[01]\)`)

func sayableState(s *statechart.State) {
	s.Every, s.Promote, s.Defer, s.Tools, s.ToolsOnly, s.WarnAfter, s.Invoke, s.Tags, s.Meta = nil, nil, nil, nil, false, nil, nil, nil, nil
	if s.Type == statechart.Parallel {
		s.Output = nil
	}
	s.Status = ""
	for _, list := range []*[]statechart.Action{&s.Entry, &s.Exit, &s.InitialActions} {
		*list = sayableActions(*list)
	}
	s.On = slices.DeleteFunc(s.On, func(t statechart.Transition) bool {
		return strings.HasPrefix(t.Event, "after") || strings.HasPrefix(t.Event, "every")
	})
	for _, list := range [][]statechart.Transition{s.On, s.Always, s.OnDone} {
		sayableTransitions(list)
	}
	for i := range s.After {
		s.After[i].Keep, s.After[i].Delay = false, sayableDelay(s.After[i].Delay)
		sayableTransitions(s.After[i].Transitions)
	}
	for i := range s.States {
		sayableState(&s.States[i])
	}
}

func sayableTransitions(list []statechart.Transition) {
	for i := range list {
		sayableCondition(&list[i].Guard)
		list[i].Actions = sayableActions(list[i].Actions)
	}
}

func sayableCondition(c *statechart.Condition) {
	if c.Name != "" {
		*c = statechart.Condition{Expression: "now % 2 == 0"}
	}
	for i := range c.And {
		sayableCondition(&c.And[i])
	}
	for i := range c.Or {
		sayableCondition(&c.Or[i])
	}
	if c.Not != nil {
		sayableCondition(c.Not)
	}
}

func sayableDelay(v any) any {
	switch v {
	case "short":
		return "10ms"
	case "long":
		return "1.5s"
	case "0ms", "0s", "0":
		return "1ms"
	}
	if _, computed := v.(statechart.Expression); computed {
		return "20ms"
	}
	if text, ok := v.(string); ok && strings.HasPrefix(text, "-") {
		return "7ms"
	}
	return v
}

func sayableActions(list []statechart.Action) []statechart.Action {
	var out []statechart.Action
	for _, a := range list {
		if a.Call != "" || a.Append != "" || a.Emit != nil || a.Do != nil {
			a = statechart.Action{Log: "instead of " + a.Call + a.Append}
		}
		a.Level = ""
		a.Then, a.Else = sayableActions(a.Then), sayableActions(a.Else)
		if a.If != nil {
			sayableCondition(a.If)
		}
		if a.To != nil && a.To != "self" {
			a.To = "parent"
		}
		if a.Delay != nil {
			a.Delay = sayableDelay(a.Delay)
		}
		out = append(out, a)
	}
	return out
}

// run is a session that was played, as the child of another.
type run struct {
	world   *world.World
	session string
	meant   scxml.Meant // zero: it is the chart itself
}

// boss starts the session and writes down what it hears.
var boss = statechart.Definition{ID: "boss", Root: statechart.State{
	Invoke: []statechart.Invocation{{ID: "kid", Src: "chart:kid", Input: map[string]any{"n": int64(2)}}},
	On:     []statechart.Transition{{Event: "*", Actions: []statechart.Action{{Log: statechart.Expression("[event.type, event.data]")}}}},
}}

func play(t *testing.T, chart *statechart.Chart, c chartgen.Case, meant scxml.Meant) run {
	t.Helper()
	parent, errs := compiled(boss)
	if errs != nil {
		t.Fatal(errs)
	}
	w := world.New(world.Options{Charts: map[string]*statechart.Chart{"kid": chart}, Limit: 300})
	if _, err := w.Start("boss", parent, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Run(); err != nil && !errors.Is(err, world.ErrLimit) {
		t.Fatal(err)
	}
	out := run{w, w.Sessions()[1], meant}
	known := named(c.Definition)
	for _, op := range c.Script {
		var err error
		if op.Wait > 0 {
			err = w.Advance(op.Wait)
		}
		switch {
		case err != nil:
		case op.Kind == "timer" || op.Kind == "late":
			_, err = w.AdvanceToNext()
		case op.Kind == "cancel":
		case known[op.Name]:
			_ = w.Send(out.session, statechart.Event{Name: op.Name, Data: op.Data})
			err = w.Run()
		}
		if errors.Is(err, world.ErrLimit) {
			break // it sends to itself for ever
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// named are the events that a chart names, or of which it names how they
// begin. What only "*" knows is left out: a document takes it for a shorter
// name (see [scxml.Remarks]).
func named(d statechart.Definition) map[string]bool {
	known := map[string]bool{}
	text := chartgen.JSON(d)
	for _, name := range []string{"e0", "e1", "e2", "e3", "e9", "a", "a.b", "a.b.c", "r0", "r1"} {
		for _, key := range []string{"event", "raise", "send"} {
			known[name] = known[name] || strings.Contains(text, `"`+key+`":"`+name+`"`)
		}
		for stem := name; !known[name] && stem != ""; stem = stem[:max(0, strings.LastIndexByte(stem, '.'))] {
			known[name] = strings.Contains(text, `"event":"`+stem+`.*"`)
		}
	}
	return known
}

// told is what can be seen after each macrostep of the session.
func (r run) told(names [][2]string) []string {
	var out []string
	for _, record := range r.world.Records() {
		var lines []string
		for _, e := range record.Effects {
			switch e.Type {
			case statechart.EffectLog:
				lines = append(lines, "  log "+shown(e.Data))
			case statechart.EffectSend:
				lines = append(lines, fmt.Sprintf("  send %s to %s: %s", e.Event, e.To, shown(e.Data)))
			case statechart.EffectEnd:
				lines = append(lines, "  end "+e.Name+" "+shown(e.Data))
			}
		}
		if record.Session != r.session {
			out = append(out, "boss\n"+strings.Join(lines, "\n"))
			continue
		}
		var active []string
		for _, path := range record.Configuration {
			active = append(active, r.own(path))
		}
		slices.Sort(active)
		// A document has no door, and a leaf's transition to itself is one that
		// does nothing.
		outcome := record.Outcome
		if outcome == statechart.Refused || outcome == statechart.Ignored {
			outcome = statechart.Taken
		}
		out = append(out, fmt.Sprintf("%d %s: %s %v %s\n%s", record.Now, record.Event.Name, outcome, active, record.Status, strings.Join(lines, "\n")))
	}
	last := "at the end"
	if in := r.world.Instance(r.session); in != nil && in.Status() == statechart.Active {
		for _, timer := range in.Timers() {
			last += fmt.Sprintf("\n  due %d", timer.Due)
		}
		data := in.Data()
		for _, v := range names {
			path, name := v[0], v[1]
			if r.meant.Variables != nil {
				path, name = "", r.meant.Variables[path][name]
			}
			last += "\n  " + v[0] + " " + v[1] + " " + shown(data[path][name])
		}
	}
	return append(out, last)
}

// variables are those that are there at the end, by state and name.
func (r run) variables() [][2]string {
	in := r.world.Instance(r.session)
	if in == nil {
		return nil
	}
	var out [][2]string
	for _, path := range slices.Sorted(maps.Keys(in.Data())) {
		for _, name := range slices.Sorted(maps.Keys(in.Data()[path])) {
			out = append(out, [2]string{path, name})
		}
	}
	return out
}

// own is the chart's path of a state of the document.
func (r run) own(path string) string {
	for chart, document := range r.meant.Paths {
		if document == path {
			return chart
		}
	}
	return path
}

func shown(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text) + " " + fmt.Sprint(reflect.TypeOf(v))
}

// firstDifference is the first line that two texts do not share.
func firstDifference(a, b string) string {
	other := strings.Split(b, "\n")
	for i, line := range strings.Split(a, "\n") {
		if i >= len(other) || line != other[i] {
			return fmt.Sprintf("%d: %s\n%s", i, line, strings.Join(other[min(i, len(other)):min(i+1, len(other))], ""))
		}
	}
	return "none"
}

func compact(d statechart.Definition) string {
	text, err := json.Marshal(d)
	if err != nil {
		panic(err)
	}
	return string(text)
}
