package durable

import (
	"bytes"
	"fmt"

	"github.com/detent-run/detent/statechart"
)

// A change says how one encoded state becomes the next: a list of
// [path, value] and, for what is gone, [path]. A path is a list of keys; lists
// are replaced as a whole. Applied to the canonical bytes of the one it gives
// those of the other.

// changeDepth is how deep a change looks into objects: to the variables of a
// scope.
const changeDepth = 3

// difference returns the change from one canonical object to another.
func difference(from, to []byte) ([]byte, error) {
	d := differ{out: []byte{'['}}
	if err := d.objects(from, to, nil); err != nil {
		return nil, err
	}
	return append(d.out, ']'), nil
}

type differ struct {
	out []byte
}

// member is one key of an object, both as they stand in the text.
type member struct{ key, value []byte }

func (d *differ) objects(from, to []byte, path [][]byte) error {
	a, err := entered(from)
	if err != nil {
		return err
	}
	b, err := entered(to)
	if err != nil {
		return err
	}
	// Most states have the keys of the one before: then nothing is collected.
	for a.more() && b.more() {
		before, after := a, b
		was, err := a.next()
		if err != nil {
			return err
		}
		now, err := b.next()
		if err != nil {
			return err
		}
		if !bytes.Equal(was.key, now.key) {
			return d.others(before, after, path)
		}
		if err := d.pair(was.value, now, path); err != nil {
			return err
		}
	}
	return d.others(a, b, path)
}

// others compares objects whose keys differ from here on.
func (d *differ) others(a, b members, path [][]byte) error {
	var gone []member // in order
	old := map[string][]byte{}
	for a.more() {
		m, err := a.next()
		if err != nil {
			return err
		}
		gone = append(gone, m)
		old[string(m.key)] = m.value
	}
	for b.more() {
		m, err := b.next()
		if err != nil {
			return err
		}
		was := old[string(m.key)]
		delete(old, string(m.key))
		if err := d.pair(was, m, path); err != nil {
			return err
		}
	}
	for _, m := range gone {
		if _, left := old[string(m.key)]; left {
			d.write(path, m.key, nil)
		}
	}
	return nil
}

// pair compares the values of one key; was is nil where it is new.
func (d *differ) pair(was []byte, now member, path [][]byte) error {
	switch {
	case bytes.Equal(was, now.value):
	case len(was) > 0 && was[0] == '{' && now.value[0] == '{' && len(path)+1 < changeDepth:
		return d.objects(was, now.value, append(path[:len(path):len(path)], now.key))
	default:
		d.write(path, now.key, now.value)
	}
	return nil
}

func (d *differ) write(path [][]byte, key, value []byte) {
	if len(d.out) > 1 {
		d.out = append(d.out, ',')
	}
	d.out = append(d.out, '[', '[')
	for _, k := range path {
		d.out = append(append(d.out, k...), ',')
	}
	d.out = append(append(d.out, key...), ']')
	if value != nil {
		d.out = append(d.out, ',')
		d.out = append(d.out, value...)
	}
	d.out = append(d.out, ']')
}

// members walks over a canonical object. It trusts the text to be JSON without
// white space, as the core writes it.
type members struct {
	text []byte
	at   int
}

// entered stands before the first member of an object.
func entered(text []byte) (members, error) {
	if len(text) < 2 || text[0] != '{' {
		return members{}, fmt.Errorf("not an object")
	}
	return members{text, 1}, nil
}

func (m *members) more() bool { return m.at < len(m.text) && m.text[m.at] != '}' }

func (m *members) next() (member, error) {
	b, i := m.text, m.at
	end := skip(b, i)
	if end >= len(b) || b[end] != ':' {
		return member{}, fmt.Errorf("no canonical JSON at byte %d", end)
	}
	value := skip(b, end+1)
	if value > len(b) || value == end+1 {
		return member{}, fmt.Errorf("no canonical JSON at byte %d", end)
	}
	if m.at = value; m.at < len(b) && b[m.at] == ',' {
		m.at++
	}
	return member{b[i:end], b[end+1 : value]}, nil
}

// skip returns the place after the value that begins at i.
func skip(b []byte, i int) int {
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',', ':':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return i
}

// apply puts a change into a state that was read with [statechart.ReadDocument].
func apply(doc map[string]any, change []byte) error {
	v, err := statechart.ReadDocument(change)
	if err != nil {
		return err
	}
	list, ok := v.([]any)
	if !ok {
		return fmt.Errorf("a change is a list")
	}
	for _, e := range list {
		op, _ := e.([]any)
		if len(op) != 1 && len(op) != 2 {
			return fmt.Errorf("a change holds paths with values")
		}
		path, _ := op[0].([]any)
		if err := applyOne(doc, path, op[1:]); err != nil {
			return err
		}
	}
	return nil
}

func applyOne(doc map[string]any, path, value []any) error {
	for i, k := range path {
		key, ok := k.(string)
		if !ok {
			return fmt.Errorf("a path holds keys")
		}
		if i == len(path)-1 {
			if len(value) == 0 {
				delete(doc, key)
			} else {
				doc[key] = value[0]
			}
			return nil
		}
		if doc, ok = doc[key].(map[string]any); !ok {
			return fmt.Errorf("there is no object at %q", key)
		}
	}
	return fmt.Errorf("an empty path")
}
