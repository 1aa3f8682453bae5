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
	a, err := members(from)
	if err != nil {
		return err
	}
	b, err := members(to)
	if err != nil {
		return err
	}
	old := make(map[string][]byte, len(a))
	for _, m := range a {
		old[string(m.key)] = m.value
	}
	for _, m := range b {
		before, was := old[string(m.key)]
		delete(old, string(m.key))
		here := append(path[:len(path):len(path)], m.key)
		switch {
		case was && bytes.Equal(before, m.value):
		case was && before[0] == '{' && m.value[0] == '{' && len(here) < changeDepth:
			if err := d.objects(before, m.value, here); err != nil {
				return err
			}
		default:
			d.write(here, m.value)
		}
	}
	for _, m := range a { // in order, what is left of the old
		if _, gone := old[string(m.key)]; gone {
			d.write(append(path[:len(path):len(path)], m.key), nil)
		}
	}
	return nil
}

func (d *differ) write(path [][]byte, value []byte) {
	if len(d.out) > 1 {
		d.out = append(d.out, ',')
	}
	d.out = append(d.out, '[', '[')
	for i, key := range path {
		if i > 0 {
			d.out = append(d.out, ',')
		}
		d.out = append(d.out, key...)
	}
	d.out = append(d.out, ']')
	if value != nil {
		d.out = append(d.out, ',')
		d.out = append(d.out, value...)
	}
	d.out = append(d.out, ']')
}

// members splits a canonical object. It trusts the text to be JSON without
// white space, as the core writes it.
func members(b []byte) ([]member, error) {
	if len(b) < 2 || b[0] != '{' {
		return nil, fmt.Errorf("not an object")
	}
	var out []member
	for i := 1; i < len(b) && b[i] != '}'; {
		end := skip(b, i)
		if end >= len(b) || b[end] != ':' {
			return nil, fmt.Errorf("no canonical JSON at byte %d", end)
		}
		value := skip(b, end+1)
		if value > len(b) || value == end+1 {
			return nil, fmt.Errorf("no canonical JSON at byte %d", end)
		}
		out = append(out, member{b[i:end], b[end+1 : value]})
		if i = value; i < len(b) && b[i] == ',' {
			i++
		}
	}
	return out, nil
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

// apply puts a change into a state that was read with [statechart.ReadJSON].
func apply(doc map[string]any, change []byte) error {
	v, err := statechart.ReadJSON(change)
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
