package conformance

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// TestSuites runs the SCXML suites, with one tally for each.
func TestSuites(t *testing.T) {
	files := suite(t)
	documents := sub(t, files, "w3c-ecma")
	began := time.Now()
	for _, run := range []struct {
		name string
		f    func(t *testing.T) string
	}{
		{"irp-unmodified", func(t *testing.T) string { return runMandatory(t, documents, asTheyAre, world.Options{}) }},
		{"irp-detent", func(t *testing.T) string { return runInDetent(t, documents, inDetent, world.Options{}) }},
		{"irp-optional", func(t *testing.T) string { return runOptional(t, documents, asTheyAre, world.Options{}) }},
		{"scion", func(t *testing.T) string { return runSCION(t, files, asTheyAre) }},
		{"scion-detent", func(t *testing.T) string { return runSCIONInDetent(t, files) }},
		{"scxml-documents", runDocuments},
		{"xmltest", runXML},
	} {
		t.Run(run.name, func(t *testing.T) { tallies = append(tallies, run.f(t)) })
	}
	tallies = append(tallies, fmt.Sprintf("these took %.1f s, on the virtual clock", time.Since(began).Seconds()))
}

func sub(t testing.TB, files fs.FS, folder string) fs.FS {
	t.Helper()
	inner, err := fs.Sub(files, folder)
	if err != nil {
		t.Fatal(err)
	}
	return inner
}

// TestReloadedSuites runs the suites with every session written out and read
// back before each macrostep (R31).
func TestReloadedSuites(t *testing.T) {
	files := suite(t)
	documents := sub(t, files, "w3c-ecma")
	for _, p := range pairs(t, files) {
		with := p.run(files, asTheyAre, world.Options{Reload: true}, nil)
		without := p.run(files, asTheyAre, world.Options{}, nil)
		if fmt.Sprint(with) != fmt.Sprint(without) {
			t.Errorf("%s: reloaded: %v; kept: %v", p.name, with, without)
		}
	}
	for _, suite := range []struct {
		run func(*testing.T, fs.FS, reader, world.Options) string
		as  reader
	}{{runMandatory, asTheyAre}, {runInDetent, inDetent}, {runOptional, asTheyAre}} {
		with, without := suite.run(t, documents, suite.as, world.Options{Reload: true}), suite.run(t, documents, suite.as, world.Options{})
		if with != without {
			t.Errorf("reloaded: %s; kept: %s", with, without)
		}
	}
}

// TestUntrustedSuites runs the documents with their ECMAScript in a child
// process, as those of strangers are.
func TestUntrustedSuites(t *testing.T) {
	files := suite(t)
	documents := sub(t, files, "w3c-ecma")
	with := []string{runMandatory(t, documents, inAChild, world.Options{}), runOptional(t, documents, inAChild, world.Options{}), runSCION(t, files, inAChild)}
	without := []string{runMandatory(t, documents, asTheyAre, world.Options{}), runOptional(t, documents, asTheyAre, world.Options{}), runSCION(t, files, asTheyAre)}
	if !slices.Equal(with, without) {
		t.Errorf("in a child: %q, here: %q", with, without)
	}
}

// The suite's sizes: 127 pairs, of which 118 have no script.
const scionPairs, noScript = 127, 118

// runSCION plays the pairs as they are, two of them by their second block.
func runSCION(t *testing.T, files fs.FS, as reader) string {
	all := pairs(t, files)
	if len(all) != scionPairs {
		t.Errorf("the suite has %d pairs, want %d", len(all), scionPairs)
	}
	return fmt.Sprintf("scion %d/%d", playAll(t, "scion", files, all, as), len(all))
}

// runSCIONInDetent plays those without a script, rewritten in Detent's
// expression language.
func runSCIONInDetent(t *testing.T, files fs.FS) string {
	all := slices.DeleteFunc(pairs(t, files), func(p pair) bool { return hasScript(t, files, p) })
	if len(all) != noScript {
		t.Errorf("the suite has %d pairs without a script, want %d", len(all), noScript)
	}
	return fmt.Sprintf("scion-detent %d/%d", playAll(t, "scion-detent", files, all, inDetent), len(all))
}

func hasScript(t *testing.T, files fs.FS, p pair) bool {
	t.Helper()
	data, err := fs.ReadFile(files, p.name+".scxml")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(data), "<script")
}

func playAll(t *testing.T, suite string, files fs.FS, all []pair, as reader) (passed int) {
	t.Helper()
	misses := map[string]string{}
	for _, p := range all {
		if err := p.run(files, as, world.Options{}, nil); err != nil {
			misses[p.name] = err.Error()
			continue
		}
		passed++
	}
	report(t, suite, misses)
	compare(t, suite, misses)
	return passed
}

func report(t *testing.T, suite string, misses map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(misses)) {
		t.Logf("%s misses %s: %s", suite, name, misses[name])
	}
}

// TestHarnessNoticesBugs proves that the pairs are really compared: each of
// these changes to every chart must cost some of them.
func TestHarnessNoticesBugs(t *testing.T) {
	files := suite(t)
	bugs := map[string]func(*statechart.State){
		"transitions in reverse order": func(s *statechart.State) { slices.Reverse(s.On); slices.Reverse(s.Always) },
		"states in reverse order":      func(s *statechart.State) { slices.Reverse(s.States) },
		"local transitions":            func(s *statechart.State) { retype(s.On, statechart.Local); retype(s.Always, statechart.Local) },
		"all history is shallow": func(s *statechart.State) {
			if s.Type == statechart.History {
				s.History = "shallow"
			}
		},
		"no entry actions": func(s *statechart.State) {
			if s.ID != "" {
				s.Entry = nil
			}
		},
		"no exit actions": func(s *statechart.State) { s.Exit = nil },
	}
	for name, bug := range bugs {
		t.Run(name, func(t *testing.T) {
			missed := 0
			for _, p := range pairs(t, files) {
				correct := p.run(files, inDetent, world.Options{}, nil)
				changed := p.run(files, inDetent, world.Options{}, func(d *statechart.Definition) { everyState(&d.Root, bug) })
				if correct == nil && changed != nil {
					missed++
				}
			}
			if missed == 0 {
				t.Error("no pair notices")
			}
			t.Logf("%d pairs notice", missed)
		})
	}
}

func everyState(s *statechart.State, f func(*statechart.State)) {
	f(s)
	for i := range s.States {
		everyState(&s.States[i], f)
	}
}

func retype(list []statechart.Transition, to statechart.TransitionType) {
	for i := range list {
		list[i].Type = to
	}
}
