package host_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/host"
)

func waits(r host.Retry, key string, n int) (all []int64) {
	for attempt := 1; attempt <= n; attempt++ {
		all = append(all, r.Wait(key, attempt))
	}
	return all
}

// The waits grow by the factor up to the bound; without anything said they
// begin at a second and double up to five minutes.
func TestWaitGrowsToItsBound(t *testing.T) {
	for _, c := range []struct {
		name string
		r    host.Retry
		want []int64
	}{
		{"by default", host.Retry{}, []int64{1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 256000, 300000, 300000}},
		{"its own", host.Retry{Initial: 10, Factor: 3, MaxInterval: 200}, []int64{10, 30, 90, 200, 200}},
		{"the same each time", host.Retry{Initial: 50, Factor: 1}, []int64{50, 50, 50}},
		{"a first wait past the bound", host.Retry{Initial: 900, MaxInterval: 100}, []int64{100, 100}},
		{"nonsense is the default", host.Retry{Initial: -5, Factor: 0.1, MaxInterval: -1}, []int64{1000, 2000}},
	} {
		if got := waits(c.r, "key", len(c.want)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := (host.Retry{Factor: 1e300}).Wait("key", 1000); got != 300_000 {
		t.Errorf("a wait past all numbers is %d", got)
	}
}

// X3, T2: the jitter follows from the key and the attempt, so a restart finds
// the wait that was begun, and two calls do not come back together.
func TestJitterFollowsFromTheKey(t *testing.T) {
	r := host.Retry{Initial: 1000, Factor: 2, Jitter: 0.5}
	want := waits(r, "a", 4)
	if again := waits(r, "a", 4); !slices.Equal(again, want) {
		t.Errorf("the waits of one key are %v and %v", want, again)
	}
	// These are in the stores of users: another version must give them, too.
	if fixed := []int64{1232, 2002, 4294, 11275}; !slices.Equal(want, fixed) {
		t.Errorf("the waits of the key a are %v, they were %v", want, fixed)
	}
	for attempt, wait := range want {
		plain := int64(1000) << attempt
		if wait < plain || wait > plain+plain/2 {
			t.Errorf("attempt %d waits %d, outside %d and half as much again", attempt+1, wait, plain)
		}
	}
	different := map[int64]bool{}
	for i := range 100 {
		different[r.Wait(strings.Repeat("k", i+1), 1)] = true
	}
	if len(different) < 80 {
		t.Errorf("100 keys have %d waits", len(different))
	}
}

// Who allows another attempt: the count, the failure and the list of codes.
func TestAllows(t *testing.T) {
	busy := &host.Failure{Code: "busy"}
	for _, c := range []struct {
		name    string
		r       host.Retry
		attempt int
		f       *host.Failure
		want    bool
	}{
		{"never by default", host.Retry{}, 1, busy, false},
		{"the last one", host.Retry{Max: 2}, 2, busy, true},
		{"one too many", host.Retry{Max: 2}, 3, busy, false},
		{"a code of the list", host.Retry{Max: 2, On: []string{"lost", "busy"}}, 1, busy, true},
		{"another code", host.Retry{Max: 2, On: []string{"lost"}}, 1, busy, false},
		{"no code at all", host.Retry{Max: 2, On: []string{"lost"}}, 1, nil, false},
		{"nothing known", host.Retry{Max: 2}, 1, nil, true},
		{"final whatever the list says", host.Retry{Max: 2, On: []string{"busy"}}, 1, &host.Failure{Code: "busy", Final: true}, false},
	} {
		if got := c.r.Allows(c.attempt, c.f); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// A chart's retry object, and what is wrong with others.
func TestReadRetry(t *testing.T) {
	r, err := host.ReadRetry(map[string]any{"max": int64(3), "initial": "500ms", "factor": int64(2), "maxInterval": int64(9000), "jitter": 0.1, "on": []any{"busy"}})
	if err != nil || r.Max != 3 || r.Initial != 500 || r.Factor != 2 || r.MaxInterval != 9000 || r.Jitter != 0.1 || !slices.Equal(r.On, []string{"busy"}) {
		t.Errorf("got %+v (%v)", r, err)
	}
	for _, c := range []struct {
		name string
		v    any
		want string
	}{
		{"max", int64(1001), "retry.max: 0 to 1000, not 1001"},
		{"max", int64(-1), "retry.max: 0 to 1000, not -1"},
		{"max", 2.5, "retry.max: must be a whole number"},
		{"initial", "soon", `retry.initial: "soon" is no duration; write 500ms, 45s or 15m`},
		{"factor", "two", "retry.factor: must be a number"},
		{"on", "busy", "retry.on: must be a list of codes"},
		{"on", []any{int64(1)}, "retry.on: must be a list of codes"},
		{"tries", int64(1), "retry.tries: there is no such field"},
	} {
		if _, err := host.ReadRetry(map[string]any{c.name: c.v}); err == nil || err.Error() != c.want {
			t.Errorf("%s %v: got %v, want %s", c.name, c.v, err, c.want)
		}
	}
}
