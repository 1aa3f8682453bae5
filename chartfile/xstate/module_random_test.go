package xstate_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/internal/chartgen"
	"github.com/detent-run/detent/statechart"
)

// Whatever a chart holds, there is a module or a list of what cannot be said,
// also of charts that would not compile.
func TestModuleOfRandomCharts(t *testing.T) {
	written := 0
	for n := range uint64(400) {
		def := chartgen.Rendered(chartgen.ForFile(chartgen.New(1, n)))
		if n%2 == 0 {
			simplify(&def)
		}
		if n%5 == 0 && len(def.Root.States) > 1 {
			def.Root.States = def.Root.States[1:] // targets are missing
		}
		text, err := xstate.Module(def)
		var list statechart.Errors
		switch {
		case err == nil && strings.Contains(string(text), "\nexport const machine = setup({"):
			written++
		case !errors.As(err, &list) || list[0].Code != chartfile.CodeUnwritable || len(text) > 0:
			t.Fatalf("chart %d: %v\n%s", n, err, text)
		}
	}
	if written < 20 {
		t.Errorf("%d modules of 400 were written", written)
	}
}

// simplify takes out what XState never has.
func simplify(def *statechart.Definition) {
	def.Budget, def.Unhandled = nil, ""
	def.Lists = nil
	var state func(s *statechart.State)
	state = func(s *statechart.State) {
		s.Defer, s.Promote, s.Every, s.WarnAfter = nil, nil, nil, nil
		for i := range s.After {
			s.After[i].Keep = false
		}
		for i := range s.States {
			state(&s.States[i])
		}
	}
	state(&def.Root)
}
