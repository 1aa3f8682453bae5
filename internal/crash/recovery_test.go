package crash

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// beginnings are the places that a process comes to while it opens a store
// and takes up what a killed one has left: the lock, the epoch, the calls that
// nobody saw the end of, and the first commit and call of its own.
var beginnings = []string{"store.begin:1", "store.sync:1", "recover.before:1", "commit.before:1", "store.begin:2", "store.write:1", "store.write:2",
	"store.write:3", "store.sync:2", "commit.after:1", "ack.before:1", "ack.after:1", "claim.before:1", "claim.after:1", "call.before:1"}

// middles leave something to take up: a call that runs, a result, a timer, a
// commit without its acknowledgement.
var middles = []string{"call.before", "call.after", "claim.after", "result.before", "timer.before", "commit.after", "store.sync", "step.after"}

// D1, D2, X1, X4: a process that dies while it takes up what a killed one has
// left, and the next one that dies at that, too, lose nothing and do nothing
// twice. What recovery decides is stored before anything is done by it: no
// attempt is on the tool's record that was not claimed.
func TestKillInRecovery(t *testing.T) {
	fired := map[string]int{}
	kills, acknowledged, rows := 0, 0, 0
	for n, again := range slices.Concat(beginnings, beginnings) {
		r := rand.New(rand.NewPCG(*seed, uint64(n)))
		dir, scratch, acks := folder(t), folder(t), map[string]int64{}
		first := fmt.Sprintf("%s:%d", middles[n%len(middles)], 3+r.IntN(5))
		for life, point := range []string{first, again, beginnings[r.IntN(len(beginnings))], ""} {
			ended, err := live(dir, point, acks)
			var bad []string
			last := 0
			if err == nil {
				bad, last, err = check(dir, scratch, acks, point == "")
			}
			if err != nil || len(bad) > 0 {
				t.Errorf("seed %d, round %d, life %d (%s): %v\n%s", *seed, n, life, point, err, strings.Join(bad, "\n"))
				break
			}
			switch {
			case point == "":
				rows += last
			case ended != "" && life > 0:
				fired[point]++
				kills++
			case ended != "":
				kills++
			}
		}
		acknowledged += len(acks)
		if err := errors.Join(os.RemoveAll(dir), os.RemoveAll(scratch)); err != nil {
			t.Error(err)
		}
	}
	for _, point := range beginnings {
		if fired[point] == 0 {
			t.Errorf("no process ended at %s while it took up a killed one's store", point)
		}
	}
	t.Logf("kill in recovery: seed %d, %d kills, %d of them at %d of %d places while a killed store was taken up; %d acknowledged events, %d journal rows",
		*seed, kills, sum(fired), len(fired), len(beginnings), acknowledged, rows)
}

func sum(of map[string]int) (n int) {
	for v := range maps.Values(of) {
		n += v
	}
	return n
}
