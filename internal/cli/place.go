package cli

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// placed is a transition with where it stands.
type placed struct {
	place  string // as in [statechart.Candidate]
	source string // the path of its state
	event  string // its descriptor; empty for one that no event of its own starts
	target string // as written
	guard  string
}

var listed = regexp.MustCompile(`^(on|onDone|always|after|every|invoke)\[(\d+)\](?:\.(transitions|onDone|onError|onUnknown|onProgress)\[(\d+)\])?$`)

// locate finds a transition by its place in the definition. Of a place that
// is none, only the place is known.
func locate(def *statechart.Definition, place string) placed {
	out := placed{place: place}
	state, rest := &def.Root, strings.TrimPrefix(place, "root.")
	for strings.HasPrefix(rest, "states.") {
		name, after, _ := strings.Cut(strings.TrimPrefix(rest, "states."), ".")
		i := slices.IndexFunc(state.States, func(s statechart.State) bool { return s.Name == name })
		if i < 0 {
			return out
		}
		state, rest = &state.States[i], after
		out.source = strings.TrimPrefix(out.source+"."+name, ".")
	}
	if t := transition(state, rest); t != nil {
		out.event, out.target, out.guard = t.Event, t.Target, t.Guard.Name
	}
	return out
}

// transition finds one in a state by the rest of its place.
func transition(s *statechart.State, place string) *statechart.Transition {
	m := listed.FindStringSubmatch(place)
	if m == nil {
		return nil
	}
	list, i := m[1], number(m[2])
	switch list {
	case "on":
		return at(s.On, i)
	case "always":
		return at(s.Always, i)
	case "onDone":
		return at(s.OnDone, i)
	case "after":
		if t := at(s.After, i); t != nil {
			return at(t.Transitions, number(m[4]))
		}
	case "every":
		if t := at(s.Every, i); t != nil {
			return at(t.Transitions, number(m[4]))
		}
	}
	if v := at(s.Invoke, i); v != nil && list == "invoke" {
		ends := map[string][]statechart.Transition{"onDone": v.OnDone, "onError": v.OnError, "onUnknown": v.OnUnknown, "onProgress": v.OnProgress}
		return at(ends[m[3]], number(m[4]))
	}
	return nil
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

func at[V any](list []V, i int) *V {
	if i < 0 || i >= len(list) {
		return nil
	}
	return &list[i]
}
