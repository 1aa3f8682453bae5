package conformance

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"testing"

	"github.com/detent-run/detent/conformance/internal/scxml"
	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// TestSuites runs both suites and prints one closing line for each.
func TestSuites(t *testing.T) {
	files := suite(t)
	var scion, irp string
	t.Run("scion", func(t *testing.T) { scion = runSCION(t, files) })
	t.Run("irp-preview", func(t *testing.T) { irp = runIRP(t, files) })
	fmt.Println(irp)
	fmt.Println(scion)
}

// TestReloadedSuites runs both suites with every session written out and read back
// before each macrostep (R31).
func TestReloadedSuites(t *testing.T) {
	files := suite(t)
	for _, p := range pairs(t, files) {
		with := p.run(files, world.Options{Reload: true}, nil)
		without := p.run(files, world.Options{}, nil)
		if fmt.Sprint(with) != fmt.Sprint(without) {
			t.Errorf("%s: reloaded: %v; kept: %v", p.name, with, without)
		}
	}
	documents, err := fs.Sub(files, "w3c-ecma")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range irpDocuments(t, documents) {
		d, err := scxml.Read(documents, name)
		if err != nil {
			continue // counted by TestSuites
		}
		with, without := verdict(d, world.Options{Reload: true}), verdict(d, world.Options{})
		if fmt.Sprint(with) != fmt.Sprint(without) {
			t.Errorf("%s: reloaded: %v; kept: %v", name, with, without)
		}
	}
}

// The suite's size: 127 pairs.
const noScript, withScript = 118, 9

// runSCION plays the pairs and returns the closing line. Those whose document
// has a script are counted apart: they wait for the ECMAScript data model.
func runSCION(t *testing.T, files fs.FS) string {
	passed, total, scripts := 0, 0, []string{}
	misses := map[string]string{}
	for _, p := range pairs(t, files) {
		err := p.run(files, world.Options{}, nil)
		if scxml.HasScript(err) {
			scripts = append(scripts, p.name)
			continue
		}
		total++
		if err == nil {
			passed++
			continue
		}
		misses[p.name] = err.Error()
	}
	report(t, "scion", misses)
	t.Logf("%d pairs have a <script> and were not run: %v", len(scripts), scripts)
	if total != noScript || len(scripts) != withScript {
		t.Errorf("the suite has %d pairs without and %d with a script, want %d and %d", total, len(scripts), noScript, withScript)
	}
	compare(t, "scion", misses)
	return fmt.Sprintf("scion-noscript %d/%d", passed, total)
}

// runIRP runs every W3C document that the reader can load. It is a preview:
// documents that it cannot load are no misses, and are counted by reason.
func runIRP(t *testing.T, files fs.FS) string {
	documents, err := fs.Sub(files, "w3c-ecma")
	if err != nil {
		t.Fatal(err)
	}
	names := irpDocuments(t, documents)
	passed, loaded := 0, 0
	misses, unread := map[string]string{}, map[string][]string{}
	for _, name := range names {
		d, err := scxml.Read(documents, name)
		if err != nil {
			reason := err.Error()
			var u *scxml.Unsupported
			if errors.As(err, &u) {
				reason = fmt.Sprintf("<%s> %s", u.Element, u.Reason)
			}
			unread[reason] = append(unread[reason], name)
			continue
		}
		loaded++
		if err := verdict(d, world.Options{}); err != nil {
			misses[name] = err.Error()
			continue
		}
		passed++
	}
	report(t, "irp", misses)
	for _, reason := range slices.Sorted(maps.Keys(unread)) {
		t.Logf("not loaded: %s: %v", reason, unread[reason])
	}
	compare(t, "irp", misses)
	return fmt.Sprintf("irp-preview %d of %d loaded of %d", passed, loaded, len(names))
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
				correct := p.run(files, world.Options{}, nil)
				changed := p.run(files, world.Options{}, func(d *statechart.Definition) { everyState(&d.Root, bug) })
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
