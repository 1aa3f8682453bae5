package xstate_test

import (
	"flag"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/internal/chartgen"
	"github.com/detent-run/detent/statechart"
)

var (
	chartsFlag = flag.Int("charts", 100, "how many random charts TestRandomChartsAsJSON writes, reads and plays")
	seedFlag   = flag.Uint64("seed", 1, "the seed of the random charts")
)

// A random chart, without what XState does not have, is written as JSON, read
// and compiled. Every event of its script does the same as in the chart that
// never was JSON, and writing it again gives the same text.
func TestRandomChartsAsJSON(t *testing.T) {
	played, steps, stubs := 0, 0, 0
	number := uint64(0)
	for ; played < *chartsFlag && number < 20*uint64(*chartsFlag) && !t.Failed(); number++ {
		c := chartgen.ForFile(chartgen.New(*seedFlag, number))
		c.Definition = withoutScopes(chartgen.Rendered(c))
		registry := chartfile.Behaviour()
		chartgen.Register(registry, c.Typed)
		compiled, err := statechart.Compile(c.Definition, registry)
		if err != nil {
			continue // what it lost made it illegal
		}
		text, err := xstate.JSON(c.Definition)
		if err != nil {
			t.Fatalf("seed %d chart %d: %v", *seedFlag, number, err)
		}
		file, found := xstate.Read("machine.json", text)
		if found.Errors() {
			t.Fatalf("seed %d chart %d: %v\nin\n%s", *seedFlag, number, found, text)
		}
		read, found := file.Compile(registry)
		if found.Errors() {
			t.Fatalf("seed %d chart %d: %v\nin\n%s", *seedFlag, number, found, text)
		}
		want, got := chartgen.Play(compiled, c), chartgen.Play(read, c)
		if i := slices.Compare(got, want); i != 0 {
			for k := range want {
				if k >= len(got) || got[k] != want[k] {
					t.Fatalf("seed %d chart %d, step %d:\n%s\nfrom JSON\n%s\nof\n%s", *seedFlag, number, k, want[k], strings.Join(got[k:min(k+1, len(got))], ""), text)
				}
			}
		}
		if again, err := xstate.JSON(file.Definition); err != nil || string(again) != string(text) {
			t.Fatalf("seed %d chart %d, written again: %v\n%s\nbefore\n%s", *seedFlag, number, err, again, text)
		}
		played++
		steps += len(want)
		stubs += strings.Count(string(text), `"guard_`) + strings.Count(string(text), `"action_`)
	}
	t.Logf("seed %d: of %d charts %d as JSON, %d macrosteps alike, %d stubs", *seedFlag, number, played, steps, stubs)
	if played < *chartsFlag || stubs < played {
		t.Errorf("only %d charts could be played, with %d stubs", played, stubs)
	}
}

// withoutScopes takes out what XState does not have. The variables of states
// become the root's, with null as their first value.
func withoutScopes(def statechart.Definition) statechart.Definition {
	if def.Unhandled == "defer" {
		def.Unhandled = ""
	}
	declared := map[string]bool{}
	for _, v := range slices.Concat(def.Root.Context, def.Constants) {
		declared[v.Name] = true
	}
	def.Root.Context = slices.Clip(def.Root.Context)
	var plain func(s *statechart.State, root bool)
	plain = func(s *statechart.State, root bool) {
		for _, v := range s.Context {
			if !root && !declared[v.Name] {
				declared[v.Name] = true
				def.Root.Context = append(def.Root.Context, statechart.Variable{Name: v.Name})
			}
		}
		if !root {
			s.Context = nil
		}
		if _, object := s.Meta.(map[string]any); !object && s.Meta != nil {
			s.Meta = map[string]any{"was": s.Meta}
		}
		s.Promote, s.Defer, s.Every = nil, nil, nil
		if s.Type == statechart.History {
			s.InitialActions = nil
		} else if first := strings.FieldsFunc(s.Initial, func(r rune) bool { return r == '.' || r == ' ' }); len(first) > 0 {
			s.Initial = first[0]
		}
		for i := range s.After {
			s.After[i].Keep = false
		}
		slices.SortStableFunc(s.After, func(a, b statechart.Timed) int { return place(a.Delay) - place(b.Delay) })
		for i := range s.States {
			plain(&s.States[i], false)
		}
	}
	plain(&def.Root, true)
	return def
}

// place is where JavaScript puts a delay: whole milliseconds first.
func place(delay any) int {
	text, _ := delay.(string)
	text, fixed := strings.CutSuffix(text, "ms")
	if n, err := strconv.Atoi(text); fixed && err == nil && n >= 0 {
		return n
	}
	return 1 << 30
}
