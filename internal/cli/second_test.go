package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/store/sqlite"
)

// own makes this process carry the sessions of the shop's store, as detent
// work does, while commands come to it.
func (s *shop) own() {
	s.t.Helper()
	a := &app{env: Env{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, ReadFile: os.ReadFile},
		out: &output{Writer: io.Discard}, err: &output{Writer: io.Discard}}
	p := &location{db: filepath.Join(s.folder, "detent.db"), given: func() bool { return true }}
	h, err := a.ours(context.Background(), p, a.fileCharts("", nil, nil), "", true)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(h.close)
}

// Beside an owner every command says and does what it would have alone.
func TestCommandsBesideAnOwner(t *testing.T) {
	alone, beside := newShop(t), newShop(t)
	beside.own()
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"run turnstile.yaml --id t --event coin --until open", 0, "the session is in open"},
		{"run turnstile.yaml --id t", exitNotTaken, "detent resume t"},
		{"send t push --key k1", 0, "taken; t is active, in locked"},
		{"send t push --key k1", 0, "taken (it was sent before)"},
		{"send t coin --key k1", exitNotTaken, "knows the id"},
		{"send t push", exitNotTaken, "ignored: no transition takes the event"},
		{"send t nonsense", exitNotTaken, "refused: the chart knows no such event"},
		{"send nobody coin", exitNotTaken, `there is no session "nobody"`},
		{"suspend t --reason night", 0, "t is suspended"},
		{"send t coin", 0, "queued"},
		{"ps", 0, "suspended"},
		{"resume t --until open", 0, "the session is in open"},
		{"settle t call --failed --by ann", exitNotTaken, "whose outcome is unknown"},
		{"answer t question --approve --by ann", exitNotTaken, "hint:"},
		{"retry t", exitNotTaken, "cannot be retried"},
		{"log t", 0, "detent.suspend"},
		{"show t", 0, `"coins": 2`},
		{"verify t", 0, "whole and unchanged"},
		{"cancel t", 0, "t is cancelled"},
		{"send t coin", exitNotTaken, "is cancelled and takes no events"},
		{"delete t", 0, "t is gone"},
		{"show t", exitNotTaken, `there is no session "t"`},
	} {
		for place, s := range map[string]*shop{"alone": alone, "beside an owner": beside} {
			if code, out, err := s.detent(strings.Fields(c.args)...); code != c.code || !strings.Contains(out+err, c.want) {
				t.Errorf("%s, detent %s ends with %d, want %d and %q\n%s%s", place, c.args, code, c.code, c.want, out, err)
			}
		}
	}
}

// What the two write into the journal is the same, too.
func TestARunBesideAnOwnerIsShownAlike(t *testing.T) {
	alone, beside := newShop(t), newShop(t)
	beside.own()
	var shown []string
	for _, s := range []*shop{alone, beside} {
		code, out, err := s.detent("run", "turnstile.yaml", "--id", "t", "--event", "coin", "--event", "push", "--event", "coin", "--event", "close")
		if code != 0 {
			t.Fatalf("run ends with %d: %s%s", code, out, err)
		}
		shown = append(shown, times.ReplaceAllString(out, ""))
	}
	if shown[0] != shown[1] {
		t.Errorf("alone it shows\n%s\nbeside an owner\n%s", shown[0], shown[1])
	}
}

// Only one may own, and what only the owner may do is refused with what to do
// instead.
func TestASecondOwnerIsNoOwner(t *testing.T) {
	s := newShop(t)
	s.own()
	store, err := sqlite.Open(filepath.Join(s.folder, "detent.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := store.Acquire(t.Context()); err == nil {
		t.Error("a second process owns the store")
	}
	for _, args := range [][]string{{"run", "turnstile.yaml", "--id", "t", "--until", "locked"}, {"export", "t", "--out", "t.json"}} {
		if code, out, err := s.detent(args...); code != 0 {
			t.Fatalf("detent %s ends with %d: %s%s", args[0], code, out, err)
		}
	}
	for _, args := range [][]string{{"import", "t.json", "--id", "copy"}, {"compact"}} {
		if code, _, err := s.detent(args...); code == 0 || !strings.Contains(err, "another process owns") || !strings.Contains(err, "hint:") {
			t.Errorf("detent %s ends with %d: %s", args[0], code, err)
		}
	}
}
