package conformance

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// script is the JSON half of a SCION pair: the ids of the active leaves after
// the start and after each event, and how long to wait before an event.
type script struct {
	Initial []string `json:"initialConfiguration"`
	Events  []struct {
		Event struct {
			Name string `json:"name"`
			Data any    `json:"data"`
		} `json:"event"`
		After int64    `json:"after"`
		Next  []string `json:"nextConfiguration"`
	} `json:"events"`
	Legacy *script `json:"legacySemantics"`
}

// corrected are the pairs whose main block is not what Appendix D says, while
// their other block is: a transition from a region of a parallel state to
// itself leaves the parallel state (R9).
var corrected = map[string]bool{"more-parallel/test10": true, "more-parallel/test10b": true}

// pair is one SCION test.
type pair struct {
	name   string
	script script
}

func pairs(t *testing.T, files fs.FS) []pair {
	t.Helper()
	names, err := fs.Glob(files, "*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []pair
	for _, file := range names {
		if strings.HasPrefix(file, "w3c-ecma/") {
			continue
		}
		p := pair{name: strings.TrimSuffix(file, ".json")}
		data, err := fs.ReadFile(files, file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &p.script); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if corrected[p.name] {
			if p.script.Legacy == nil {
				t.Fatalf("%s has no second block", file)
			}
			p.script = *p.script.Legacy
		}
		all = append(all, p)
	}
	return all
}

// open reads the document of a pair.
func (p pair) open(files fs.FS, as reader) (*scxmlDocument, error) {
	folder, err := fs.Sub(files, path.Dir(p.name))
	if err != nil {
		return nil, err
	}
	return as.open(folder, path.Base(p.name)+".scxml")
}

// run plays a pair. mutate may change the chart first, to see that it is
// missed.
func (p pair) run(files fs.FS, as reader, options world.Options, mutate func(*statechart.Definition)) error {
	document, err := p.open(files, as)
	if err != nil {
		return err
	}
	if mutate != nil {
		mutate(&document.Definition)
	}
	s, err := start(document, options)
	if err != nil {
		return err
	}
	if err := s.expect(p.script.Initial); err != nil {
		return fmt.Errorf("after the start: %w", err)
	}
	for i, step := range p.script.Events {
		if step.After > 0 {
			if err := s.world.Advance(step.After); err != nil {
				return err
			}
		}
		if err := s.world.Send(sessionID, statechart.Event{Name: step.Event.Name, Data: step.Event.Data}); err != nil {
			return err
		}
		if err := s.world.Run(); err != nil {
			return err
		}
		if err := s.expect(step.Next); err != nil {
			return fmt.Errorf("after event %d, %s: %w", i+1, step.Event.Name, err)
		}
	}
	return nil
}
