package sqlite

import "testing"

func TestOlderThan(t *testing.T) {
	for _, c := range []struct {
		version, than string
		want          bool
	}{
		{"3.51.2", "3.51.3", true}, {"3.51.3", "3.51.3", false}, {"3.51.10", "3.51.3", false}, {"3.9.9", "3.51.3", true},
		{"4.0.0", "3.51.3", false}, {"3.52", "3.51.3", false}, {"3.51", "3.51.3", true},
	} {
		if got := olderThan(c.version, c.than); got != c.want {
			t.Errorf("%s older than %s: %t", c.version, c.than, got)
		}
	}
}
