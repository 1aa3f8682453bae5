package crash

import (
	"os"
	"testing"
)

// inMemory is where a system keeps files in memory. A kill leaves there what
// it leaves on a disk, and a sync costs nothing.
const inMemory = "/dev/shm"

// folder makes one, in memory where that can be. Who makes many removes each
// when it is looked at: memory is small.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(inMemory, "detent-crash-")
	if err != nil {
		dir, err = os.MkdirTemp("", "detent-crash-")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
