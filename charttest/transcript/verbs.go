package transcript

import (
	"slices"
	"strings"
	"time"

	"github.com/detent-run/detent/statechart"
)

// Senders are who an event can come from, in the words of the step as. It
// must not be changed.
var Senders = []string{"client", "model", "human", "session", "tool"}

// part says whether a step has a part.
type part int

const (
	no part = iota
	may
	must
)

// verb is one word that a step may begin with.
type verb struct {
	word       string
	name, data part
	names      string // what Name is, for messages
	do         func(*player, *Step) ([]string, error)
}

// verbs are all of them, in the order of the package comment.
var verbs []verb

func init() { // their functions lead back here, by way of messages
	verbs = []verb{
		{word: "start", data: may, do: (*player).start},
		{word: "context", data: must, do: (*player).context},
		{word: "send", name: must, data: may, names: "an event", do: (*player).send},
		{word: "queue", name: must, data: may, names: "an event", do: (*player).queue},
		{word: "as", name: must, names: "a sender", do: (*player).as},
		{word: "advance", name: must, names: "a time", do: (*player).advance},
		{word: "done", name: must, data: may, names: "the id of a call", do: (*player).answer},
		{word: "error", name: must, data: may, names: "the id of a call", do: (*player).answer},
		{word: "unknown", name: must, data: may, names: "the id of a call", do: (*player).answer},
		{word: "progress", name: must, data: may, names: "the id of a call", do: (*player).answer},
		{word: "restore", do: (*player).restore},
		{word: "show", do: (*player).show},
		{word: "why", name: must, data: may, names: "an event", do: (*player).why},
		{word: "events", do: (*player).events},
	}
}

func findVerb(word string) (verb, bool) {
	i := slices.IndexFunc(verbs, func(v verb) bool { return v.word == word })
	if i < 0 {
		return verb{}, false
	}
	return verbs[i], true
}

// parseStep reads one step without its line number. The problem has message
// and hint alone.
func parseStep(line string) (Step, *statechart.Error) {
	step := Step{Session: mainSession}
	rest := line
	if session, after, ok := strings.Cut(rest, " "); strings.HasPrefix(line, "@") {
		step.Session, rest = session[1:], strings.TrimSpace(after)
		if !ok || step.Session == "" || rest == "" {
			return step, problem("a session without a step", "write @ID and then the step: @other send open")
		}
	}
	step.Verb, rest = cutWord(rest)
	v, known := findVerb(step.Verb)
	if !known {
		return step, unknownVerb(line, step.Verb)
	}
	if v.name != no {
		step.Name, rest = cutWord(rest)
		if step.Name == "" || strings.ContainsAny(step.Name[:1], `{["`) {
			return step, problem(v.word+" needs "+v.names, "the order is: "+v.usage())
		}
	}
	switch {
	case rest == "" && v.data == must:
		return step, problem(v.word+" needs data", "the order is: "+v.usage())
	case rest != "" && v.data == no:
		return step, problem("nothing can follow here: "+clip(rest), "the order is: "+v.usage())
	case rest != "":
		data, err := decodeJSON(rest)
		if err != nil {
			return step, problem("the data is no JSON: "+err.Error(), "text stands in quotes, names of fields too")
		}
		step.Data = data
	}
	switch {
	case v.word == "advance":
		return step, step.readTime()
	case v.word == "as" && !slices.Contains(Senders, step.Name):
		return step, problem("there is no sender "+clip(step.Name), "write one of "+strings.Join(Senders, ", "))
	}
	return step, nil
}

func problem(message, hint string) *statechart.Error {
	return &statechart.Error{Code: CodeTranscript, Message: message, Hint: hint}
}

func (v verb) usage() string {
	parts := []string{v.word}
	switch {
	case v.word == "advance":
		parts = append(parts, "DURATION")
	case v.names == "an event":
		parts = append(parts, "EVENT")
	case v.word == "as":
		parts = append(parts, "SENDER")
	case v.name != no:
		parts = append(parts, "ID")
	}
	switch v.data {
	case may:
		parts = append(parts, "[DATA]")
	case must:
		parts = append(parts, "DATA")
	}
	return strings.Join(parts, " ")
}

func cutWord(text string) (word, rest string) {
	at := strings.IndexAny(text, " \t")
	if at < 0 {
		return text, ""
	}
	return text[:at], strings.TrimSpace(text[at:])
}

// unknownVerb finds out what a line was meant to be.
func unknownVerb(line, word string) *statechart.Error {
	var words []string
	for _, v := range verbs {
		if near(v.word, word) {
			return problem("there is no step "+clip(word), "did you mean "+v.word+"?")
		}
		words = append(words, v.word)
	}
	if strings.Contains(line, ": ") || slices.Contains(details, word) {
		return problem("there is no step "+clip(word), "expected lines are indented")
	}
	return problem("there is no step "+clip(word), "the steps are "+strings.Join(words, ", "))
}

// near tells whether a word is another with at most one letter changed, added
// or lost, or both begin alike.
func near(word, typed string) bool {
	typed = strings.ToLower(typed)
	if len(typed) >= 3 && strings.HasPrefix(word, typed) || len(word) >= 4 && strings.HasPrefix(typed, word) {
		return true
	}
	a, b := word, typed
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 && len(word) > 2
}

// clip quotes the beginning of a text for a message.
func clip(text string) string {
	const most = 40
	runes := []rune(text)
	if len(runes) > most {
		return quoteJSON(string(runes[:most])) + "…"
	}
	return quoteJSON(text)
}

// readTime reads the duration of an advance, to whole milliseconds.
func (s *Step) readTime() *statechart.Error {
	if s.Name == "next" {
		s.Time = Next
		return nil
	}
	bad := problem("there is no time "+clip(s.Name), "write 500ms, 45s, 15m, 72h, 30d, or next")
	text, days := s.Name, int64(0)
	if before, after, ok := strings.Cut(text, "d"); ok {
		for _, c := range []byte(before) {
			if c < '0' || c > '9' || days > 1_000_000 {
				return bad
			}
			days = 10*days + int64(c-'0')
		}
		if text = after; before == "" {
			return bad
		}
		if text == "" {
			text = "0s"
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d%time.Millisecond != 0 {
		return bad
	}
	s.Time = days*24*time.Hour.Milliseconds() + d.Milliseconds()
	return nil
}
