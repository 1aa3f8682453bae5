package cli

import (
	"bufio"
	"io"
	"strings"

	"golang.org/x/term"
)

// console reads lines from a terminal, with editing, a history and
// completion. Keys are read raw only while a line is: between lines the
// terminal is as it was, so that an interrupt interrupts.
type console struct {
	env     *Env
	t       *term.Terminal
	dumb    *bufio.Reader // instead of t, where a terminal can do nothing but type
	history history
	// complete gives what may stand in place of line[from:pos].
	complete func(line string, pos int) (from int, options []string)
}

// screen is a terminal as one stream.
type screen struct {
	io.Reader
	io.Writer
}

func newConsole(env *Env) *console {
	c := &console{env: env}
	if kind, _ := env.lookup("TERM"); kind == "dumb" {
		c.dumb = bufio.NewReader(env.In)
	}
	c.open()
	return c
}

// open begins anew with the terminal, without what was typed and not read.
func (c *console) open() {
	c.t = term.NewTerminal(screen{c.env.In, c.env.Out}, "")
	c.t.History = &c.history
	c.t.AutoCompleteCallback = c.key
}

// line reads one line. The error is io.EOF when the user leaves.
func (c *console) line(prompt string) (string, error) {
	if c.dumb != nil {
		io.WriteString(c.env.Out, prompt)
		text, err := c.dumb.ReadString('\n')
		if text != "" {
			err = nil
		}
		return strings.TrimRight(text, "\r\n"), err
	}
	if c.env.Raw != nil {
		restore, err := c.env.Raw()
		if err != nil {
			return "", err
		}
		defer restore()
	}
	if width, height := c.size(); width > 0 {
		c.t.SetSize(width, height)
	}
	c.t.SetPrompt(prompt)
	return c.t.ReadLine()
}

func (c *console) size() (width, height int) {
	if c.env.Size == nil {
		return 0, 0
	}
	return c.env.Size()
}

// ask reads an answer that is neither completed nor remembered.
func (c *console) ask(prompt string) (string, error) {
	complete := c.complete
	c.complete, c.history.closed = nil, true
	defer func() { c.complete, c.history.closed = complete, false }()
	text, err := c.line(prompt)
	if err != nil {
		c.open() // the terminal would say again that its user left
	}
	return text, err
}

// key completes the word before the cursor when the key is TAB: as far as
// all that is possible agrees, and when that is nowhere, it lists it.
func (c *console) key(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' || c.complete == nil {
		return "", 0, false
	}
	from, options := c.complete(line, pos)
	if len(options) == 0 {
		return line, pos, true
	}
	insert := commonPrefix(options)
	if len(options) == 1 {
		insert += " "
	} else if len(insert) <= pos-from {
		c.list(options)
		return line, pos, true
	}
	line = line[:from] + insert + line[pos:]
	return line, from + len(insert), true
}

// list shows what is possible above the line, in lines that fit.
func (c *console) list(options []string) {
	most, _ := c.size()
	if most == 0 {
		most = 80
	}
	var b strings.Builder
	at := 0
	for i, o := range atMost(maxOffered, options) {
		n := width(o)
		switch {
		case i == 0:
		case at+2+n < most:
			b.WriteString("  ")
			at += 2
		default:
			b.WriteByte('\n')
			at = 0
		}
		b.WriteString(o)
		at += n
	}
	io.WriteString(c.t, b.String()+"\n")
}

// maxOffered is how many completions are shown at once.
const maxOffered = 100

// commonPrefix is how all options begin, in whole characters.
func commonPrefix(options []string) string {
	prefix := []rune(options[0])
	for _, o := range options[1:] {
		other := []rune(o)
		n := 0
		for n < min(len(prefix), len(other)) && prefix[n] == other[n] {
			n++
		}
		prefix = prefix[:n]
	}
	return string(prefix)
}

// history is what was typed, the newest first, each line once in a row.
type history struct {
	lines  []string
	closed bool // nothing is added
}

// Add remembers a line.
func (h *history) Add(line string) {
	if h.closed || line == "" || len(h.lines) > 0 && h.lines[len(h.lines)-1] == line {
		return
	}
	h.lines = append(h.lines, line)
}

// Len is how many lines there are.
func (h *history) Len() int { return len(h.lines) }

// At returns a line, 0 being the newest.
func (h *history) At(i int) string { return h.lines[len(h.lines)-1-i] }
