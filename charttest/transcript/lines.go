package transcript

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// details are the words that the lines under a macrostep begin with, to tell
// an expected line that is not indented.
var details = []string{"in", "invoke", "do", "stop", "timer", "append", "emit", "log", "warn", "end", "set", "drop", "status", "nothing"}

// macrostep tells one macrostep: its headline and everything that changed.
func (p *player) macrostep(r *world.Record, before, after statechart.Snapshot) []string {
	lines := []string{"  " + p.headline(r)}
	detail := func(line string) { lines = append(lines, "    "+line) }
	if len(r.Configuration) > 0 && (before.IsZero() || !slices.Equal(before.Configuration(), r.Configuration)) {
		detail("in " + leaves(r.Configuration))
	}
	ended := false
	for i := range r.Effects {
		detail(p.effect(&r.Effects[i], r.Now))
		ended = ended || r.Effects[i].Type == statechart.EffectEnd
	}
	var old []entry
	if !before.IsZero() {
		old = entries(before)
	}
	for _, line := range changes(old, entries(after)) {
		detail(line)
	}
	if r.Status != statechart.Active && !ended && (before.IsZero() || before.Status() != r.Status) {
		detail(status(after))
	}
	return lines
}

func (p *player) headline(r *world.Record) string {
	var b strings.Builder
	if r.Session != mainSession {
		b.WriteString("@" + r.Session + " ")
	}
	b.WriteString(plain(r.Event.Name))
	if r.Deferred {
		b.WriteString(" (deferred before)")
	}
	if r.Now != p.since {
		b.WriteString(" at " + Duration(r.Now))
	}
	b.WriteString(": " + verdict(r.Result))
	return b.String()
}

// verdict is an outcome with its reason. A deferred event needs none.
func verdict(r statechart.Result) string {
	text := r.Outcome.String()
	if r.Reason == nil || r.Outcome == statechart.Deferred {
		return text
	}
	text += " (" + string(r.Reason.Code) + ")"
	if r.Reason.Place != "" {
		text += " in " + plain(r.Reason.Place)
	}
	return text
}

func status(s statechart.Snapshot) string {
	text := "status " + string(s.Status())
	if r := s.Reason(); r != nil {
		text += " (" + string(r.Code) + ")"
	}
	return text
}

func leaves(configuration []string) string {
	if len(configuration) == 1 && configuration[0] == "" {
		return "the root"
	}
	return strings.Join(configuration, " ")
}

// entry is one variable with its value, as shown.
type entry struct{ scope, name, value string }

func (e entry) path() string {
	if e.scope == "" {
		return plain(e.name)
	}
	return plain(e.scope + "." + e.name)
}

// entries lists all data of a session: the fields of a typed context in their
// order, then the variables by the paths of their states and their names.
// Constants are no data.
func entries(s statechart.Snapshot) []entry {
	constants := map[string]bool{}
	for _, c := range s.Chart().Definition().Constants {
		constants[c.Name] = true
	}
	out := contextEntries(s.Context())
	data := s.Data()
	for _, scope := range sortedKeys(data) {
		for _, name := range sortedKeys(data[scope]) {
			if !constants[name] {
				out = append(out, entry{scope, name, formatJSON(data[scope][name])})
			}
		}
	}
	return out
}

func contextEntries(context any) []entry {
	if context == nil {
		return nil
	}
	raw, err := json.Marshal(context)
	if err != nil {
		return []entry{{name: "context", value: fmt.Sprintf("(%T)", context)}}
	}
	v, err := decodeOrdered(string(raw))
	if err != nil {
		return []entry{{name: "context", value: string(raw)}}
	}
	fields, ok := v.(object)
	if !ok {
		return []entry{{name: "context", value: formatJSON(v)}}
	}
	var out []entry
	for _, f := range fields {
		out = append(out, entry{name: f.name, value: formatJSON(f.value)})
	}
	return out
}

// changes tells what became of the data: what is gone, then what is new or
// another. What was not there before counts as empty, so that what begins
// empty is not told.
func changes(old, now []entry) []string {
	before := map[string]string{}
	for _, e := range old {
		before[e.path()] = e.value
	}
	scopes, names, lines := map[string]bool{"": true}, map[string]bool{}, []string(nil)
	for _, e := range now {
		scopes[e.scope], names[e.path()] = true, true
	}
	drop := func(path string) {
		if line := "drop " + path; !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, e := range old {
		switch {
		case !scopes[e.scope]:
			drop(plain(e.scope))
		case !names[e.path()]:
			drop(e.path())
		}
	}
	for _, e := range now {
		value, was := before[e.path()]
		if was && value != e.value || !was && !slices.Contains(empty, e.value) {
			lines = append(lines, "set "+e.path()+" = "+e.value)
		}
	}
	return lines
}

var empty = []string{"null", "false", "0", "0.0", `""`, "[]", "{}"}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// plain shows a name as it is, and in quotes when it would break the line or
// be taken for a comment or a session.
func plain(name string) string {
	if name == "" || strings.ContainsAny(name[:1], `#@"`) || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) {
		return quoteJSON(name)
	}
	return name
}

// oneLine is a sentence without what would break the line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
