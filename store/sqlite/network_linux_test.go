package sqlite

import (
	"errors"
	"testing"

	"github.com/detent-run/detent/statechart"
)

func TestNetworkFileSystems(t *testing.T) {
	for _, c := range []struct {
		name string
		kind uint32
		want statechart.Code
	}{
		{"NFS", 0x6969, CodeNetwork},
		{"CIFS", 0xff534d42, CodeNetwork},
		{"SMB 2", 0xfe534d42, CodeNetwork},
		{"ext4", 0xef53, ""},
		{"tmpfs", 0x01021994, ""},
		{"btrfs", 0x9123683e, ""},
	} {
		var e *statechart.Error
		err := localType("/data", c.kind)
		if got := errors.As(err, &e); got != (c.want != "") || got && (e.Code != c.want || e.Hint == "") {
			t.Errorf("%s: %v, want the code %q", c.name, err, c.want)
		}
	}
}
