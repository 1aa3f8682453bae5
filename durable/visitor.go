package durable

import (
	"context"
	"errors"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// request is what another process asks of the owner.
type request struct {
	Verb    string        `json:"verb"`
	Session string        `json:"session,omitempty"`
	Name    string        `json:"name,omitempty"`
	Data    any           `json:"data,omitempty"`
	ID      string        `json:"id,omitempty"`
	By      string        `json:"by,omitempty"`
	From    string        `json:"from,omitempty"`
	Until   string        `json:"until,omitempty"`
	Chart   string        `json:"chart,omitempty"`
	Source  string        `json:"source,omitempty"`
	Config  string        `json:"config,omitempty"`
	User    string        `json:"user,omitempty"`
	Tags    []string      `json:"tags,omitempty"`
	Number  int64         `json:"number,omitempty"`
	Text    string        `json:"text,omitempty"`
	Flag    *bool         `json:"flag,omitempty"`
	Failure *host.Failure `json:"failure,omitempty"`
}

// reply is the owner's.
type reply struct {
	Error  *statechart.Error `json:"error,omitempty"`
	Answer *visitedAnswer    `json:"answer,omitempty"`
}

type visitedAnswer struct {
	Session       string             `json:"session"`
	Position      uint64             `json:"position,omitempty"`
	Sequence      uint64             `json:"sequence,omitempty"`
	Queued        bool               `json:"queued,omitempty"`
	Duplicate     bool               `json:"duplicate,omitempty"`
	Outcome       statechart.Outcome `json:"outcome"`
	Reason        *statechart.Reason `json:"reason,omitempty"`
	Status        Status             `json:"status"`
	Configuration []string           `json:"configuration,omitempty"`
}

// serve does one request and stores the reply. A crash in between does it
// again: sends carry the request's id, and the other verbs may be repeated.
func (e *Engine) serve(store Visited, r Request) {
	e.mu.Lock()
	known := e.serving[r.ID]
	e.serving[r.ID] = true
	e.mu.Unlock()
	if known {
		return
	}
	e.start("request", func() {
		var out reply
		var q request
		err := host.Decode(r.Body, &q)
		if err != nil {
			err = problem(statechart.CodeInvalid, "use the same version of detent", "the request cannot be read: %v", err)
		} else {
			out.Answer, err = e.obey(e.outer, r.ID, q)
		}
		if e.outer.Err() != nil {
			return // the next owner serves it
		}
		if err != nil && !errors.As(err, &out.Error) {
			out.Error = problem(CodeStoreFailed, "ask again", "%v", err)
		}
		body, err := host.Encode(out)
		if err == nil {
			err = store.Reply(e.context, e.lease.Epoch, r.ID, body)
		}
		if err != nil {
			e.log.Error("a request could not be answered", "error", err.Error())
		}
		e.mu.Lock()
		delete(e.serving, r.ID)
		e.mu.Unlock()
	})
}

// obey does what a request asks for.
func (e *Engine) obey(ctx context.Context, id string, q request) (*visitedAnswer, error) {
	switch q.Verb {
	case "send":
		if q.ID == "" {
			q.ID = id
		}
		a, err := e.Send(ctx, Event{Session: q.Session, Name: q.Name, Data: q.Data, ID: q.ID, From: q.From, By: q.By, Until: readUntil(q.Until)})
		return visited(a), err
	case "start":
		if err := e.adoptChart(q); err != nil {
			return nil, err
		}
		if q.Session == "" {
			q.Session = id
		}
		a, err := e.Start(ctx, Start{ID: q.Session, Chart: q.Chart, Input: q.Data, User: q.User, Tags: q.Tags, Priority: int(q.Number), Until: readUntil(q.Until)})
		return visited(a), err
	case "suspend":
		return nil, e.Suspend(ctx, q.Session, Suspension{Reason: q.Text, By: q.By, WakeAt: q.Number})
	case "resume":
		return nil, e.Resume(ctx, q.Session, q.By)
	case "cancel":
		return nil, e.Cancel(ctx, q.Session, q.By)
	case "retry":
		return nil, e.Retry(ctx, q.Session, q.By)
	case "delete":
		return nil, e.Delete(ctx, q.Session, q.By)
	case "answer":
		return nil, e.Answer(ctx, q.Session, q.Name, Reply{Approve: q.Flag, Data: q.Data, By: q.By, Comment: q.Text, Digest: q.ID})
	case "settle":
		again := q.Flag != nil && *q.Flag
		return nil, e.Settle(ctx, q.Session, q.Name, Settlement{Done: !again && q.Failure == nil, Output: q.Data, Failed: q.Failure, Again: again, By: q.By, Why: q.Text})
	}
	return nil, problem(statechart.CodeInvalid, "use the same version of detent", "there is no request %q", q.Verb)
}

// adoptChart takes in the chart of a session that another process hands over.
func (e *Engine) adoptChart(q request) error {
	if q.Config != e.config.Deployment {
		return problem(CodeOwned, "end the owner, or use its deployment file", "the engine that owns the store runs with another deployment file")
	}
	if _, _, ok := e.config.Charts.Chart(q.Chart); ok || q.Source == "" {
		return nil
	}
	c, err := e.config.Charts.Read(q.Chart, []byte(q.Source))
	if err != nil {
		return err
	}
	e.library.keep(c)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.handed[c.Digest()] = handed{c, []byte(q.Source)}
	return nil
}

// handed is a chart that another process has handed over, with its source.
type handed struct {
	chart  *statechart.Chart
	source []byte
}

func visited(a Answer) *visitedAnswer {
	return &visitedAnswer{a.Session, a.Position, a.Sequence, a.Queued, a.Duplicate, a.Outcome, a.Reason, a.Status, a.Configuration}
}

// VisitConfig is how a [Visitor] works.
type VisitConfig struct {
	// Runtime is as in [Config]; Charts finds the charts of sessions for
	// reading and hands those over that are started.
	Runtime Runtime
	Charts  Charts
	// Deployment is compared with the owner's, see [Config].
	Deployment string
	// Pace is how often a reply is looked for, in milliseconds. Default 20.
	Pace int64
}

// Visitor works on a store that another engine owns: it reads what is there,
// and asks the owner for everything else. Its methods may be called
// concurrently.
type Visitor struct {
	reader
	door   Visited
	config VisitConfig
}

// Visit returns a visitor of the store, which must be [Visited]. The store
// stays the caller's to close.
func Visit(store Store, c VisitConfig) (*Visitor, error) {
	door, ok := store.(Visited)
	if !ok {
		return nil, problem(CodeOwned, "open the store in one process only", "a store of this kind is opened by one engine and nobody else")
	}
	if c.Runtime == nil {
		c.Runtime = RealRuntime()
	}
	if c.Charts == nil {
		c.Charts = &ChartSet{}
	}
	if c.Pace <= 0 {
		c.Pace = 20
	}
	return &Visitor{reader: reader{store: store, library: &library{charts: c.Charts, known: map[string]*statechart.Chart{}}}, door: door, config: c}, nil
}

// ask leaves a request and waits for the reply.
func (v *Visitor) ask(ctx context.Context, q request) (Answer, error) {
	body, err := host.Encode(q)
	if err != nil {
		return Answer{}, problem(statechart.CodeData, "send JSON", "the request cannot be kept: %v", err)
	}
	id := drawID(v.config.Runtime)
	if err := v.door.Ask(ctx, Request{ID: id, Body: body}); err != nil {
		return Answer{}, storeProblem(err, q.Session)
	}
	gate := v.config.Runtime.Gate()
	for {
		body, ok, err := v.door.Answered(ctx, id)
		if err != nil {
			return Answer{}, storeProblem(err, q.Session)
		}
		if ok {
			return readReply(body)
		}
		if err := gate.Wait(ctx, v.config.Runtime.Now()+v.config.Pace); err != nil && !errors.Is(err, ErrTime) {
			return Answer{}, err
		}
	}
}

func readReply(body []byte) (Answer, error) {
	var r reply
	if err := host.Decode(body, &r); err != nil {
		return Answer{}, problem(statechart.CodeInvalid, "use the same version of detent", "the reply cannot be read: %v", err)
	}
	if r.Error != nil {
		return Answer{}, r.Error
	}
	if r.Answer == nil {
		return Answer{}, nil
	}
	a := r.Answer
	return Answer{Session: a.Session, Position: a.Position, Sequence: a.Sequence, Queued: a.Queued, Duplicate: a.Duplicate, Outcome: a.Outcome,
		Reason: a.Reason, Status: a.Status, Configuration: a.Configuration}, nil
}

// Send is [Engine.Send] through the owner.
func (v *Visitor) Send(ctx context.Context, e Event) (Answer, error) {
	return v.ask(ctx, request{Verb: "send", Session: e.Session, Name: e.Name, Data: e.Data, ID: e.ID, From: e.From, By: e.By, Until: e.Until.String()})
}

// Start is [Engine.Start] through the owner, who is handed the chart.
func (v *Visitor) Start(ctx context.Context, s Start) (Answer, error) {
	if s.Context != nil {
		return Answer{}, problem(statechart.CodeContextType, "start it in the owner's process", "a typed context cannot be handed to another process")
	}
	chart, source, ok := v.config.Charts.Chart(s.Chart)
	if !ok {
		return Answer{}, problem(CodeNoChart, "name one of the charts at hand", "there is no chart %q", s.Chart)
	}
	return v.ask(ctx, request{Verb: "start", Session: s.ID, Chart: chart.Digest(), Source: string(source), Config: v.config.Deployment,
		Data: s.Input, User: s.User, Tags: s.Tags, Number: int64(s.Priority), Until: s.Until.String()})
}

// Suspend is [Engine.Suspend] through the owner.
func (v *Visitor) Suspend(ctx context.Context, session string, s Suspension) error {
	_, err := v.ask(ctx, request{Verb: "suspend", Session: session, Text: s.Reason, By: s.By, Number: s.WakeAt})
	return err
}

// Resume is [Engine.Resume] through the owner.
func (v *Visitor) Resume(ctx context.Context, session, by string) error {
	_, err := v.ask(ctx, request{Verb: "resume", Session: session, By: by})
	return err
}

// Cancel is [Engine.Cancel] through the owner.
func (v *Visitor) Cancel(ctx context.Context, session, by string) error {
	_, err := v.ask(ctx, request{Verb: "cancel", Session: session, By: by})
	return err
}

// Retry is [Engine.Retry] through the owner.
func (v *Visitor) Retry(ctx context.Context, session, by string) error {
	_, err := v.ask(ctx, request{Verb: "retry", Session: session, By: by})
	return err
}

// Delete is [Engine.Delete] through the owner.
func (v *Visitor) Delete(ctx context.Context, session, by string) error {
	_, err := v.ask(ctx, request{Verb: "delete", Session: session, By: by})
	return err
}

// Answer is [Engine.Answer] through the owner.
func (v *Visitor) Answer(ctx context.Context, session, id string, r Reply) error {
	_, err := v.ask(ctx, request{Verb: "answer", Session: session, Name: id, Flag: r.Approve, Data: r.Data, By: r.By, Text: r.Comment, ID: r.Digest})
	return err
}

// Settle is [Engine.Settle] through the owner.
func (v *Visitor) Settle(ctx context.Context, session, effect string, s Settlement) error {
	_, err := v.ask(ctx, request{Verb: "settle", Session: session, Name: effect, Data: s.Output, Failure: s.Failed, Flag: &s.Again, By: s.By, Text: s.Why})
	return err
}
