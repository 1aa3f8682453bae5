package workload

import (
	"errors"
	"strings"
	"testing"
)

// script is a machine that moves through the visits of its workload and can
// be told to do it wrongly.
type script struct {
	w                          Workload
	at                         int
	c                          Counts
	forgetExit, stay, turnDown bool
}

func (s *script) Send(int) bool {
	if s.turnDown {
		return false
	}
	if !s.stay {
		s.at = (s.at + 1) % len(s.w.Visits)
	}
	per := len(s.w.Events)
	s.c.Actions += s.w.Lap.Actions / per
	s.c.Entries += s.w.Lap.Entries / per
	if !s.forgetExit {
		s.c.Exits += s.w.Lap.Exits / per
	}
	return true
}

func (s *script) Laps(n int) bool {
	for i := range n * len(s.w.Events) {
		if !s.Send(i) {
			return false
		}
	}
	return true
}

func (s *script) State() string {
	return s.w.Visits[(s.at+len(s.w.Visits)-1)%len(s.w.Visits)]
}

func (s *script) Counts() Counts { return s.c }

func TestFaithfulMachinePasses(t *testing.T) {
	for _, w := range All() {
		s := &script{w: w}
		if err := errors.Join(w.Walk(s), w.Run(s, 7)); err != nil {
			t.Error(err)
		}
	}
}

func TestUnfaithfulMachinesAreCaught(t *testing.T) {
	tests := map[string]struct {
		machine script
		says    string
	}{
		"forgets exits":        {script{forgetExit: true}, "want {Actions:6 Entries:6 Exits:6}"},
		"stays where it is":    {script{stay: true}, `leads to "idle", want "planning"`},
		"turns an event down":  {script{turnDown: true}, ErrNotTaken.Error()},
		"started in mid-cycle": {script{at: 2}, `leads to "waiting", want "planning"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := ByID(Cycle)
			test.machine.w = w
			err := w.Walk(&test.machine)
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("Walk: %v, want an error with %q", err, test.says)
			}
		})
	}
}

// Laps that are cut short or that lose a callback must not pass as a
// measurement.
func TestRunChecksCounts(t *testing.T) {
	w := ByID(Cross)
	if err := w.Run(&script{w: w, forgetExit: true}, 50); err == nil {
		t.Error("50 laps without exits passed")
	}
	if err := w.Run(&script{w: w, turnDown: true}, 50); !errors.Is(err, ErrNotTaken) {
		t.Errorf("got %v, want %v", err, ErrNotTaken)
	}
}

func TestEveryWorkloadIsWellFormed(t *testing.T) {
	for _, w := range All() {
		if n := len(w.Events); n != len(w.Visits) || n != 2 && n != 6 {
			t.Errorf("%s: %d events, %d visits", w.ID, n, len(w.Visits))
		}
		if w.Title == "" || ByID(w.ID).Title != w.Title {
			t.Errorf("%s: no title of its own", w.ID)
		}
	}
}
