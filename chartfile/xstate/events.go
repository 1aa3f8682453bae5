package xstate

import (
	"slices"

	"github.com/detent-run/detent/internal/document"
)

// eventList are transitions by their events. Where two descriptors of one
// format are one of the other, the candidates of the longer come first, as both
// formats ask them.
type eventList struct {
	entries []eventEntry
	places  map[string]int // of the entries by their keys
}

type eventEntry struct {
	field document.Field
	parts []eventPart
}

type eventPart struct {
	transitions *document.Node
	length      int // of the descriptor that they were written under
}

// add adds transitions under the key of a field, written under a descriptor of
// that length.
func (l *eventList) add(f document.Field, length int) {
	if l.places == nil {
		l.places = map[string]int{}
	}
	i, known := l.places[f.Key]
	if !known {
		i = len(l.entries)
		l.places[f.Key] = i
		l.entries = append(l.entries, eventEntry{field: f})
	}
	l.entries[i].parts = append(l.entries[i].parts, eventPart{f.Value, length})
}

// joined are the fields, each with all its candidates. What would stand there
// twice stands once.
func (l *eventList) joined() []document.Field {
	var out []document.Field
	for _, e := range l.entries {
		if len(e.parts) == 1 {
			out = append(out, e.field)
			continue
		}
		slices.SortStableFunc(e.parts, func(a, b eventPart) int { return b.length - a.length })
		list := listAt(e.field.Value, nil)
		for _, p := range e.parts {
			if more := several(p.transitions); !endsWith(list.Items, more) {
				list.Items = append(list.Items, more...)
			}
		}
		if len(list.Items) == 1 {
			list = list.Items[0]
		}
		e.field.Value = list
		out = append(out, e.field)
	}
	return out
}

func endsWith(list, end []*document.Node) bool {
	return len(list) >= len(end) && slices.EqualFunc(list[len(list)-len(end):], end, document.Equal)
}
