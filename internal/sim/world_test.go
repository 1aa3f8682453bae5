package sim

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
)

// trace runs three workers that wait and sleep, and says in which order.
func trace(seed uint64) string {
	w := New(seed)
	r := w.Runtime()
	var out []string
	done := 0
	for i := range 3 {
		r.Go(fmt.Sprint("worker ", i), func() {
			for k := range 4 {
				out = append(out, fmt.Sprintf("%d.%d@%d", i, k, w.Elapsed()))
				w.Sleep(context.Background(), int64(1+w.Random().IntN(3)))
			}
			done++
		})
	}
	if err := w.Run(func() bool { return done == 3 }, 1000); err != nil {
		out = append(out, err.Error())
	}
	return strings.Join(out, " ")
}

func TestOneSeedIsOneRun(t *testing.T) {
	if a, b := trace(7), trace(7); a != b {
		t.Errorf("one seed gave\n%s\nand\n%s", a, b)
	}
	if trace(7) == trace(8) && trace(7) == trace(9) {
		t.Error("the seed changes nothing")
	}
}

func TestGates(t *testing.T) {
	w := New(1)
	r := w.Runtime()
	g := r.Gate()
	var got []error
	ctx, cancel := context.WithCancel(context.Background())
	err := w.Do("waiter", 100, func() {
		g.Open()
		g.Open() // counts once
		got = append(got, g.Wait(ctx, 0), g.Wait(ctx, r.Now()+50))
		w.Jump(-1000)
		got = append(got, g.Wait(ctx, r.Now()+50))
		cancel()
		got = append(got, g.Wait(ctx, 0))
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []error{nil, durable.ErrTime, durable.ErrTime, context.Canceled}
	if fmt.Sprint(got) != fmt.Sprint(want) || w.Elapsed() != 100 {
		t.Errorf("got %v after %d ms, want %v after 100", got, w.Elapsed(), want)
	}
	if err := w.Run(func() bool { return false }, 10); err == nil || !strings.Contains(err.Error(), "nothing can go on") {
		t.Errorf("an empty world says %v", err)
	}
}

func TestACrashEndsTheEnginesGoroutines(t *testing.T) {
	w := New(1)
	r := w.Runtime()
	ran, deferred := 0, 0
	for range 3 {
		r.Go("worker", func() {
			defer func() { deferred++ }()
			w.Sleep(context.Background(), 10)
			ran++
		})
	}
	client := w.Start("client", func() { w.Sleep(context.Background(), 100) })
	if err := w.Run(func() bool { return w.Steps() == 4 }, 100); err != nil {
		t.Fatal(err)
	}
	w.Crash()
	if err := w.Run(client, 100); err != nil || ran != 0 || deferred != 3 {
		t.Errorf("%d went on, %d were ended: %v", ran, deferred, err)
	}
}
