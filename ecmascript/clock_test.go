package ecmascript

import (
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// at plays a block at a time in a session.
func (d document) at(t *testing.T, now int64, session string) map[string]any {
	t.Helper()
	chart := d.chart(t, trusted)
	var in statechart.Instance
	chart.Start(&in, statechart.Start{Session: session, Now: now})
	in.Step(statechart.Delivery{Event: statechart.Event{Name: "go"}, Envelope: &statechart.Envelope{AcceptedAt: now}})
	return in.Data()[""]
}

// The clock stands at the time of the macrostep, in UTC, wherever the
// machine is.
func TestClock(t *testing.T) {
	const now = 1_700_000_000_123 // 2023-11-14T22:13:20.123Z
	for source, want := range map[string]any{
		"Date.now()":                                         int64(now),
		"new Date().getTime()":                               int64(now),
		"+new Date":                                          int64(now),
		"new Date":                                           "2023-11-14T22:13:20.123Z",
		"Date()":                                             "Tue Nov 14 2023 22:13:20 GMT+0000",
		"String(new Date)":                                   "Tue Nov 14 2023 22:13:20 GMT+0000",
		"new Date + ''":                                      "Tue Nov 14 2023 22:13:20 GMT+0000",
		"new Date().toLocaleString()":                        "2023-11-14 22:13:20",
		"new Date().toLocaleDateString()":                    "2023-11-14",
		"new Date().toLocaleTimeString()":                    "22:13:20",
		"new Date().toDateString()":                          "Tue Nov 14 2023",
		"new Date().toTimeString()":                          "22:13:20 GMT+0000",
		"new Date().getHours()":                              int64(22),
		"new Date().getDay()":                                int64(2),
		"new Date().getYear()":                               int64(123),
		"new Date().getTimezoneOffset()":                     int64(0),
		"new Date(2020, 1, 29, 12).getTime()":                int64(1582977600000),
		"new Date(2020, 1)":                                  "2020-02-01T00:00:00.000Z",
		"new Date('2020-02-29')":                             "2020-02-29T00:00:00.000Z",
		"new Date('2020-02-29T12:00')":                       "2020-02-29T12:00:00.000Z",
		"new Date('2020-02-29T12:00:00+02:00')":              "2020-02-29T10:00:00.000Z",
		"new Date('Feb 29 2020 12:00')":                      "2020-02-29T12:00:00.000Z",
		"new Date('Sat, 29 Feb 2020 12:00:00 GMT')":          "2020-02-29T12:00:00.000Z",
		"new Date('Feb 29 2020 12:00:00 GMT+0200')":          "2020-02-29T10:00:00.000Z",
		"new Date('29 Feb 2020 12:00 PM UTC (noon)')":        "2020-02-29T12:00:00.000Z",
		"new Date('12:00 3-Feb-2020')":                       "2020-02-03T12:00:00.000Z",
		"new Date('+2020-02-03')":                            "2020-02-03T00:00:00.000Z",
		"new Date('202012').getTime()":                       int64(6312715776000000),
		"new Date('-0500').getTime()":                        int64(-77945673600000),
		"String(new Date('T10:00-0500'))":                    "Invalid Date",
		"new Date('x'.repeat(1e6) + '2020')":                 nil,
		"new Date(new Date(5)).getTime()":                    int64(5),
		"new Date(undefined).toString()":                     "Invalid Date",
		"new Date('no date').toLocaleString()":               "Invalid Date",
		"(d => { d.setHours(3); return d })(new Date(0))":    "1970-01-01T03:00:00.000Z",
		"new Date(0) instanceof Date":                        true,
		"Object.getPrototypeOf(new Date) === Date.prototype": true,
		"new Date().constructor.now()":                       int64(now),
		"(class Day extends Date {}).now()":                  int64(now),
		"new (class Day extends Date { day() { return this.getDate() } })().day()": int64(14),
		"[]['const' + 'ructor']['const' + 'ructor']('return Date.now()')()":        int64(now),
	} {
		d := document{variables: map[string]any{"result": nil}, blocks: [][]statechart.Action{block(assign("result", source))}}
		if data := d.at(t, now, "s"); !reflect.DeepEqual(data["result"], want) {
			t.Errorf("%s is %#v, want %#v; %q", source, data["result"], want, data["failed"])
		}
	}
}

// What the tests of the clock see in UTC, they see everywhere.
func TestClockElsewhere(t *testing.T) {
	for _, zone := range []string{"America/New_York", "Asia/Kolkata"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestClock$")
		cmd.Env = append(os.Environ(), "TZ="+zone)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", zone, err, out)
		}
	}
}

// Chance is the same at each replay, and not the same twice.
func TestChance(t *testing.T) {
	d := document{
		variables: map[string]any{"a": nil, "b": nil, "two": nil},
		blocks:    [][]statechart.Action{block(assign("a", "Math.random()"), assign("b", "Math.random()"), assign("two", "[Math.random(), Math.random()]"))},
	}
	var seen []string
	for _, session := range []string{"one", "other"} {
		data := d.at(t, 0, session)
		if again := d.at(t, 5, session); !reflect.DeepEqual(data, again) {
			t.Errorf("%v at the replay is %v", data, again)
		}
		for _, v := range append([]any{data["a"], data["b"]}, data["two"].([]any)...) {
			if f, ok := v.(float64); !ok || f < 0 || f >= 1 || slices.Contains(seen, fmt.Sprint(v)) {
				t.Errorf("chance gives %v after %v", v, seen)
			}
			seen = append(seen, fmt.Sprint(v))
		}
	}
}

// Asking what a guard would say takes no chance away.
func TestChanceIsNotTakenByAsking(t *testing.T) {
	d := document{variables: map[string]any{"a": nil}, blocks: [][]statechart.Action{block(assign("a", "Math.random()"))}}
	chart := d.chart(t, trusted)
	run := func(ask bool) any {
		var in statechart.Instance
		chart.Start(&in, statechart.Start{Session: "s"})
		if ask {
			in.Can(statechart.Event{Name: "ask"})
		}
		in.Send(statechart.Event{Name: "go"})
		return in.Data()[""]["a"]
	}
	if a, b := run(false), run(true); a != b {
		t.Errorf("%v without and %v after asking", a, b)
	}
}
