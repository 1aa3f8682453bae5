package sqlite

import (
	"reflect"
	"testing"

	"github.com/detent-run/detent/durable"
)

// What was cut or is longer than it was is no head.
func TestHeadIsReadWhole(t *testing.T) {
	want := durable.Head{Sequence: 1 << 30, Hash: "abc", Format: 1, Priority: -5, ParentKey: "key", Depth: 3, Created: 1, Since: -1, Ready: true, Reason: []byte("{}")}
	b := packHead(&want)
	var got durable.Head
	if !unpackHead(b, &got) || !reflect.DeepEqual(got, want) {
		t.Fatalf("read %+v, want %+v", got, want)
	}
	for n := range b {
		if unpackHead(b[:n], &got) {
			t.Errorf("%d of %d bytes are read as a head", n, len(b))
		}
	}
	if unpackHead(append(b, 0), &got) {
		t.Error("a byte too many is read as a head")
	}
}
