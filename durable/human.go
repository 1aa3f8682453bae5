package durable

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// hold leaves a call to a person.
func (t *turn) hold(f *effect, q *host.Question) error {
	if q == nil {
		return t.end(f, host.Failed(host.Failure{Code: "bad_outcome", Message: "the performer asked nothing", Final: true}), nil)
	}
	f.Question = q
	t.set(f, standsHeld)
	if q.Within > 0 {
		f.Due = t.now + q.Within
	}
	return nil
}

// approvalQuestion is what is asked before a call that needs a yes.
func approvalQuestion(f *effect, o map[string]any) *host.Question {
	f.Approval = true
	q := &host.Question{Kind: "approve", Text: fmt.Sprintf("May %s be called?", f.Src), Detail: f.Input}
	if text, ok := o["question"].(string); ok && text != "" {
		q.Text = text
	}
	switch who := o["who"].(type) {
	case string:
		q.Who = []string{who}
	case []any:
		for _, w := range who {
			if name, ok := w.(string); ok {
				q.Who = append(q.Who, name)
			}
		}
	}
	if d, ok := o["deadline"]; ok {
		if r, err := host.ReadRetry(map[string]any{"initial": d}); err == nil {
			q.Within = r.Initial
		}
	}
	return q
}

// Reply is a person's answer.
type Reply struct {
	// Approve answers a question of the kind approve: yes or no.
	Approve *bool
	// Data answers one of the kind input. It must fit the schema of the
	// question, as host.Traits.Answer of who asked says.
	Data any
	// By is who answers. An answer without a name, or one by an agent, is
	// refused. Comment goes on record.
	By, Comment string
	// Digest, when set, must be the one that [PendingView] shows: the answer
	// is for exactly these arguments (S2).
	Digest string
}

// Answer settles what waits for a person, by the id or the key that
// [Engine.Pending] shows. The first answer counts; the decision and what
// follows from it are one commit.
func (e *Engine) Answer(ctx context.Context, session, id string, r Reply) error {
	if _, err := e.checkData(r.Data); err != nil {
		return err
	}
	if err := checkID("the name of who answers", r.By, ""); err != nil {
		return err
	}
	return e.do(ctx, session, func(t *turn) error { return t.reply(id, r) })
}

func (t *turn) reply(id string, r Reply) error {
	f := t.findEffect(id, standsHeld)
	switch {
	case f == nil || f.Question == nil:
		return problem(CodeNoEffect, "detent pending lists what is open; the first answer counts", "nothing of the id %q waits for an answer in the session %q", id, t.s.id)
	case r.Digest != "" && r.Digest != f.Digest:
		return problem(CodeAnswer, "look at the arguments again", "the arguments are not the ones that were shown")
	case f.Due != 0 && f.Due <= t.now:
		return problem(CodeAnswer, "the chart goes on with what it says of an expired question", "the time to answer is over")
	case !person(r.By):
		return problem(CodeAnswer, "say who answers, by --by", "only a person can answer")
	case len(f.Question.Who) > 0 && !slices.Contains(f.Question.Who, r.By):
		return problem(CodeAnswer, "", "%s may not answer this", r.By)
	case f.Question.Kind == "approve" && r.Approve == nil:
		return problem(CodeAnswer, "approve or reject", "the question is answered by yes or no")
	}
	if err := t.fitsQuestion(f, r); err != nil {
		return problem(CodeAnswer, "detent pending ID shows what is asked", "the answer does not fit: %v", err)
	}
	note := &host.Record{AcceptedAt: t.now, Event: "detent.answer", By: r.By, Effect: f.Key, Outcome: statechart.Taken.String(),
		Data: map[string]any{"approve": approved(r), "comment": r.Comment, "digest": f.Digest}}
	if err := t.write(note, configurationOf(t.s.snap), t.s.doc); err != nil {
		return err
	}
	if r.Approve != nil && !*r.Approve {
		return t.end(f, host.Failed(host.Failure{Code: "rejected", Message: r.Comment, Final: true, Detail: map[string]any{"by": r.By, "at": t.now}}), nil)
	}
	if f.Approval {
		f.Approved, f.Question = true, nil
		t.set(f, standsPending)
		return nil
	}
	output := map[string]any{"by": r.By, "at": t.now}
	if r.Comment != "" {
		output["comment"] = r.Comment
	}
	if f.Question.Kind != "approve" {
		output["answer"] = r.Data
	}
	return t.end(f, host.Done(output), nil)
}

// fitsQuestion says what is wrong with the data of an answer, by who asked.
func (t *turn) fitsQuestion(f *effect, r Reply) error {
	_, traits, _ := t.e.config.Performers.Find(f.Src)
	if f.Approval || f.Question.Kind == "approve" || r.Approve != nil && !*r.Approve || traits.Answer == nil {
		return nil
	}
	return traits.Answer(*f.Question, r.Data)
}

// person reports whether a name may be that of a person: programs call
// themselves agent, model or tool, alone or before a colon or a slash.
func person(name string) bool {
	kind, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "/", ":"), ":")
	return kind != "" && kind != "agent" && kind != "model" && kind != "tool"
}

func approved(r Reply) any {
	if r.Approve == nil {
		return nil
	}
	return *r.Approve
}

// dueEffects ends what waited for a person until its deadline.
func (t *turn) dueEffects() error {
	for _, f := range effectsInOrder(t.s.effects) {
		if f.Stands != standsHeld || f.Due == 0 || f.Due > t.now {
			continue
		}
		if err := t.end(f, unanswered(f, t.now), nil); err != nil {
			return err
		}
	}
	return nil
}

// unanswered is how a question ends whose time is over: with its default, of
// which a no is what a person's no is, or as expired.
func unanswered(f *effect, now int64) host.Outcome {
	d := f.Question.Default
	switch {
	case d == nil || f.Approval:
		return host.Failed(host.Failure{Code: "expired", Message: "nobody answered in time", Final: true})
	case f.Question.Kind == "approve" && d != true:
		return host.Failed(host.Failure{Code: "rejected", Message: "nobody answered in time, and the default is no", Final: true,
			Detail: map[string]any{"by": "default", "at": now}})
	}
	return host.Done(map[string]any{"by": "default", "at": now, "answer": d})
}
