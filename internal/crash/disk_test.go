package crash

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// D1, D2, D7: a write or a sync of the disk fails, or the power goes at it. No
// acknowledgement is lost; an engine whose disk cannot be trusted ends.
func TestDisk(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("strace is needed: .ci/run installs it")
		}
		t.Log("NOT SHOWN: faults of disks, for want of strace")
		return
	}
	faults, hit, rows := 0, 0, 0
	for _, fault := range []struct{ calls, what string }{
		{"pwrite64", "signal=KILL"}, {"fdatasync", "signal=KILL"}, {"pwrite64", "error=EIO"}, {"fdatasync", "error=EIO"}, {"pwrite64", "error=ENOSPC"},
	} {
		for _, n := range []int{1, 2, 3, 5, 9, 14, 20, 27, 35, 44, 60, 80} {
			inject := fmt.Sprintf("inject=%s:%s:when=%d", fault.calls, fault.what, n)
			dir, acks := t.TempDir(), map[string]int64{}
			if _, err := live(dir, "claim.before:3", acks); err != nil { // a store to go on with
				t.Fatal(err)
			}
			_, err := liveAs(dir, "", acks, strace, "-f", "-qqq", "-o", os.DevNull, "-e", "trace="+fault.calls, "-e", inject, os.Args[0])
			faults++
			if err != nil {
				hit++
			}
			if err != nil && strings.Contains(err.Error(), "D5") {
				t.Errorf("%s: %v", inject, err)
			}
			bad, _, err := check(dir, t.TempDir(), acks, false)
			if err != nil || len(bad) > 0 {
				t.Errorf("%s: %v\n%s", inject, err, strings.Join(bad, "\n"))
			}
			if _, err := live(dir, "", acks); err != nil {
				t.Errorf("%s: the store does not go on: %v", inject, err)
			}
			bad, n, err := check(dir, t.TempDir(), acks, true)
			if err != nil || len(bad) > 0 {
				t.Errorf("%s, gone on: %v\n%s", inject, err, strings.Join(bad, "\n"))
			}
			rows += n
		}
	}
	if hit == 0 {
		t.Error("no fault ended a process")
	}
	t.Logf("disk: %d faults, %d of them ended the process, %d journal rows, 0 bad unless said above", faults, hit, rows)
}
