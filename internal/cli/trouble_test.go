package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A full disk refuses what it cannot store, says so with what to do, and loses
// nothing: with space again, the session goes on from where it was.
func TestAFullDisk(t *testing.T) {
	s := newShop(t)
	s.detent("run", "turnstile.yaml", "--id", "t", "--event", "coin", "--until", "open")
	s.pages = 60 // 4 KiB each
	large := `push={"why": "` + strings.Repeat("x", 250_000) + `"}`
	code, out, err := s.detent("send", "t", large)
	if code == 0 || !strings.Contains(err, "[disk_full]") || !strings.Contains(err, "hint:") {
		t.Errorf("send ends with %d: %s%s", code, out, err)
	}
	if code, out, err = s.detent("resume", "t", "--event", large, "--until", "locked"); code == 0 || !strings.Contains(err, "[disk_full]") {
		t.Errorf("resume ends with %d: %s%s", code, out, err)
	}
	if code, out, err = s.detent("log", "t"); code != 0 || strings.Count(out, "\n") != 2 {
		t.Errorf("log ends with %d: %s%s", code, out, err)
	}
	s.pages = 0
	if code, out, err = s.detent("send", "t", large); code != 0 || !strings.Contains(out, "taken; t is active, in locked") {
		t.Errorf("with space again, send ends with %d: %s%s", code, out, err)
	}
	if code, out, err = s.detent("doctor"); code != 0 || !strings.Contains(out, "every journal whole") {
		t.Errorf("doctor ends with %d: %s%s", code, out, err)
	}
}

// A session whose chart is gone is parked with the reason; the others run on,
// and with its chart again it does, too.
func TestAChartThatIsGone(t *testing.T) {
	s := newOffice(t)
	for _, args := range [][]string{{"turnstile.yaml", "--id", "gone", "--until", "locked"}, {"clerk.yaml", "--set", "who=ann", "--id", "good", "--until", "open"}} {
		if code, out, err := s.detent(append([]string{"run"}, args...)...); code != 0 {
			t.Fatalf("run ends with %d: %s%s", code, out, err)
		}
	}
	alter(t, filepath.Join(s.folder, "detent.db"), "DELETE FROM records WHERE namespace = 'chart' AND key = (SELECT digest FROM sessions WHERE session = 'gone')")
	code, out, err := s.detent("send", "gone", "coin")
	if code == 0 || !strings.Contains(out+err, "no_such_chart") && !strings.Contains(out+err, "parked") || !strings.Contains(err, "hint:") {
		t.Errorf("send ends with %d: %s%s", code, out, err)
	}
	if code, out, err = s.detent("ps", "--status", "parked"); code != 0 || !strings.HasPrefix(out, "gone ") {
		t.Errorf("ps ends with %d: %s%s", code, out, err)
	}
	if code, out, err = s.detent("send", "good", "close"); code != 0 || !strings.Contains(out, "good is completed") {
		t.Errorf("the other: %d %s%s", code, out, err)
	}
	if code, out, err = s.detent("doctor"); code != 1 || !strings.Contains(out, "then detent resume gone") {
		t.Errorf("doctor ends with %d: %s%s", code, out, err)
	}
	if code, out, err = s.detent("resume", "gone"); code == 0 || !strings.Contains(err, "[no_such_chart]") || !strings.Contains(err, "brings the chart back") {
		t.Errorf("resume ends with %d: %s%s", code, out, err)
	}
	s.detent("run", "turnstile.yaml", "--id", "other", "--until", "locked")
	if code, out, err = s.detent("resume", "gone", "--event", "coin", "--until", "open"); code != 0 {
		t.Errorf("with its chart again, resume ends with %d: %s%s", code, out, err)
	}
}

// check reads the deployment file that run would take.
func TestCheckFindsTheDeploymentHere(t *testing.T) {
	s := newShop(t)
	write(t, filepath.Join(s.folder, "detent.yaml"), "tools: {}\n")
	t.Chdir(s.folder)
	s.folder = filepath.Join(s.folder, "charts")
	if err := os.Mkdir(s.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(s.folder, "clerk.yaml"), clerk)
	if code, out, err := s.detentAlone("check", "clerk.yaml"); code != 1 || !strings.Contains(out, `the tool "mark", which the deployment does not define`) {
		t.Errorf("check ends with %d: %s%s", code, out, err)
	}
	write(t, filepath.Join(s.folder, "detent.yaml"), "tools:\n  mark: {process: {argv: [touch, mark]}}\n")
	if code, out, err := s.detentAlone("check", "clerk.yaml"); code != 0 {
		t.Errorf("with another beside the chart, check ends with %d: %s%s", code, out, err)
	}
}
