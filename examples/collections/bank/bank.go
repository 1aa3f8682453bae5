package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
)

// Mood is how unpleasant the bank is. It can be changed while it is open.
type Mood struct {
	// Limit is how many of the next handshakes are answered with 429 and not
	// made.
	Limit int `json:"limit"`
	// Lose is how many of the next handshakes are made without an answer: the
	// connection is closed.
	Lose int `json:"lose"`
	// Mute makes every question whether a handshake happened end with 503.
	Mute bool `json:"mute"`
	// Hold is "before" or "after": handshakes stop before or after the deed,
	// and go on when the mood no longer says so. Empty: they do not stop.
	Hold string `json:"hold"`
}

// Handshake is what a customer's case has with the bank.
type Handshake struct {
	Credential string `json:"credential"`
	Customer   string `json:"customer"`
	Session    string `json:"session,omitempty"`
}

// Bank is an [http.Handler]. It may be used concurrently.
type Bank struct {
	routes http.Handler
	ledger *Ledger
	log    *slog.Logger
	tell   func(key string, h Handshake) // nil: nobody is called back
	told   sync.WaitGroup

	mu      sync.Mutex
	mood    Mood
	changed chan struct{} // closed when the mood changes
	made    map[string]Handshake
	heard   map[string]bool // keys whose callback was taken
}

// New opens a bank with what its ledger says of former days.
func New(l *Ledger, m Mood, log *slog.Logger) *Bank {
	b := &Bank{ledger: l, mood: m, log: log, changed: make(chan struct{}), made: map[string]Handshake{}, heard: map[string]bool{}}
	for _, e := range l.Before() {
		switch e.What {
		case "handshake":
			b.made[e.Key] = Handshake{Credential: e.Credential, Customer: e.Customer, Session: e.Session}
		case "told":
			b.heard[e.Key] = true
		}
	}
	b.routes = b.handler()
	return b
}

// ServeHTTP is [http.Handler.ServeHTTP].
func (b *Bank) ServeHTTP(w http.ResponseWriter, r *http.Request) { b.routes.ServeHTTP(w, r) }

// Mood is how the bank is at present.
func (b *Bank) Mood() Mood {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.mood
}

// SetMood changes it.
func (b *Bank) SetMood(m Mood) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mood = m
	close(b.changed)
	b.changed = make(chan struct{})
}

// hold waits while the mood says so. It ends early with ctx.
func (b *Bank) hold(ctx context.Context, where string) error {
	for {
		b.mu.Lock()
		held, changed := b.mood.Hold == where, b.changed
		b.mu.Unlock()
		if !held {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// limited uses up one refusal, if there are any left.
func (b *Bank) limited(key string) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.mood.Limit <= 0 {
		return false, nil
	}
	b.mood.Limit--
	return true, b.ledger.Add(Entry{What: "limited", Key: key, Status: http.StatusTooManyRequests})
}

// shake makes the handshake of a key, or finds the one that was made. The
// record has it before it is true.
func (b *Bank) shake(key string, h Handshake) (made Handshake, first bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if before, ok := b.made[key]; ok {
		if before.Customer != h.Customer {
			return before, false, errOtherCustomer
		}
		return before, false, b.ledger.Add(Entry{What: "again", Key: key, Customer: h.Customer, Credential: before.Credential})
	}
	h.Credential = fmt.Sprintf("k-%d", len(b.made)+1)
	if err := b.ledger.Add(Entry{What: "handshake", Key: key, Customer: h.Customer, Session: h.Session, Credential: h.Credential}); err != nil {
		return Handshake{}, false, err
	}
	b.made[key] = h
	return h, true, nil
}

// loses uses up one lost answer, if there are any left.
func (b *Bank) loses(key string) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.mood.Lose <= 0 {
		return false, nil
	}
	b.mood.Lose--
	return true, b.ledger.Add(Entry{What: "lost", Key: key})
}

// find says whether a handshake was made.
func (b *Bank) find(key string) (h Handshake, status int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	h, ok := b.made[key]
	switch {
	case b.mood.Mute:
		status = http.StatusServiceUnavailable
	case ok:
		status = http.StatusOK
	default:
		status = http.StatusNotFound
	}
	return h, status, b.ledger.Add(Entry{What: "asked", Key: key, Status: status})
}

// Wait returns when no callback is under way.
func (b *Bank) Wait() { b.told.Wait() }
