package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An export of each format that ever was is taken in for good: leaves, data,
// the deferred event, the queued one, the timer and the call.
func TestExportsOfAllFormats(t *testing.T) {
	s := newShop(t)
	old, err := os.ReadFile("testdata/export-1.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.folder, "old.json"), old, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, err := s.detent("import", "old.json", "--id", "p"); code != 0 {
		t.Fatalf("import: %d %s", code, err)
	}
	_, out, _ := s.detent("show", "p")
	var v struct {
		Status        string
		Configuration []string
		Data          map[string]map[string]any
		Timers        []struct{ Due int64 }
		Effects       []struct{ Key, Stands string }
		Queued        int
	}
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatalf("show: %v\n%s", err, out)
	}
	if v.Status != "suspended" || !slices.Equal(v.Configuration, []string{"Travel.Place.van", "Travel.Papers.asked"}) || v.Data["Travel.Place.van"]["stops"] != 1.0 ||
		len(v.Timers) != 1 || v.Timers[0].Due != 1796270330133 || len(v.Effects) != 1 || v.Effects[0].Key != "e4dd4ba42db7c19c51e0097c8a5f2847" || v.Queued != 1 {
		t.Errorf("taken in as %s", out)
	}
	// The queued STOP is taken first, then the way out delivers what was deferred.
	code, out, errs := s.detent("resume", "p", "--event", "PAUSE", "--until", "Travel.Place.depot")
	want := []string{"detent.resume", "STOP", "PAUSE", "CLAIM"}
	if got := events(t, s, "p"); code != 0 || len(got) < 4 || !slices.Equal(got[len(got)-4:], want) {
		t.Errorf("resume: %d, the events %q, want %q at the end\n%s%s", code, got, want, out, errs)
	}
}

// events are those of a session's journal, in order.
func events(t *testing.T, s *shop, id string) []string {
	t.Helper()
	_, out, _ := s.detent("log", id, "--json")
	var names []string
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var row struct{ Event string }
		if err := d.Decode(&row); err != nil {
			t.Fatalf("log: %v\n%s", err, out)
		}
		names = append(names, row.Event)
	}
	return names
}
