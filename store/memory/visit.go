package memory

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/detent-run/detent/durable"
)

// request is one that was asked, by id.
type request struct {
	body, reply []byte
	replied     bool
	epoch       uint64 // in which it was replied to
}

// Ask leaves a request for the owner. The same request twice is one.
func (s *Store) Ask(ctx context.Context, r durable.Request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(ctx); err != nil {
		return err
	}
	if before := s.asked[r.ID]; before != nil {
		if !bytes.Equal(before.body, r.Body) {
			return fmt.Errorf("another request has the id %q", r.ID)
		}
		return nil
	}
	body := bytes.Clone(r.Body)
	s.asked[r.ID] = &request{body: body}
	s.requests = append(s.requests, durable.Request{ID: r.ID, Body: body})
	return nil
}

// Answered returns the reply to a request.
func (s *Store) Answered(ctx context.Context, id string) (reply []byte, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(ctx); err != nil {
		return nil, false, err
	}
	r := s.asked[id]
	if r == nil || !r.replied {
		return nil, false, nil
	}
	return bytes.Clone(r.reply), true, nil
}

// Requests lists those without a reply, oldest first.
func (s *Store) Requests(ctx context.Context, limit int) ([]durable.Request, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	var out []durable.Request
	for _, r := range s.requests[:min(max(limit, 0), len(s.requests))] {
		out = append(out, durable.Request{ID: r.ID, Body: bytes.Clone(r.Body)})
	}
	return out, nil
}

// Reply stores the reply to a request. A request that has one keeps the first.
func (s *Store) Reply(ctx context.Context, epoch uint64, id string, reply []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(ctx); err != nil {
		return err
	}
	if s.owners == 0 || epoch != s.epoch {
		return fmt.Errorf("%w: it has epoch %d, this one %d", durable.ErrFenced, s.epoch, epoch)
	}
	if r := s.asked[id]; r != nil && !r.replied {
		r.reply, r.replied, r.epoch = bytes.Clone(reply), true, epoch
		s.requests = slices.DeleteFunc(s.requests, func(x durable.Request) bool { return x.ID == id })
	}
	return nil
}

// forget drops replies from before the last owner: nobody waits for them any
// more. The caller holds mu.
func (s *Store) forget() {
	for id, r := range s.asked {
		if r.replied && r.epoch+1 < s.epoch {
			delete(s.asked, id)
		}
	}
}
