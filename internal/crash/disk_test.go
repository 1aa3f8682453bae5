package crash

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// fault is what strace does to a call of the system, at its n-th visit by one
// thread.
type fault struct{ call, what string }

func (f fault) at(n int) string { return fmt.Sprintf("inject=%s:%s:when=%d", f.call, f.what, n) }

func (f fault) kills() bool { return strings.HasPrefix(f.what, "signal") }

// hits are the files at which the fault came, by strace's record. A call that
// the process was killed at has no result there.
func (f fault) hits(dir, record string, ended error) (files []string) {
	killed := f.kills() && ended != nil && strings.Contains(ended.Error(), "signal: killed")
	last, open := "", map[string]string{} // thread → the file of the call that it is in
	for line := range strings.Lines(record) {
		thread, _, _ := strings.Cut(line, " ")
		if m := struck.FindStringSubmatch(line); m != nil && m[1] == f.call {
			last = "the folder"
			if m[2] != dir {
				last = shorter.ReplaceAllString(filepath.Base(m[2]), ".new")
			}
			open[thread] = last
		}
		if strings.Contains(line, "(INJECTED)") {
			files = append(files, open[thread])
		}
	}
	if killed {
		files = append(files, last)
	}
	return files
}

var (
	struck  = regexp.MustCompile(`^\d+ +(\w+)\(\d+<([^>]*)>`)
	shorter = regexp.MustCompile(`\.new-\d+`)
)

// D1, D2, D7: a write or a sync of the disk fails, or the process dies at it.
// No acknowledgement is lost; an engine whose disk cannot be trusted ends.
// strace counts the calls of each thread for itself, so some numbers are never
// reached: then the fault comes at an earlier one. Each of them fires.
func TestDisk(t *testing.T) {
	strace := needStrace(t, "faults of disks")
	if strace == "" {
		return
	}
	type drawn struct {
		fault
		n int
	}
	queue := make(chan drawn)
	all := struckTally{where: map[string]int{}}
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			for d := range queue {
				all.strike(t, strace, d.fault, d.n)
			}
		})
	}
	for _, f := range []fault{{"pwrite64", "signal=KILL"}, {"fdatasync", "signal=KILL"}, {"pwrite64", "error=EIO"}, {"fdatasync", "error=EIO"}, {"pwrite64", "error=ENOSPC"}} {
		for _, n := range []int{1, 2, 3, 5, 9, 14, 20, 27, 35, 44, 60, 80} {
			queue <- drawn{f, n}
		}
	}
	close(queue)
	wait.Wait()
	slices.Sort(all.goneOn)
	t.Logf("disk: %d faults, all of them fired unless said above (%d at an earlier call than drawn), at %s", all.faults, all.earlier, counts(all.where))
	t.Logf("disk: %d ended the process, %d did not %v; %d journal rows, %d bad", all.faults-len(all.goneOn), len(all.goneOn), all.goneOn, all.rows, all.bad)
}

// counts lists them in order.
func counts(of map[string]int) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		list = append(list, fmt.Sprintf("%s %d", name, of[name]))
	}
	return strings.Join(list, ", ")
}

// struckTally is what came of all faults.
type struckTally struct {
	sync.Mutex
	faults, earlier, rows, bad int
	where                      map[string]int
	goneOn                     []string
}

// strike lets one fault happen, at the n-th call or before.
func (all *struckTally) strike(t *testing.T, strace string, f fault, drawn int) {
	missed := 0 // at the very first call
	for n := drawn; ; n = max(1, n*2/3) {
		dir, scratch := folder(t), folder(t)
		s, err := strike(dir, scratch, strace, f, n)
		err = errors.Join(err, os.RemoveAll(dir), os.RemoveAll(scratch))
		if err == nil && len(s.files) == 0 && (n > 1 || missed < 3) {
			if n == 1 {
				missed++ // strace has let a life through: once more
			}
			continue
		}
		if err == nil && len(s.files) == 0 {
			err = errors.New("it did not fire")
		}
		all.Lock()
		defer all.Unlock()
		if err != nil {
			all.bad++
			t.Errorf("%s: %v", f.at(n), err)
		}
		all.faults++
		all.rows += s.rows
		if n < drawn {
			all.earlier++
		}
		s.files = slices.Compact(s.files)
		for _, file := range s.files {
			all.where[f.call+" of "+file]++
		}
		if !s.ended {
			all.goneOn = append(all.goneOn, fmt.Sprint(f.at(n), " ", s.files))
		}
		return
	}
}

// struckLife is a life with a fault in it.
type struckLife struct {
	files []string // at which files the fault came
	ended bool     // the process ended by it
	rows  int
}

// strike prepares a store that was killed, lets the fault come into its next
// life, and carries it on to its end.
func strike(dir, scratch, strace string, f fault, n int) (s struckLife, err error) {
	acks := map[string]int64{}
	if _, err := live(dir, "claim.before:3", acks); err != nil {
		return s, err
	}
	log := filepath.Join(scratch, "trace")
	_, ended := liveAs(dir, "", acks, strace, "-f", "--seccomp-bpf", "-qqq", "-y", "-o", log, "-e", "signal=none", "-e", "trace="+f.call, "-e", f.at(n), os.Args[0])
	text, err := os.ReadFile(log)
	if err != nil {
		return s, err
	}
	s.files, s.ended = f.hits(dir, string(text), ended), ended != nil
	if err := f.judge(s, ended); err != nil {
		return s, err
	}
	if bad, _, err := check(dir, scratch, acks, false); err != nil || len(bad) > 0 {
		return s, fmt.Errorf("%v\n%s", err, strings.Join(bad, "\n"))
	}
	if _, err := live(dir, "", acks); err != nil {
		return s, fmt.Errorf("the store does not go on: %w", err)
	}
	bad, rows, err := check(dir, scratch, acks, true)
	if err == nil && len(bad) > 0 {
		err = fmt.Errorf("gone on:\n%s", strings.Join(bad, "\n"))
	}
	s.rows = rows
	return s, err
}

// judge says what is wrong with how the life ended.
func (f fault) judge(s struckLife, ended error) error {
	switch {
	case len(s.files) == 0 && ended != nil:
		return fmt.Errorf("nothing was struck, and the process ended: %w", ended)
	case len(s.files) > 0 && f.kills() && ended == nil:
		return errors.New("the kill did not end the process")
	case ended != nil && strings.Contains(ended.Error(), "D5"):
		return ended
	case f == fault{"fdatasync", "error=EIO"} && slices.Contains(s.files, "store.db-wal") && (ended == nil || !strings.Contains(ended.Error(), "the store failed")):
		return fmt.Errorf("D7: a sync failed and the engine went on, or did not say that the store failed: %v", ended)
	}
	return nil
}
