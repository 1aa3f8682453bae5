package sqlite

import (
	"errors"
	"io/fs"
	"os"

	"github.com/detent-run/detent/durable"
)

// Owned tells whether anybody owns the store now, this process included. It
// takes the lock for a moment to see: an owner that comes in that moment finds
// the store owned and tries again.
func (s *Store) Owned() (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock != nil {
		return true, nil
	}
	name := s.path + "-lock"
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return false, nil // nobody ever did
	}
	lock, err := takeLock(name)
	if errors.Is(err, durable.ErrOwned) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, lock.release()
}
