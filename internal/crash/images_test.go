package crash

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

var images = flag.Int("images", 300, "how many power cuts to look at")

// cutAt is one power cut: after how many calls, and what becomes of what was
// not synced.
type cutAt struct {
	calls int
	fate  fate
	seed  uint64
}

// image is what a power cut leaves, with what had been said by then.
type image struct {
	cutAt
	files map[string][]byte
	acks  map[string]int64
	goOn  bool // let the engine carry it to its end
}

// D1, D2, D4, X1, X4: a run with two kills in it is recorded, and the power
// goes at every sync and between. Nothing that was said is missing, no step is
// there in part, no call was made whose claim is not there.
func TestImages(t *testing.T) {
	strace := needStrace(t, "power cuts")
	if strace == "" {
		return
	}
	dir, acks := t.TempDir(), map[string]int64{}
	run := recording{scratch: t.TempDir(), open: map[string]begun{}}
	for _, point := range []string{"call.before:5", "commit.after:9", ""} {
		if err := record(strace, dir, point, acks, &run); err != nil {
			t.Fatal(err)
		}
	}
	if bad, _, err := check(dir, t.TempDir(), acks, true); err != nil || len(bad) > 0 {
		t.Fatalf("the recorded run itself: %v\n%s", err, strings.Join(bad, "\n"))
	}
	var mu sync.Mutex
	var wait sync.WaitGroup
	queue := make(chan image)
	tally := map[fate]int{}
	wentOn, bad := 0, 0
	for range 2 {
		wait.Go(func() {
			scratch := folder(t)
			for i := range queue {
				err := look(i, folder(t), scratch)
				mu.Lock()
				tally[i.fate]++
				if i.goOn {
					wentOn++
				}
				if err != nil {
					if bad++; bad <= 3 {
						t.Errorf("seed %d, power cut after call %d of %d, unsynced writes %s: %v", i.seed, i.calls, len(run.ops), i.fate, err)
					}
				}
				mu.Unlock()
			}
		})
	}
	syncs, err := cutAll(run.ops, queue)
	close(queue)
	wait.Wait()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("power cuts: seed %d, %d recorded calls, %d syncs, %d acks; %d images (%d dropped, %d kept, %d torn), %d carried to their end, %d bad",
		*seed, len(run.ops), syncs, len(acks), tally[dropped]+tally[kept]+tally[torn], tally[dropped], tally[kept], tally[torn], wentOn, bad)
}

// sameFiles sees that the recording has everything: what it adds up to is what
// the file system holds.
func sameFiles(dir string, ops []op) error {
	d := newDisk()
	for _, o := range ops {
		if err := d.apply(o); err != nil {
			return err
		}
	}
	for name, b := range d.cut(kept, rand.New(rand.NewPCG(1, 1))) {
		real, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if string(real) != string(b) {
			return fmt.Errorf("the recording of %s has %d bytes, the file %d, or others", name, len(b), len(real))
		}
	}
	return nil
}

// cutAll plays the recording once and cuts the power where it was drawn.
func cutAll(ops []op, queue chan<- image) (syncs int, err error) {
	cuts := draw(ops)
	d := newDisk()
	for n := 0; ; n++ {
		for len(cuts) > 0 && cuts[0].calls == n {
			c := cuts[0]
			cuts = cuts[1:]
			r := rand.New(rand.NewPCG(c.seed, uint64(n)))
			queue <- image{c, d.cut(c.fate, r), maps.Clone(d.acks), c.seed%10 == 0}
		}
		if n == len(ops) {
			return syncs, nil
		}
		if ops[n].kind == opSync {
			syncs++
		}
		if err := d.apply(ops[n]); err != nil {
			return syncs, err
		}
	}
}

// draw picks the power cuts: before and after every sync, at every ack, and
// between. With fewer images than places every n-th place is taken.
func draw(ops []op) []cutAt {
	var places []cutAt
	for n, o := range ops {
		for _, at := range []int{n, n + 1} {
			switch {
			case o.kind == opSync || o.kind == opAck || o.kind == opUnlink || o.kind == opLink || o.kind == opRename:
				places = append(places, cutAt{calls: at, fate: dropped}, cutAt{calls: at, fate: kept}, cutAt{calls: at, fate: torn})
			case at == n && o.kind != opTool:
				places = append(places, cutAt{calls: at, fate: torn})
			}
		}
	}
	var cuts []cutAt
	seen := map[cutAt]bool{}
	for i := range *images {
		c := places[(i*len(places) / *images)%len(places)]
		if *images > len(places) {
			c = places[i%len(places)]
		}
		if c.fate != torn && seen[c] {
			c.fate = torn // it would be the same again
		}
		seen[c] = true
		c.seed = *seed + uint64(i)
		cuts = append(cuts, c)
	}
	slices.SortStableFunc(cuts, func(a, b cutAt) int { return cmp.Compare(a.calls, b.calls) })
	return cuts
}

// look opens what a power cut left: with the checker's own SQL, with the
// store's check and the engine's, and some are carried on to their end.
func look(i image, dir, scratch string) error {
	defer os.RemoveAll(dir)
	for name, b := range i.files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			return err
		}
	}
	if i.files["store.db"] == nil {
		if len(i.acks) > 0 {
			return fmt.Errorf("D1: there is no file, and %d events were acknowledged", len(i.acks))
		}
		return nil
	}
	bad, _, err := check(dir, scratch, i.acks, false)
	if err != nil {
		return err
	}
	found, err := verify(filepath.Join(dir, "store.db"))
	if err != nil {
		return err
	}
	if bad = append(bad, found...); len(bad) > 0 {
		return fmt.Errorf("\n%s", strings.Join(bad, "\n"))
	}
	if !i.goOn {
		return nil
	}
	if _, err := live(dir, "", i.acks); err != nil {
		return err
	}
	bad, _, err = check(dir, scratch, i.acks, true)
	if err != nil || len(bad) > 0 {
		return fmt.Errorf("carried on: %w\n%s", cmp.Or(err, fs.ErrInvalid), strings.Join(bad, "\n"))
	}
	return nil
}

// verify is what detent verify does.
func verify(path string) (bad []string, err error) {
	store, err := sqlite.Open(path, sqlite.Options{MustExist: true, Readers: 1})
	if err != nil {
		return nil, err
	}
	defer store.Close()
	ctx := context.Background()
	found, err := store.Check(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		bad = append(bad, fmt.Sprintf("D2: the store finds in %q: %s", f.Session, f))
	}
	all, err := charts()
	if err != nil {
		return nil, err
	}
	visitor, err := durable.Visit(store, durable.VisitConfig{Charts: durable.NewCharts(all...)})
	if err != nil {
		return nil, err
	}
	heads, err := visitor.List(ctx, durable.Filter{})
	if err != nil {
		return nil, err
	}
	for _, h := range heads {
		v, err := visitor.Verify(ctx, h.Session)
		if err != nil {
			return nil, err
		}
		for _, p := range v.Problems {
			bad = append(bad, fmt.Sprintf("D3, A1: %s: %s", h.Session, p))
		}
	}
	return bad, nil
}
