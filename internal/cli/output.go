package cli

import (
	"errors"
	"io"
	"sync"
	"syscall"
)

// output remembers the first error of a stream and writes nothing after it,
// so that commands need not look at each print. It may be written to from
// several goroutines.
type output struct {
	io.Writer
	err error

	mu      sync.Mutex
	passing bool // what stands on the last line is to be written over
}

// wipe empties the line on which the cursor of a terminal stands.
const wipe = "\r\x1b[K"

// Write is that of the stream until it fails. A passing line goes first.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.gone()
	return o.write(p)
}

func (o *output) write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.Writer.Write(p)
	o.err = err
	return n, err
}

func (o *output) gone() {
	if o.passing {
		o.passing = false
		_, _ = o.write([]byte(wipe)) // the error is kept
	}
}

// pass shows a line that stands until something else is written. The stream is
// a terminal, and the text has no line break.
func (o *output) pass(text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.passing = true
	_, _ = o.write([]byte(wipe + text)) // the error is kept
}

// clear takes a passing line away.
func (o *output) clear() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.gone()
}

// broken tells whether nobody reads the stream any more, as when the reader
// is "head".
func (o *output) broken() bool {
	return errors.Is(o.err, syscall.EPIPE) || errors.Is(o.err, io.ErrClosedPipe)
}
