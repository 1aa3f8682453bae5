package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
	"github.com/detent-run/detent/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Opened {
		path := filepath.Join(t.TempDir(), "s.db")
		s := open(t, path, sqlite.Options{})
		return storetest.Opened{Store: s, Reopen: func() durable.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open(t, path, sqlite.Options{})
			return s
		}}
	})
}
