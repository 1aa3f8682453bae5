package durable

import (
	"encoding/json"
	"strconv"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// stands is where an outside call is on its way.
type stands string

const (
	standsPending   stands = "pending"   // to be claimed
	standsClaimed   stands = "claimed"   // an attempt may run
	standsRetrying  stands = "retrying"  // waits for its next attempt
	standsAsking    stands = "asking"    // its outcome is asked for by key
	standsWaiting   stands = "waiting"   // for effects of its own
	standsHeld      stands = "held"      // for a person
	standsChild     stands = "child"     // a session of its own
	standsStopping  stands = "stopping"  // a child that is being cancelled
	standsAbandoned stands = "abandoned" // left while an attempt ran
	standsUnknown   stands = "unknown"   // nobody saw; a person may settle it
	standsEnded     stands = "ended"
)

// effect is one row of the outbox.
type effect struct {
	Key    string `json:"key"`
	Stands stands `json:"stands"`
	// Sources are whom its end is told: one, or several under a declared key.
	Sources []statechart.Source `json:"sources,omitempty"`
	Src     string              `json:"src"`
	State   string              `json:"state,omitempty"`
	Input   any                 `json:"input,omitempty"`
	// Digest is of the input: what a declared key must not change, and what an
	// approval binds to.
	Digest   string `json:"digest"`
	Declared bool   `json:"declared,omitempty"`
	// The policy is frozen here.
	Mode      host.Mode  `json:"mode"`
	Retry     host.Retry `json:"retry"`
	Timeout   int64      `json:"timeout,omitempty"`
	Heartbeat int64      `json:"heartbeat,omitempty"`
	Choices   []string   `json:"choices,omitempty"`
	Version   string     `json:"version,omitempty"`
	// Attempt counts claims; Epoch is the owner's who made the last one.
	// Base are the attempts before this round.
	Attempt int    `json:"attempt,omitempty"`
	Base    int    `json:"base,omitempty"`
	Epoch   uint64 `json:"epoch,omitempty"`
	// Asked counts look-ups by key since the last attempt; Lost says that the
	// engine ended before that attempt's end, so it may never have begun.
	Asked int  `json:"asked,omitempty"`
	Lost  bool `json:"lost,omitempty"`
	// Due is when it goes on by itself; milliseconds since 1970, 0: never.
	Due     int64         `json:"due,omitempty"`
	Created int64         `json:"created"`
	Since   int64         `json:"since"`
	Last    *host.Failure `json:"last,omitempty"`
	// Outcome is the recorded end, Evidence what came when it was too late.
	Outcome  *host.Outcome `json:"outcome,omitempty"`
	Evidence *host.Outcome `json:"evidence,omitempty"`
	// Question is what a person is asked; Approval says that a yes lets the
	// call start, and Approved that it was given.
	Question *host.Question `json:"question,omitempty"`
	Approval bool           `json:"approval,omitempty"`
	Approved bool           `json:"approved,omitempty"`
	// Of a call that goes on: its round, what it left, and the keys of the
	// effects that it waits for; of such an effect, the call's key.
	Round        int             `json:"round,omitempty"`
	Continuation json.RawMessage `json:"continuation,omitempty"`
	Subs         []string        `json:"subs,omitempty"`
	Parent       string          `json:"parent,omitempty"`
	Child        string          `json:"child,omitempty"`
	// Order is its place among the effects of the session.
	Sequence uint64 `json:"sequence"`
	Index    int    `json:"index"`

	dirty bool // to be written with the turn
}

// row returns the effect as the store keeps it.
func (f *effect) row() (EffectRow, error) {
	body, err := host.Encode(f)
	return EffectRow{Key: f.Key, Live: f.alive(), Body: body}, err
}

func decodeEffect(r EffectRow) (*effect, error) {
	f := new(effect)
	return f, host.Decode(r.Body, f)
}

// alive reports whether something can still come of it.
func (f *effect) alive() bool { return f.Stands != standsEnded }

// cancelled reports whether nobody wanted its end.
func (f *effect) cancelled() bool { return f.Outcome != nil && f.Outcome.Kind == host.KindCancelled }

// happened reports whether a call whose end nobody wanted may have done what
// it was to do.
func (f *effect) happened() bool {
	switch {
	case f.Evidence == nil:
		return false
	case f.Evidence.Kind == host.KindUnknown:
		return f.Mode != host.AtLeastOnce
	}
	return f.Evidence.Kind == host.KindDone
}

// runs reports whether the effect keeps its session from being settled.
func (f *effect) runs() bool {
	switch f.Stands {
	case standsPending, standsClaimed, standsRetrying, standsAsking, standsWaiting, standsChild:
		return true
	}
	return false
}

// urgent reports whether a restarted engine must look at it at once.
func (f *effect) urgent() bool {
	switch f.Stands {
	case standsPending, standsClaimed, standsAsking, standsStopping:
		return true
	}
	return false
}

// name is what people call it by within its session.
func (f *effect) name() string {
	if len(f.Sources) > 0 {
		return f.Sources[0].ID
	}
	return f.Key
}

// subKey is the key of a further effect of a call that goes on.
func subKey(key string, round, index int) string {
	return digest(key, strconv.Itoa(round), strconv.Itoa(index))
}

// call is one attempt as the performer sees it.
func (f *effect) call(h *Head) host.Call {
	return host.Call{Session: h.Session, User: h.User, Chart: h.Chart, State: f.State, Key: f.Key, Src: f.Src, Input: f.Input,
		Mode: f.Mode, Attempt: f.Attempt, Choices: f.Choices, Timeout: f.Timeout, Round: f.Round, Continuation: f.Continuation}
}
