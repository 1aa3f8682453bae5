// Package failpoint holds named places in the program at which a test can end
// the process, as a power cut would.
//
// A child process that is started with DETENT_FAILPOINT=NAME:N kills itself
// when it comes to the place for the N-th time. Without the variable a place
// costs one comparison.
package failpoint

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
)

// Variable is the environment variable that arms a place.
const Variable = "DETENT_FAILPOINT"

// Names are all places, in the order of an event's way. A test sees that each
// was reached.
var Names = []string{
	"step.before", "step.after", "commit.before", "commit.after", "ack.before", "ack.after",
	"claim.before", "claim.after", "call.before", "call.after", "result.before",
	"timer.before", "recover.before",
	"store.begin", "store.write", "store.sync",
}

var armed = read(os.Getenv(Variable))

type point struct {
	name string
	left atomic.Int64
}

func read(text string) *point {
	name, count, ok := strings.Cut(text, ":")
	n, err := strconv.ParseInt(count, 10, 64)
	if !ok || err != nil || n < 1 {
		return nil
	}
	p := &point{name: name}
	p.left.Store(n)
	return p
}

// Hit is a place. It does not return if it is the one to end at.
func Hit(name string) {
	if armed == nil || armed.name != name || armed.left.Add(-1) != 0 {
		return
	}
	fmt.Fprintln(os.Stderr, "failpoint", name)
	die()
}
