package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/detent-run/detent/host"
)

// oftenFlag says how often states may be entered before log warns, and counts.
// An agent that keeps failing or waiting looks busy, and gets nowhere.
type oftenFlag struct {
	states []string
	limits map[string]int
	seen   map[string]int
}

func newOften() *oftenFlag {
	return &oftenFlag{states: []string{"error", "waiting"}, limits: map[string]int{"error": 2, "waiting": 10}, seen: map[string]int{}}
}

// String is the flag's default.
func (o *oftenFlag) String() string {
	var all []string
	for _, s := range o.states {
		all = append(all, fmt.Sprintf("%s=%d", s, o.limits[s]))
	}
	return strings.Join(all, ",")
}

// Type is how help shows the value.
func (o *oftenFlag) Type() string { return "STATE=N" }

// Set adds or changes a limit.
func (o *oftenFlag) Set(text string) error {
	state, number, _ := strings.Cut(text, "=")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || state == "" {
		return usage("--often needs STATE=N, not "+plain(text), "for example: --often error=5")
	}
	if _, known := o.limits[state]; !known {
		o.states = append(o.states, state)
	}
	o.limits[state] = n
	return nil
}

// count counts the states that a row has entered.
func (o *oftenFlag) count(r *host.Record) {
	for _, s := range o.states {
		if inState(r.To, s) && !inState(r.From, s) {
			o.seen[s]++
		}
	}
}

// warn says which were entered too often.
func (o *oftenFlag) warn(a *app) {
	for _, s := range o.states {
		if o.seen[s] > o.limits[s] {
			times := "times"
			if o.seen[s] == 1 {
				times = "time"
			}
			a.say("warning: %s was entered %d %s, more often than %d", plain(s), o.seen[s], times, o.limits[s])
		}
	}
}
