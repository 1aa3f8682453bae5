package cli

import (
	"io"

	"golang.org/x/term"
)

// console reads lines from a terminal, with editing, a history and
// completion. Keys are read raw only while a line is: between lines the
// terminal is as it was, so that an interrupt interrupts.
type console struct {
	env     *Env
	t       *term.Terminal
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
	c.t = term.NewTerminal(screen{env.In, env.Out}, "")
	c.t.History = &c.history
	c.t.AutoCompleteCallback = c.key
	return c
}

// line reads one line. The error is io.EOF when the user leaves.
func (c *console) line(prompt string) (string, error) {
	if c.env.Raw != nil {
		restore, err := c.env.Raw()
		if err != nil {
			return "", err
		}
		defer restore()
	}
	if c.env.Size != nil {
		if width, height := c.env.Size(); width > 0 {
			c.t.SetSize(width, height)
		}
	}
	c.t.SetPrompt(prompt)
	return c.t.ReadLine()
}

// ask reads an answer that is neither completed nor remembered.
func (c *console) ask(prompt string) (string, error) {
	complete := c.complete
	c.complete, c.history.closed = nil, true
	defer func() { c.complete, c.history.closed = complete, false }()
	return c.line(prompt)
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

// list shows what is possible above the line.
func (c *console) list(options []string) {
	text := ""
	for i, o := range options {
		if i > 0 {
			text += "  "
		}
		text += plain(o)
	}
	io.WriteString(c.t, text+"\n")
}

func commonPrefix(options []string) string {
	prefix := options[0]
	for _, o := range options[1:] {
		for len(prefix) > len(o) || o[:len(prefix)] != prefix {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return prefix
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
