package failpoint_test

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/failpoint"
)

// visitsVariable makes this binary a child that visits places, in this order.
const visitsVariable = "DETENT_TEST_VISITS"

func TestMain(m *testing.M) {
	if visits := os.Getenv(visitsVariable); visits != "" {
		for name := range strings.SplitSeq(visits, " ") {
			failpoint.Hit(name)
			os.Stdout.WriteString(name + "\n")
		}
		defer os.Stdout.WriteString("the end\n")
		return
	}
	os.Exit(m.Run())
}

// A process ends at the place and the visit that it was told, at once, and at
// no other.
func TestHit(t *testing.T) {
	for _, c := range []struct{ name, armed, visits, want string }{
		{"the first visit", "a:1", "a b", ""},
		{"the third visit", "a:3", "a b a b a b", "a b a b"},
		{"not so many visits", "a:4", "a b a b a", "a b a b a the end"},
		{"another place", "c:1", "a b", "a b the end"},
		{"not armed", "", "a b", "a b the end"},
		{"no count", "a", "a b", "a b the end"},
		{"a count that is none", "a:x", "a b", "a b the end"},
		{"a count of nothing", "a:0", "a b", "a b the end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), visitsVariable+"="+c.visits, failpoint.Variable+"="+c.armed)
			var out, complaints bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &complaints
			err := cmd.Run()
			if got := strings.Join(strings.Split(strings.TrimSpace(out.String()), "\n"), " "); got != c.want {
				t.Errorf("the child came to %q, want %q", got, c.want)
			}
			died := !strings.HasSuffix(c.want, "the end")
			if died != (err != nil) || died && complaints.String() != "failpoint "+c.armed[:1]+"\n" {
				t.Errorf("it ended with %v and %q", err, complaints.String())
			}
		})
	}
}

// The list has each place once.
func TestNames(t *testing.T) {
	if sorted := slices.Sorted(slices.Values(failpoint.Names)); len(slices.Compact(sorted)) != len(failpoint.Names) {
		t.Errorf("a place stands twice in %v", failpoint.Names)
	}
}
