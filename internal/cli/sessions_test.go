package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const turnstile = `id: turnstile
initial: locked
context: {coins: 0}
states:
  locked:
    on: {coin: {target: open, actions: [{assign: {coins: "${ coins + 1 }"}}]}}
  open:
    on: {push: locked, close: shut}
  shut: {type: final, output: {coins: "${ coins }"}}
  unreached: {invoke: {src: human:approve, onDone: shut, onError: shut}}
`

// shop is a folder with a chart and a store.
type shop struct {
	t      *testing.T
	folder string
	pages  int64 // bound of the store's file
}

func newShop(t *testing.T) *shop {
	s := &shop{t: t, folder: t.TempDir()}
	if err := os.WriteFile(filepath.Join(s.folder, "turnstile.yaml"), []byte(turnstile), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// detent runs one command line; FILE and the store stand in the shop's folder.
func (s *shop) detent(args ...string) (code int, out, err string) {
	s.t.Helper()
	return s.detentAlone(append(args, "--db", "detent.db")...)
}

// detentAlone is the same without naming the store.
func (s *shop) detentAlone(args ...string) (code int, out, err string) {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	for i, a := range args {
		if strings.HasSuffix(a, ".yaml") || strings.HasSuffix(a, ".json") || strings.HasSuffix(a, ".db") {
			args[i] = filepath.Join(s.folder, a)
		}
	}
	env := Env{In: strings.NewReader(""), Out: &stdout, Err: &stderr, ReadFile: os.ReadFile, StorePages: s.pages,
		WriteFile: func(name string, data []byte) error { return os.WriteFile(name, data, 0o600) }}
	code = Run(env, args)
	return code, stdout.String(), stderr.String()
}

var times = regexp.MustCompile(` +\+[0-9.]+s`)

func TestRunAndResume(t *testing.T) {
	s := newShop(t)
	code, out, err := s.detent("run", "turnstile.yaml", "--id", "t", "--event", "coin", "--until", "open")
	if code != 0 || !strings.Contains(err, "the session is in open") {
		t.Fatalf("run: %d\n%s%s", code, out, err)
	}
	want := "   1  detent.init                 locked\n   2  coin                        locked → open\n"
	if got := times.ReplaceAllString(out, ""); got != want {
		t.Errorf("run shows\n%swant\n%s", got, want)
	}
	code, _, err = s.detent("run", "turnstile.yaml", "--id", "t")
	if code != exitNotTaken || !strings.Contains(err, "detent resume t") {
		t.Errorf("run of the same id: %d %s", code, err)
	}
	code, out, err = s.detent("resume", "t", "--event", "push", "--event", "coin", "--event", "close")
	if code != 0 || !strings.Contains(out, "open → shut") || !strings.Contains(err, `with {"coins": 2}`) {
		t.Errorf("resume: %d\n%s%s", code, out, err)
	}
	code, out, _ = s.detent("log", "t", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var last map[string]any
	if code != 0 || len(lines) != 5 || json.Unmarshal([]byte(lines[4]), &last) != nil || last["event"] != "close" || last["outcome"] != "taken" {
		t.Errorf("log: %d\n%s", code, out)
	}
	for _, key := range []string{"sequence", "time", "event", "outcome", "from", "to", "took", "data", "effects", "reason", "hash"} {
		if _, ok := last[key]; !ok {
			t.Errorf("a row of log has no %s", key)
		}
	}
	if code, out, err = s.detent("verify", "t"); code != 0 || !strings.Contains(out, "5 rows, whole and unchanged") {
		t.Errorf("verify: %d %s%s", code, out, err)
	}
	if code, out, err = s.detent("doctor"); code != 0 || !strings.Contains(out, "is well: 1 session,") {
		t.Errorf("doctor: %d %s%s", code, out, err)
	}
}

func TestSendSaysWhatBecameOfIt(t *testing.T) {
	s := newShop(t)
	s.detent("run", "turnstile.yaml", "--id", "t", "--until", "locked")
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"send", "t", "coin", "--key", "k1"}, 0, "taken; t is active, in open"},
		{[]string{"send", "t", "coin", "--key", "k1"}, 0, "taken (it was sent before)"},
		{[]string{"send", "t", "coin"}, exitNotTaken, "ignored: no transition takes the event"},
		{[]string{"send", "t", "nonsense"}, exitNotTaken, "refused: the chart knows no such event"},
		{[]string{"send", "t", "push", "--key", "k1"}, exitNotTaken, "knows the id"},
		{[]string{"send", "nobody", "coin"}, exitNotTaken, `there is no session "nobody"`},
		{[]string{"suspend", "t", "--reason", "night"}, 0, "t is suspended"},
		{[]string{"send", "t", "push"}, 0, "queued"},
		{[]string{"ps"}, 0, "suspended"},
		{[]string{"show", "t"}, 0, `"status": "suspended"`},
		{[]string{"resume", "t", "--until", "locked"}, 0, "the session is in locked"},
		{[]string{"cancel", "t"}, 0, "t is cancelled"},
		{[]string{"send", "t", "coin"}, exitNotTaken, "is cancelled and takes no events"},
		{[]string{"retry", "t"}, exitNotTaken, "cannot be retried"},
		{[]string{"resume", "t"}, 1, "the session is cancelled"},
		{[]string{"export", "t", "--out", "t.json"}, 0, "wrote t"},
		{[]string{"delete", "t"}, 0, "t is gone"},
		{[]string{"pending"}, 0, "nothing waits for a person"},
		{[]string{"backup", "copy.db"}, 0, "wrote"},
	} {
		code, out, err := s.detent(test.args...)
		if code != test.code || !strings.Contains(out+err, test.want) {
			t.Errorf("%s: exit code %d, want %d\n%s%s", strings.Join(test.args, " "), code, test.code, out, err)
		}
	}
}

func TestAStoreThatIsNone(t *testing.T) {
	s := newShop(t)
	if code, _, err := s.detent("ps"); code != 1 || !strings.Contains(err, "there is no store") {
		t.Errorf("no file: %d %s", code, err)
	}
	if err := os.WriteFile(filepath.Join(s.folder, "detent.db"), []byte(strings.Repeat("no store ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, err := s.detent("run", "turnstile.yaml"); code != 1 || !strings.Contains(err, "hint:") {
		t.Errorf("another file: %d %s", code, err)
	}
}
