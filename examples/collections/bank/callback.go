package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"time"
)

// rule is what the bank answers a case with: a small program that says what
// is to be paid.
const rule = `# Half of what is owed, in four parts.
def main(case):
    owed = 2400
    return {"customer": case["customer"], "pay": owed // 2, "parts": [owed // 8] * 4}
`

// Waits between two tries of a callback begin with pause and grow.
const (
	pause   = 500 * time.Millisecond
	longest = 30 * time.Second
)

// Tell makes the bank call a program for each handshake, some time after it,
// until the program takes it. Those of former days that were never taken are
// made up for. It must be called before the bank serves; the callbacks end
// with ctx.
func (b *Bank) Tell(ctx context.Context, command []string, after time.Duration) {
	b.tell = func(key string, h Handshake) {
		b.told.Go(func() { b.callBack(ctx, command, after, key, h) })
	}
	for key, h := range b.made {
		if !b.heard[key] && h.Session != "" {
			b.tell(key, h)
		}
	}
}

// callBack tries until the program ends well. The key makes the event one,
// however often it is sent.
func (b *Bank) callBack(ctx context.Context, command []string, wait time.Duration, key string, h Handshake) {
	data, err := json.Marshal(map[string]string{"status": "ok", "file": rule})
	if err != nil {
		return
	}
	args := append(command[1:len(command):len(command)], h.Session, "CALLBACK="+string(data), "--key", "bank-"+key)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		out, err := exec.CommandContext(ctx, command[0], args...).CombinedOutput()
		if err == nil {
			b.log.Info("the callback was taken", "session", h.Session, "key", key)
			if err := b.ledger.Add(Entry{What: "told", Key: key, Customer: h.Customer, Session: h.Session}); err != nil {
				b.log.Error("the record cannot be written", "problem", err)
			}
			return
		}
		b.log.Warn("the callback was not taken", "session", h.Session, "problem", err, "output", strings.TrimSpace(string(bytes.ToValidUTF8(out, nil))))
		wait = min(max(2*wait, pause), longest)
	}
}
