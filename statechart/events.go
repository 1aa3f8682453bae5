package statechart

import (
	"slices"
	"strings"
)

// event is one event name, or a class of names that no chart text spells
// out, with the descriptors that match it.
type event struct {
	name     string
	reserved bool
	// chain lists the matching descriptors: in a chart the exact one, then
	// prefixes from the longest, then "*" (R6); in SCXML their order does
	// not matter, since transitions go in document order.
	chain    []int32
	declared *EventDeclaration
	check    Check // of its data; nil: any
}

// The first two event numbers are not names.
const (
	eventless EventID = 0
	unmatched EventID = 1
)

var reservedPrefixes = []string{
	"done.state.", "done.invoke.", "done.do.", "error.invoke.", "error.do.",
	"unknown.", "progress.", "after.", "every.", "detent.",
}

// reserved reports whether only the engine may use the name (R28).
func reserved(name string) bool {
	switch name {
	case "error.execution", "error.communication", "error.platform", "error.budget":
		return true
	}
	for _, p := range reservedPrefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// eventTable collects descriptors and names while a chart is compiled.
type eventTable struct {
	scxml       bool
	descriptors map[string]int32 // normalised text -> number
	texts       []string
	names       []string // exact names, in order of appearance
	seen        map[string]bool
	declared    map[string]*EventDeclaration
	checks      map[string]Check
}

func newEventTable(scxml bool) *eventTable {
	return &eventTable{scxml: scxml, descriptors: map[string]int32{}, seen: map[string]bool{}, declared: map[string]*EventDeclaration{}, checks: map[string]Check{}}
}

// descriptor numbers one descriptor and notes the exact name in it.
func (t *eventTable) descriptor(text string) int32 {
	if t.scxml {
		text = strings.TrimSuffix(strings.TrimSuffix(text, ".*"), ".")
	}
	if text != "*" && !strings.HasSuffix(text, ".*") {
		t.name(text)
	}
	return t.numbered(text)
}

func (t *eventTable) numbered(text string) int32 {
	n, ok := t.descriptors[text]
	if !ok {
		n = int32(len(t.texts))
		t.descriptors[text] = n
		t.texts = append(t.texts, text)
	}
	return n
}

// exactly numbers the descriptor that matches one of the engine's names and,
// also in SCXML, nothing below it.
func (t *eventTable) exactly(name string) int32 {
	t.name(name)
	return t.numbered(exactMark + name)
}

// exactMark begins the text of a descriptor made by exactly.
const exactMark = "\x00"

// name notes an event name without a descriptor for it.
func (t *eventTable) name(name string) {
	if !t.seen[name] {
		t.seen[name] = true
		t.names = append(t.names, name)
	}
}

// build numbers all names and classes.
func (t *eventTable) build(c *Chart) {
	c.events = []event{{}, {}}
	c.eventIDs = make(map[string]EventID, len(t.names))
	c.prefixes = map[string][2]EventID{}
	for _, name := range t.names {
		c.eventIDs[name] = t.add(c, name, t.chain(name, reserved(name)))
	}
	for _, text := range t.texts {
		prefix, ok := t.prefix(text)
		if !ok {
			continue
		}
		var class [2]EventID
		for i, isReserved := range []bool{false, true} {
			// A name below the prefix that nothing spells out: whatever
			// matches the prefix matches it.
			chain := t.chain(prefix+".\x01", isReserved)
			class[i] = t.add(c, prefix+".*", chain)
			c.events[class[i]].reserved = isReserved
		}
		c.prefixes[prefix] = class
	}
	c.star = [2]EventID{unmatched, unmatched}
	if _, ok := t.descriptors["*"]; ok {
		for i, isReserved := range []bool{false, true} {
			c.star[i] = t.add(c, "*", t.chain("\x01", isReserved))
			c.events[c.star[i]].reserved = isReserved
		}
	}
}

func (t *eventTable) prefix(text string) (string, bool) {
	if strings.HasPrefix(text, exactMark) {
		return "", false
	}
	if t.scxml {
		return text, text != "*"
	}
	return strings.CutSuffix(text, ".*")
}

func (t *eventTable) add(c *Chart, name string, chain []int32) EventID {
	c.events = append(c.events, event{name: name, reserved: reserved(name), chain: chain, declared: t.declared[name], check: t.checks[name]})
	return EventID(len(c.events) - 1)
}

// chain lists the descriptors that match a name, best first.
func (t *eventTable) chain(name string, isReserved bool) []int32 {
	var chain []int32
	try := func(text string) {
		if n, ok := t.descriptors[text]; ok {
			chain = append(chain, n)
		}
	}
	try(name)
	try(exactMark + name)
	for p := name; p != ""; {
		if t.scxml {
			if p != name {
				try(p)
			}
		} else {
			try(p + ".*")
		}
		dot := strings.LastIndexByte(p, '.')
		p = p[:max(dot, 0)]
	}
	if t.scxml || !isReserved {
		try("*")
	}
	return chain
}

// lookup resolves a name as it comes from outside: an exact name, else the
// class of its longest known prefix, else the class of "*".
func (c *Chart) lookup(name string) EventID {
	if id, ok := c.eventIDs[name]; ok {
		return id
	}
	return c.lookupClass(name)
}

func (c *Chart) lookupClass(name string) EventID {
	class := 0
	if reserved(name) {
		class = 1
	}
	if len(c.prefixes) > 0 {
		for p := name; p != ""; {
			if ids, ok := c.prefixes[p]; ok {
				return ids[class]
			}
			p = p[:max(strings.LastIndexByte(p, '.'), 0)]
		}
	}
	return c.star[class]
}

// candidates lists the transitions of one state for an event, best first.
// The result is valid until the next call with the same scratch.
func (c *Chart) candidates(s int32, id EventID, scratch *[]int32) []int32 {
	if c.dense != nil {
		sp := c.dense[int(s)*len(c.events)+int(id)]
		return c.flat[sp.first : sp.first+sp.n]
	}
	if id == eventless {
		return c.nodes[s].always
	}
	*scratch = c.match((*scratch)[:0], s, id)
	return *scratch
}

func (c *Chart) match(out []int32, s int32, id EventID) []int32 {
	on := c.nodes[s].on
	chain := c.events[id].chain
	if c.scxml {
		for _, t := range on {
			for _, d := range c.transitions[t].descriptors {
				if slices.Contains(chain, d) {
					out = append(out, t)
					break
				}
			}
		}
		return out
	}
	for _, d := range chain {
		for _, t := range on {
			if c.transitions[t].descriptors[0] == d {
				out = append(out, t)
			}
		}
	}
	return out
}

// maxDense bounds the table of candidate lists: 8 bytes an entry.
const maxDense = 1 << 15

func (c *Chart) fillDense() {
	if len(c.nodes)*len(c.events) > maxDense {
		return
	}
	dense := make([]span, len(c.nodes)*len(c.events))
	for s := range c.nodes {
		for id := range c.events {
			first := len(c.flat)
			if EventID(id) == eventless {
				c.flat = append(c.flat, c.nodes[s].always...)
			} else {
				c.flat = c.match(c.flat, int32(s), EventID(id))
			}
			dense[s*len(c.events)+id] = span{uint32(first), uint32(len(c.flat) - first)}
		}
	}
	c.dense = dense
}
