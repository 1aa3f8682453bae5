package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/charttest/transcript"
	"github.com/detent-run/detent/internal/strictjson"
	"github.com/detent-run/detent/statechart"
)

// payloadLimits bound the JSON of a command line.
var payloadLimits = strictjson.Limits{Bytes: 1 << 20, Depth: 64}

// parsePayload reads JSON that was typed; what names it in messages.
func parsePayload(what, text string) (any, *problem) {
	v, err := strictjson.Decode([]byte(text), payloadLimits)
	if err == nil {
		return v, nil
	}
	message := what + " is no JSON: "
	bad, ok := err.(*strictjson.Error)
	switch {
	case !ok:
		return nil, usage(message+err.Error(), wholePayload)
	case bad.Reason != strictjson.Syntax:
		return nil, usage(what+" is not taken: "+bad.Message, refusedHint(bad))
	}
	if bad.Line == 1 && bad.Column > 1 {
		bad.Message += fmt.Sprintf(", at character %d", bad.Column)
	}
	return nil, usage(message+bad.Message, jsonHint(text, bad.Hint))
}

// jsonHint says what was probably meant.
func jsonHint(text, hint string) string {
	word := strings.TrimSpace(text)
	if word != "" && !strings.ContainsAny(word[:1], "{[\"0123456789-") {
		return "text stands in quotes: " + spaced.text(clip(word, 40))
	}
	if strings.ContainsAny(text, "{[") && !strings.Contains(text, `"`) {
		return `text and names stand in double quotes, which a shell keeps inside single ones: '{"name": "text"}'`
	}
	if hint != "" {
		return hint
	}
	return wholePayload
}

const wholePayload = `a whole payload looks like {"name": "text", "list": [1, 2]}`

// refusedHint says what to do about JSON that is right and not taken.
func refusedHint(bad *strictjson.Error) string {
	switch {
	case bad.Hint != "":
		return bad.Hint
	case bad.Reason == strictjson.Duplicate:
		return "leave one of the two out"
	case bad.Reason == strictjson.Range:
		return "write it as text"
	}
	return wholePayload
}

// stepFlag is a flag that is one step; all of them share one list, because
// their order is what is done.
type stepFlag struct {
	list *[]input
	verb string
}

// String is empty: the flag has no default.
func (f *stepFlag) String() string { return "" }

// Type is how help shows the value.
func (f *stepFlag) Type() string {
	switch f.verb {
	case "advance":
		return "TIME"
	case "as":
		return "SENDER"
	case "send":
		return "NAME[=JSON]"
	}
	return "ID[=JSON]"
}

// Set reads NAME[=JSON], or the time of an advance.
func (f *stepFlag) Set(text string) error {
	step := input{verb: f.verb, name: text}
	flag := f.verb
	if flag == "send" {
		flag = "event"
	}
	switch f.verb {
	case "as":
		if p := checkSender(text); p != nil {
			return p
		}
		*f.list = append(*f.list, step)
		return nil
	case "advance":
		ms, p := parseTime(text)
		if p != nil {
			return p
		}
		step.time = ms
		*f.list = append(*f.list, step)
		return nil
	}
	name, data, has := strings.Cut(text, "=")
	if session, after, ok := strings.Cut(name, " "); ok && strings.HasPrefix(name, "@") {
		step.session, name = session[1:], after
	}
	if name == "" {
		return usage("--"+flag+" needs a name before the =", "write --"+flag+` 'NAME={"field": 1}'`)
	}
	if p := checkName(step.session + name); p != nil {
		return p
	}
	step.name = name
	if has {
		v, p := parsePayload("the payload of --"+flag+" "+plain(name), data)
		if p != nil {
			return p
		}
		step.data = v
	}
	*f.list = append(*f.list, step)
	return nil
}

// checkName refuses a name that no chart can have, so that it is not echoed.
func checkName(name string) *problem {
	if utf8.ValidString(name) && plain(name) == name {
		return nil
	}
	return usage("the name "+plain(name)+" is no text that a chart can have", "names are UTF-8 without control characters")
}

func checkSender(name string) *problem {
	if slices.Contains(transcript.Senders, name) {
		return nil
	}
	return usage("there is no sender "+plain(name), meant(name, transcript.Senders, "senders"))
}

// inputFlag is the flag of what a session starts with.
type inputFlag simOptions

// String is empty: the flag has no default.
func (f *inputFlag) String() string { return "" }

// Type is how help shows the value.
func (f *inputFlag) Type() string { return "JSON" }

// Set reads the JSON.
func (f *inputFlag) Set(text string) error {
	v, p := parsePayload("--input", text)
	if p != nil {
		return p
	}
	f.input, f.hasInput = v, true
	return nil
}

// guardFlag is the flag of what a required guard says.
type guardFlag map[string]bool

// String is empty: the flag has no default.
func (f guardFlag) String() string { return "" }

// Type is how help shows the value.
func (f guardFlag) Type() string { return "NAME=true|false" }

// Set reads NAME=true, NAME=false, or NAME alone for true.
func (f guardFlag) Set(text string) error {
	at := strings.LastIndexByte(text, '=')
	name, value := text, "true"
	if at >= 0 {
		name, value = text[:at], text[at+1:]
	}
	if name == "" || value != "true" && value != "false" {
		return usage("a guard is true or false, not "+plain(value), "write --guard NAME=true")
	}
	f[name] = value == "true"
	return nil
}

// completeFromChart completes the value of a flag with the names in the chart
// that stands on the command line.
func (a *app) completeFromChart(flag string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		const directive = cobra.ShellCompDirectiveNoFileComp
		if len(args) == 0 || args[0] == "-" {
			return nil, directive
		}
		s, p := a.read(args[0])
		if p != nil {
			return nil, directive
		}
		file, _, p := a.load(s)
		if p != nil || file == nil {
			return nil, directive
		}
		names := callsOf(&file.definition.Root, "")
		switch flag {
		case "event":
			names = eventsOf(&file.definition)
		case "guard":
			names = file.requires.Guards
		}
		return slices.DeleteFunc(names, func(name string) bool { return strings.ContainsFunc(name, special) }), directive
	}
}

// special tells whether a character may mean something to a shell. A chart is
// somebody else's: what a name in it would run must not be typed by TAB.
func special(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-:/@+", r)
}

// eventsOf lists the events that a chart speaks of and that may be sent to it,
// declared ones first.
func eventsOf(def *statechart.Definition) []string {
	var names []string
	add := func(name string) {
		if name != "" && !strings.Contains(name, "*") && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, e := range def.Events {
		add(e.Name)
	}
	var walk func(*statechart.State)
	walk = func(s *statechart.State) {
		for i := range s.On {
			for _, name := range strings.Fields(s.On[i].Event) {
				if !engines.MatchString(name) {
					add(name)
				}
			}
		}
		for _, d := range s.Defer {
			add(d)
		}
		for i := range s.States {
			walk(&s.States[i])
		}
	}
	walk(&def.Root)
	return names
}

// engines are names of events that charts take and that only the engine sends.
var engines = regexp.MustCompile(`^(error|done|unknown|progress|after|every)\.`)

// callsOf lists the ids of the invocations of a state and those below it.
func callsOf(s *statechart.State, path string) []string {
	var ids []string
	for i := range s.Invoke {
		if id := s.Invoke[i].ID; id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		} else if id == "" {
			ids = append(ids, path+":"+spaced.text(i))
		}
	}
	for i := range s.States {
		ids = append(ids, callsOf(&s.States[i], strings.TrimPrefix(path+"."+s.States[i].Name, "."))...)
	}
	return ids
}
