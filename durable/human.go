package durable

import (
	"context"
	"fmt"
	"slices"

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
	// Data answers one of the kind input.
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
	if err := e.checkData(r.Data); err != nil {
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
	case r.By == "" || r.By == "agent" || r.By == "model":
		return problem(CodeAnswer, "say who answers, by --by", "only a person can answer")
	case len(f.Question.Who) > 0 && !slices.Contains(f.Question.Who, r.By):
		return problem(CodeAnswer, "", "%s may not answer this", r.By)
	case f.Question.Kind == "approve" && r.Approve == nil:
		return problem(CodeAnswer, "approve or reject", "the question is answered by yes or no")
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
		outcome := host.Failed(host.Failure{Code: "expired", Message: "nobody answered in time", Final: true})
		if d := f.Question.Default; d != nil && !f.Approval {
			outcome = host.Done(map[string]any{"by": "default", "at": t.now, "answer": d})
		}
		if err := t.end(f, outcome, nil); err != nil {
			return err
		}
	}
	return nil
}
