package main

import (
	"bufio"
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestKillAndResume is what README shows: a session that is killed goes on in
// the very state, and its journal has every step once.
func TestKillAndResume(t *testing.T) {
	folder := t.TempDir()
	detent, db := filepath.Join(folder, "detent"), filepath.Join(folder, "detent.db")
	if out, err := exec.Command("go", "build", "-o", detent, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	chart, err := filepath.Abs("../../examples/first-chart/light.yaml")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for i, args := range [][]string{{"run", chart, "--id", "lamp"}, {"resume", "lamp"}, {"resume", "lamp"}} {
		c := exec.Command(detent, append(args, "--db", db)...)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; n < 2 && lines.Scan(); n++ {
			seen++
			if !strings.HasPrefix(lines.Text(), "   "+string(rune('0'+seen))+" ") {
				t.Errorf("life %d shows as row %d: %s", i, seen, lines.Text())
			}
		}
		c.Process.Kill()
		c.Wait()
	}
	var stderr bytes.Buffer
	send := exec.Command(detent, "send", "lamp", "stop", "--db", db)
	send.Stderr = &stderr
	if out, err := send.Output(); err != nil || !strings.Contains(string(out), "completed") {
		t.Errorf("stop: %v\n%s%s", err, out, stderr.String())
	}
	out, err := exec.Command(detent, "verify", "lamp", "--db", db).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "whole and unchanged") {
		t.Errorf("verify: %v\n%s", err, out)
	}
}
