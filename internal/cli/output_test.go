package cli

import (
	"bytes"
	"testing"
)

// A passing line of a terminal is gone before anything else is written.
func TestAPassingLine(t *testing.T) {
	var seen bytes.Buffer
	o := &output{Writer: &seen}
	o.pass("waits, for 1s")
	o.pass("waits, for 2s")
	if _, err := o.Write([]byte("row\n")); err != nil {
		t.Fatal(err)
	}
	o.clear()
	o.pass("waits")
	o.clear()
	want := wipe + "waits, for 1s" + wipe + "waits, for 2s" + wipe + "row\n" + wipe + "waits" + wipe
	if seen.String() != want {
		t.Errorf("the terminal gets %q, want %q", seen.String(), want)
	}
}
