package crash

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/detent-run/detent/internal/failpoint"
)

var (
	kills = flag.Int("kills", 300, "how many processes to kill")
	seed  = flag.Uint64("seed", 1, "what places and counts are drawn from")
)

// tally is what came of all rounds.
type tally struct {
	mu    sync.Mutex
	fired map[string]int
	lives int
	kills int
	acks  int
	rows  int
	bad   int
}

// live runs one life of the child and returns the place that ended it, "" if
// it came to its end.
func live(dir, point string, acks map[string]int64) (string, error) {
	return liveAs(dir, point, acks, os.Args[0])
}

// liveAs is live with a program around it.
func liveAs(dir, point string, acks map[string]int64, command ...string) (string, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), directory+"="+dir, failpoint.Variable+"="+point, "GORACE=atexit_sleep_ms=0")
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	for line := range strings.Lines(out.String()) {
		var session, id string
		var sequence int64
		if n, _ := fmt.Sscanf(line, "ack %s %s %d\n", &session, &id, &sequence); n == 3 {
			key := session + "/" + id
			if before, ok := acks[key]; ok && before != sequence {
				return "", fmt.Errorf("D5: %s was acknowledged at %d and at %d", key, before, sequence)
			}
			acks[key] = sequence
		}
	}
	place, died := strings.CutPrefix(strings.TrimSpace(complaints.String()), "failpoint ")
	switch {
	case err == nil:
		return "", nil
	case died:
		return place, nil
	}
	return "", fmt.Errorf("%w: %s", err, complaints.String())
}

// round kills a store's processes some times in a row, also while they
// recover, and lets the last one come to the end. What is left is looked at
// after each.
func round(r *rand.Rand, dir, scratch string, place string, t *tally) error {
	acks := map[string]int64{}
	lives := 1 + r.IntN(3)
	places := []string{place}
	if place == "recover.before" { // there must be something to recover
		places, lives = []string{"call.before", place}, max(lives, 2)
	}
	for i := range lives + 1 {
		point, end := "", i == lives
		if !end {
			place = failpoint.Names[r.IntN(len(failpoint.Names))]
			if i < len(places) {
				place = places[i]
			}
			point = fmt.Sprintf("%s:%d", place, count(r, place))
		}
		ended, err := live(dir, point, acks)
		if err != nil {
			return fmt.Errorf("life %d (%s): %w", i, point, err)
		}
		bad, rows, err := check(dir, scratch, acks, end)
		if err != nil {
			return fmt.Errorf("life %d (%s): %w", i, point, err)
		}
		if len(bad) > 0 {
			return fmt.Errorf("life %d (%s):\n%s", i, point, strings.Join(bad, "\n"))
		}
		t.mu.Lock()
		t.lives++
		if ended != "" {
			t.fired[ended]++
			t.kills++
		}
		if end {
			t.rows += rows
			t.acks += len(acks)
		}
		t.mu.Unlock()
	}
	return nil
}

// count draws at which visit of the place the process ends. Few lives find a
// call whose end nobody saw, and they find few.
func count(r *rand.Rand, place string) int {
	if place == "recover.before" {
		return 1
	}
	return 1 + r.IntN(12)
}

// D1, D2, D4, E1, X1–X6: a process may end at any place, and at none is
// anything lost, done twice or done in part.
func TestKill(t *testing.T) {
	all := &tally{fired: map[string]int{}}
	var wait sync.WaitGroup
	for worker := range 2 {
		wait.Go(func() {
			for n := worker; ; n += 2 {
				all.mu.Lock()
				// A few more where few were asked for: each place must fire.
				over := all.bad > 2 || all.kills >= *kills && (len(all.fired) == len(failpoint.Names) || all.kills >= 4**kills)
				all.mu.Unlock()
				if over {
					return
				}
				r := rand.New(rand.NewPCG(*seed, uint64(n)))
				dir, scratch := folder(t), folder(t)
				err := round(r, dir, scratch, failpoint.Names[n%len(failpoint.Names)], all)
				if err = errors.Join(err, os.RemoveAll(dir), os.RemoveAll(scratch)); err != nil {
					all.mu.Lock()
					all.bad++
					all.mu.Unlock()
					t.Errorf("seed %d, round %d: %v", *seed, n, err)
				}
			}
		})
	}
	wait.Wait()
	for _, name := range failpoint.Names {
		if all.fired[name] == 0 {
			t.Errorf("no process ended at %s", name)
		}
	}
	t.Logf("kill: seed %d, %d lives, %d kills at %d of %d places, %d acknowledged events, %d journal rows, %d bad",
		*seed, all.lives, all.kills, len(all.fired), len(failpoint.Names), all.acks, all.rows, all.bad)
}
