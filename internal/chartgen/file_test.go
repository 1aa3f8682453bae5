package chartgen

import (
	"reflect"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// Nearly every case can be made one that a file can hold, and the case itself
// stays as it was.
func TestForFile(t *testing.T) {
	refused := 0
	for i := range uint64(500) {
		c := New(1, i)
		f := ForFile(c)
		if !reflect.DeepEqual(c, New(1, i)) {
			t.Fatalf("case %d was changed", i)
		}
		chart, err := statechart.Compile(f.Definition, Registry(f.Typed))
		if err != nil {
			refused++
			continue
		}
		if len(Play(chart, f)) < 2 {
			t.Fatalf("case %d was not played", i)
		}
		Rendered(f)
		if !reflect.DeepEqual(f, ForFile(c)) {
			t.Fatalf("case %d for a file was changed", i)
		}
	}
	if refused > 10 {
		t.Errorf("%d of 500 charts do not compile any more", refused)
	}
}
