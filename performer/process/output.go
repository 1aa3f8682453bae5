package process

import (
	"strings"
	"sync"

	"github.com/detent-run/detent/performer"
)

// head keeps the first bytes of what is written to it.
type head struct {
	mu    sync.Mutex
	data  []byte
	limit int64
	cut   bool
	alive func() // called on each write; may be nil
}

func (h *head) Write(p []byte) (int, error) {
	if h.alive != nil {
		h.alive()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	n := min(int64(len(p)), h.limit-int64(len(h.data)))
	h.data = append(h.data, p[:n]...)
	h.cut = h.cut || n < int64(len(p))
	return len(p), nil
}

func (h *head) read() (data []byte, cut bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.data, h.cut
}

// tail keeps the last bytes of what is written to it. It keeps many more than
// are shown: where they were cut, half a secret may stand.
type tail struct {
	mu    sync.Mutex
	data  []byte
	alive func()
}

const (
	keptTail  = 64 << 10
	shownTail = 2 << 10
)

func (t *tail) Write(p []byte) (int, error) {
	if t.alive != nil {
		t.alive()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if len(t.data) > 2*keptTail {
		t.data = append(t.data[:0], t.data[len(t.data)-keptTail:]...)
	}
	return len(p), nil
}

// text is what is shown: the end, without secrets.
func (t *tail) text(redact func(string) string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := performer.CleanText(t.data)
	if redact != nil {
		text = redact(text)
	}
	text = strings.TrimSpace(text)
	if len(text) > shownTail {
		text = "…" + strings.ToValidUTF8(text[len(text)-shownTail:], "")
	}
	return text
}
