package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Entry is one line of the record: something that really happened.
type Entry struct {
	Time time.Time `json:"time"`
	// What is "handshake", once for each key; "again", a repetition that was
	// answered with the first one's credential; "limited", a 429; "lost", an
	// answer that was not given after the deed; "asked", a look-up; "told", a
	// callback that was taken.
	What       string `json:"what"`
	Key        string `json:"key"`
	Customer   string `json:"customer,omitempty"`
	Session    string `json:"session,omitempty"`
	Credential string `json:"credential,omitempty"`
	Status     int    `json:"status,omitempty"`
}

// Ledger is the bank's record: a file that lines are only added to, each of
// them synced before anybody hears of it. It may be used concurrently.
type Ledger struct {
	mu     sync.Mutex
	file   *os.File
	before []Entry
	broken error
}

// OpenLedger opens or makes the file and reads what stands there. A last line
// without its end was never synced, so nobody has heard of it: it is cut off.
func OpenLedger(name string) (*Ledger, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	l := &Ledger{file: file}
	if err := l.read(); err != nil {
		file.Close()
		return nil, fmt.Errorf("the record %s: %w", name, err)
	}
	return l, nil
}

func (l *Ledger) read() error {
	text, err := io.ReadAll(l.file)
	if err != nil {
		return err
	}
	whole := bytes.LastIndexByte(text, '\n') + 1
	number := 0
	for line := range bytes.Lines(text[:whole]) {
		number++
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("line %d is none of ours: %w", number, err)
		}
		l.before = append(l.before, e)
	}
	if err := l.file.Truncate(int64(whole)); err != nil {
		return err
	}
	_, err = l.file.Seek(int64(whole), io.SeekStart)
	return err
}

// Before lists what stood in the file when it was opened.
func (l *Ledger) Before() []Entry { return l.before }

// Add writes a line and syncs it. After an error no further line is taken:
// what stands in the file is not known then.
func (l *Ledger) Add(e Entry) error {
	e.Time = time.Now().UTC()
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken == nil {
		_, l.broken = l.file.Write(append(line, '\n'))
	}
	if l.broken == nil {
		l.broken = l.file.Sync()
	}
	return l.broken
}

// Close closes the file.
func (l *Ledger) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}
