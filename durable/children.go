package durable

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// maxNested is how deep sessions may start sessions.
const maxNested = 100

// childOf returns the chart that a call's source starts as a session.
func childOf(src string) (chart string, ok bool) { return strings.CutPrefix(src, "chart:") }

// startChild makes the session that a call stands for, in the same
// transaction: its digest is pinned when the effect commits.
func (t *turn) startChild(f *effect, name string) error {
	h := &t.s.head
	f.Mode = host.AtLeastOnce
	if h.Depth >= maxNested {
		return t.end(f, host.Failed(host.Failure{Code: "too_deep", Message: fmt.Sprintf("sessions are nested deeper than %d", maxNested), Final: true}), nil)
	}
	chart, source, ok := t.e.config.Charts.Chart(name)
	if !ok {
		return t.end(f, host.Failed(host.Failure{Code: string(CodeNoChart), Message: "there is no chart " + name, Final: true}), nil)
	}
	f.Child = childID(h.Session, f.Sources[0].ID, f.Sources[0].Entry)
	if len(f.Child) > maxChildID {
		return t.end(f, host.Failed(host.Failure{Code: "too_deep", Message: "the child's id would be too long", Final: true}), nil)
	}
	t.e.library.keep(chart)
	t.set(f, standsChild)
	child := Head{Session: f.Child, Revision: 1, Format: bodyFormat, Chart: chart.Definition().ID, Digest: chart.Digest(), Status: Active, User: h.User,
		Tags: h.Tags, Priority: h.Priority, Parent: h.Session, ParentKey: f.Key, Depth: h.Depth + 1, Created: t.now, Updated: t.now, Since: t.now, Ready: true}
	c := Change{Session: f.Child, Head: &child}
	if source != nil {
		c.Records = []Record{{Namespace: SpaceChart, Key: chart.Digest(), Body: source}}
	}
	t.unit.changes = append(t.unit.changes, c)
	return t.post(f.Child, &message{Kind: messageStart, At: t.now, Name: "detent.init", Data: f.Input, Origin: h.Session, From: "session"})
}

// maxChildID is how long the id of a nested session may be, in bytes.
const maxChildID = 4000

// childEnded takes up the end of a child. Who was left reports to nobody.
func (t *turn) childEnded(m *entry) error {
	f := t.s.effects[m.Effect]
	if f == nil || m.Outcome == nil || m.Origin != "" && m.Origin != f.Child {
		return nil // a child of an earlier call under the same declared key
	}
	switch {
	case f.Stands == standsStopping, f.Stands == standsChild && m.Outcome.Kind == host.KindCancelled:
		f.Outcome = &host.Outcome{Kind: host.KindCancelled}
		t.set(f, standsEnded)
	case f.Stands == standsChild:
		return t.end(f, *m.Outcome, nil)
	}
	return nil
}

// cancelled ends the session because its parent has left the call (R25).
func (t *turn) cancelled(m *entry) error {
	if t.s.head.Status.Over() {
		return t.reportEnd(host.Outcome{Kind: host.KindCancelled})
	}
	return t.cancel("", "its parent has left the call")
}

// cancel ends the session from outside. Its exit actions run.
func (t *turn) cancel(by, why string) error {
	s := t.s
	reason := &statechart.Reason{Code: "cancelled", Message: why}
	if s.snap.IsZero() {
		s.head.Status = Cancelled
		t.setStanding(reason, by, 0)
		return t.reportEnd(host.Outcome{Kind: host.KindCancelled})
	}
	next, err := s.snap.Cancel(t.now)
	if err != nil {
		return err
	}
	if next.Result.Outcome == statechart.Refused {
		return problem(CodeStatus, "", "the session %q cannot be cancelled: %s", s.id, reasonText(next.Result.Reason))
	}
	s.head.Status = Active // whatever it was: the end is the chart's
	if _, err := t.accept(&message{Kind: messageEvent, At: t.now, Name: "detent.cancel", By: by}, next, false); err != nil {
		return err
	}
	t.setStanding(reason, by, 0)
	return nil
}
