package scripts

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
)

// TestMain has a few hundred scripts played, always the same, unless
// -rapid.checks and -rapid.seed say otherwise (a seed of 0 draws one).
func TestMain(m *testing.M) {
	flag.Parse()
	asked := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { asked[f.Name] = true })
	for name, value := range map[string]string{"rapid.checks": "200", "rapid.seed": "1"} {
		if !asked[name] {
			flag.Set(name, value)
		}
	}
	flag.Set("rapid.shrinktime", "15s")
	flag.Set("rapid.nofailfile", "true") // the script that failed is printed
	os.Exit(m.Run())
}

// tally counts what the scripts did.
type tally map[string]int

// S9, S4, D3: the same script gives the same rows, answers, data, calls and
// state on every store, and they are those of an interpreter without any.
func TestS9Scripts(t *testing.T) {
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		t.Run(kind, func(t *testing.T) {
			counts := tally{}
			rapid.Check(t, func(r *rapid.T) {
				chart := aChart.Draw(r, "chart")
				script := aScript.Draw(r, "script")
				if problem := compared(chart.Chart, kinds[kind](t), script, kind == "memory", counts); problem != "" {
					r.Fatalf("%s\n\nthe chart:\n%#v\n\nthe script:\n%s", problem, chart, written(script))
				}
			})
			t.Logf("scripts on %s: %v", kind, counts)
			for _, want := range wanted {
				if counts["scripts"] >= 120 && counts[want] == 0 {
					t.Errorf("%q never happened", want)
				}
			}
		})
	}
}

// wanted are what must have happened, or the scripts show less than they say.
var wanted = []string{"send answered", "send duplicate", "send event_conflict", "send queued", "pass", "restart", "suspend", "resume", "cancel", "move",
	"row after", "row done", "row error", "row unknown", "row deferred later", "row with two leaves", "row detent.cancel", "row every",
	"end completed", "end failed", "end cancelled", "end parked", "end active"}

// compared plays a script on both and says how they differ; "": they do not.
// It looks after each step, or only where a journal ends.
func compared(chart *statechart.Chart, stores []durable.Store, script []op, often bool, counts tally) string {
	p := newPlayer(chart, stores)
	defer p.leave()
	m := newNaive(chart, "first", p.now()) // first, for it knows whether the chart ever comes to rest
	if m.unclear {
		counts["ended unclear"]++
		return ""
	}
	if err := p.start(); err != nil {
		return "start: " + err.Error()
	}
	for i, o := range script {
		before := *m
		want := m.do(o)
		if m.unclear {
			counts["ended unclear"]++
			return ""
		}
		if m.problem != nil {
			return fmt.Sprintf("step %d, %s: the interpreter: %v", i+1, o, m.problem)
		}
		got, err := p.do(o)
		if err != nil {
			return fmt.Sprintf("step %d, %s: %v (%s)", i+1, o, err, before.status)
		}
		if o.Kind == "send" {
			counts["send "+got]++
		} else {
			counts[o.Kind]++
		}
		if got != want {
			return fmt.Sprintf("step %d, %s: the engine says %s, want %s", i+1, o, got, want)
		}
		last := i == len(script)-1 || script[i+1].Kind == "move"
		if !often && !last {
			continue
		}
		if problem := differ(m, p); problem != "" {
			return fmt.Sprintf("after step %d, %s: %s", i+1, o, problem)
		}
	}
	counts["scripts"]++
	counts["steps"] += len(script)
	count(m, counts)
	return ""
}

// differ says how the engine's session differs from the interpreter's.
func differ(m *naive, p *player) string {
	rows, err := p.rows()
	if err != nil {
		return err.Error()
	}
	want := m.rows[m.session]
	for i := range max(len(rows), len(want)) {
		if a, b := at(rows, i), at(want, i); a != b {
			return fmt.Sprintf("row %d is\n  %s\nwant\n  %s", i+1, a, b)
		}
	}
	state, status, calls, err := p.state()
	if err != nil {
		return err.Error()
	}
	doc, err := m.snap.Encode()
	if err != nil {
		return err.Error()
	}
	if state != string(doc) || status != m.status {
		return fmt.Sprintf("the state is %s,\n  %s\nwant %s,\n  %s", status, state, m.status, doc)
	}
	var open []string
	for _, c := range m.calls {
		stands := c.stands
		if stands == "running" || stands == "lost" {
			stands = "claimed"
		}
		open = append(open, c.key[:6]+" "+stands)
	}
	slices.Sort(open)
	// The naive one forgets what was left; whether a call had begun by then is
	// a matter of the moment.
	calls = slices.DeleteFunc(calls, func(c string) bool { return strings.HasSuffix(c, " abandoned") })
	if !m.over() && !slices.Equal(calls, open) {
		return fmt.Sprintf("the calls are %v, want %v", calls, open)
	}
	return ""
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "missing"
}

// count keeps what kinds of row and end there were.
func count(m *naive, counts tally) {
	counts["end "+m.status]++
	for _, rows := range m.rows {
		counts["rows"] += len(rows)
		for _, row := range rows {
			for text, kind := range map[string]string{`"event":"after.`: "row after", `"event":"every.`: "row every", `"event":"done.invoke`: "row done", `"event":"done.do`: "row done of a do",
				`"event":"error.invoke`: "row error", `"event":"unknown.`: "row unknown", `"deferred":true`: "row deferred later", `"event":"detent.cancel`: "row detent.cancel"} {
				if strings.Contains(row, text) {
					counts[kind]++
				}
			}
			if _, to, _ := strings.Cut(row, `"to":[`); strings.Contains(to, ",") {
				counts["row with two leaves"]++
			}
		}
	}
}
