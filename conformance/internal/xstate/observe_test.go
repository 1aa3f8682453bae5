package xstate

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/chartgen"
)

func observation(change func(*Observation)) Observation {
	o := Observation{
		States: []string{"a.b"}, Context: map[string]any{"n": 1.0, "gone": nil}, Status: "active", Taken: true, Trace: []any{"x"},
		Timers: []int64{5}, Live: []Call{{ID: "call"}}, Emitted: []any{map[string]any{"type": "out"}}, Output: "o",
	}
	if change != nil {
		change(&o)
	}
	return o
}

func TestCompareSeesEachField(t *testing.T) {
	for name, change := range map[string]func(*Observation){
		"states":  func(o *Observation) { o.States = []string{"a.c"} },
		"context": func(o *Observation) { o.Context = map[string]any{"n": 2.0} },
		"status":  func(o *Observation) { o.Status = "done" },
		"taken":   func(o *Observation) { o.Taken = false },
		"trace":   func(o *Observation) { o.Trace = nil },
		"timers":  func(o *Observation) { o.Timers = []int64{6} },
		"live":    func(o *Observation) { o.Live = []Call{{"call", 1.0}} },
		"emitted": func(o *Observation) { o.Emitted = append(o.Emitted, o.Emitted...) },
		"output":  func(o *Observation) { o.Output = nil },
	} {
		d := Compare([]Observation{observation(nil), observation(nil)}, []Observation{observation(nil), observation(change)})
		if d == nil || d.Step != 1 || strings.Join(d.Names, " ") != name {
			t.Errorf("%s: %v", name, d)
		}
	}
}

func TestCompareTakesNullForAbsentAndIntegersForDecimals(t *testing.T) {
	other := observation(func(o *Observation) { o.Context = map[string]any{"n": int64(1)} })
	if d := Compare([]Observation{observation(nil)}, []Observation{other}); d != nil {
		t.Error(d)
	}
}

func TestGoldensReadBack(t *testing.T) {
	steps := []Observation{observation(nil), observation(func(o *Observation) { o.States, o.Timers = []string{"z"}, nil }), observation(nil)}
	script := []chartgen.Op{{Kind: "event", Name: "e", Data: map[string]any{"n": int64(2)}}, {Kind: "restore"}, {Kind: "advance", Wait: 5}}
	text, err := WriteGoldens([]Golden{NewGolden(Case{Seed: 3, Number: 4, Script: script}, []byte("module"), steps)})
	if err != nil {
		t.Fatal(err)
	}
	list, err := ReadGoldens(bytes.NewReader(text))
	if err != nil || len(list) != 1 || list[0].Seed != 3 || list[0].Number != 4 || list[0].Module != Digest([]byte("module")) {
		t.Fatalf("%v, %v", list, err)
	}
	if !reflect.DeepEqual(list[0].Script, script[:2]) {
		t.Errorf("the script is %v", list[0].Script)
	}
	read, err := list[0].Observations()
	if err != nil || len(read) != len(steps) {
		t.Fatalf("%d steps, %v", len(read), err)
	}
	if d := Compare(steps, read); d != nil {
		t.Error(d)
	}
}

// The same numbers give the same case, others another.
func TestNewIsDeterministic(t *testing.T) {
	one, run, err := New(7, 11)
	if err != nil {
		t.Fatal(err)
	}
	same, again, err := New(7, 11)
	if err != nil || !reflect.DeepEqual(one, same) {
		t.Error("the same numbers give two cases")
	}
	if d := Compare(run.Steps, again.Steps); d != nil {
		t.Errorf("one case plays in two ways: %s", d)
	}
	if other, _, err := New(7, 12); err != nil || reflect.DeepEqual(one.Definition, other.Definition) {
		t.Error("other numbers give the same case")
	}
}
