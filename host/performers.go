package host

import (
	"fmt"
	"slices"
	"strings"
)

// Performers find who makes a call, by its source. Implementations must be
// safe for concurrent use and give the same answer while they live.
type Performers interface {
	// Find returns the performer of a source such as "tool:search" and what
	// is declared of it. ok is false when there is none.
	Find(src string) (p Performer, t Traits, ok bool)
}

// Traits is what is declared of a source.
type Traits struct {
	// Mode is for effects that name none; empty: [AtMostOnce].
	Mode Mode
	// Concurrency is how many calls of the pool may run at once on this
	// engine; 0: no bound but the engine's own.
	Concurrency int
	// Pool names what Concurrency counts; empty: the source itself.
	Pool string
	// Timeout of one attempt in milliseconds, for effects without their own;
	// 0: none.
	Timeout int64
	// Retry is for effects that have none of their own.
	Retry *Retry
	// Check says what is wrong with an input, before the claim; nil: nothing
	// is checked.
	Check func(input any) error
	// Answer says what is wrong with the data that a person answers a question
	// with; nil: the question's schema is not looked at.
	Answer func(q Question, data any) error
	// Version is what the record pins, such as a digest of the tool's schema;
	// may be empty.
	Version string
}

// Table is a [Performers] by source. A key that ends in "*" stands for every
// source with that beginning; the longest that fits is used. It must not be
// changed once it is in use.
type Table map[string]Entry

// Entry is one row of a [Table].
type Entry struct {
	Performer Performer
	Traits
}

// Find is [Performers.Find].
func (t Table) Find(src string) (Performer, Traits, bool) {
	if e, ok := t[src]; ok {
		return e.Performer, e.Traits, true
	}
	best := ""
	for key := range t {
		if head, wild := strings.CutSuffix(key, "*"); wild && strings.HasPrefix(src, head) && len(key) > len(best) {
			best = key
		}
	}
	e, ok := t[best]
	return e.Performer, e.Traits, ok && best != ""
}

// Sources lists the keys, sorted.
func (t Table) Sources() []string {
	out := make([]string, 0, len(t))
	for key := range t {
		out = append(out, key)
	}
	slices.Sort(out)
	return out
}

// Chain asks several in order; the first that knows the source answers.
func Chain(all ...Performers) Performers { return chain(all) }

type chain []Performers

func (c chain) Find(src string) (Performer, Traits, bool) {
	for _, p := range c {
		if p == nil {
			continue
		}
		if found, traits, ok := p.Find(src); ok {
			return found, traits, true
		}
	}
	return nil, Traits{}, false
}

// Missing is the outcome of a call whose source nobody performs.
func Missing(src string) Outcome {
	return Failed(Failure{Code: "no_such_performer", Message: fmt.Sprintf("nothing performs %q here", src), Final: true})
}
