package durable

import (
	"context"
	"encoding/json"
	"errors"
	"math"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// exportFormat is the number of the form of an export.
const exportFormat = 1

// export is one session as a document of its own.
type export struct {
	Format   int               `json:"format"`
	Session  string            `json:"session"`
	Chart    string            `json:"chart"`
	Digest   string            `json:"digest"`
	Source   string            `json:"source,omitempty"` // of the chart
	Status   Status            `json:"status"`
	Reason   json.RawMessage   `json:"reason,omitempty"`
	User     string            `json:"user,omitempty"`
	Tags     []string          `json:"tags,omitempty"`
	Priority int               `json:"priority,omitempty"`
	Sequence uint64            `json:"sequence"`
	Hash     string            `json:"hash"`
	Created  int64             `json:"created"`
	Since    int64             `json:"since"`
	State    json.RawMessage   `json:"state"`
	Effects  []exportEffect    `json:"effects,omitempty"`
	Inbox    []json.RawMessage `json:"inbox,omitempty"`
	Lists    []exportList      `json:"lists,omitempty"`
	Journal  []exportRow       `json:"journal,omitempty"`
}

type exportEffect struct {
	Key  string          `json:"key"`
	Body json.RawMessage `json:"body"`
}

type exportList struct {
	Key  string          `json:"key"`
	Body json.RawMessage `json:"body"`
}

type exportRow struct {
	Sequence uint64          `json:"sequence"`
	Time     int64           `json:"time"`
	Hash     string          `json:"hash"`
	Body     json.RawMessage `json:"body"`
}

// Export returns a session as one self-contained JSON document: its state,
// what is pending, its lists, its journal and its chart. It can be taken in
// by [Engine.Import] on another store.
func (r *reader) Export(ctx context.Context, session string) ([]byte, error) {
	stored, err := r.store.Load(ctx, LoadQuery{Session: session, Inbox: math.MaxInt32})
	if err != nil {
		return nil, storeProblem(err, session)
	}
	h := &stored.Head
	chart, err := r.pinned(ctx, h.Digest)
	if err != nil {
		return nil, storeProblem(err, session)
	}
	doc, _, err := unfold(chart, stored)
	if err != nil {
		return nil, storeProblem(err, session)
	}
	x := export{Format: exportFormat, Session: h.Session, Chart: h.Chart, Digest: h.Digest, Status: h.Status, Reason: h.Reason, User: h.User,
		Tags: h.Tags, Priority: h.Priority, Sequence: h.Sequence, Hash: h.Hash, Created: h.Created, Since: h.Since, State: doc}
	if list, err := r.store.Records(ctx, RecordQuery{Namespace: SpaceChart, From: h.Digest, To: h.Digest + "\x00", Limit: 1}); err != nil {
		return nil, storeProblem(err, session)
	} else if len(list) > 0 {
		x.Source = string(list[0].Body)
	}
	for _, f := range stored.Effects {
		x.Effects = append(x.Effects, exportEffect{f.Key, f.Body})
	}
	for _, m := range stored.Inbox {
		x.Inbox = append(x.Inbox, m.Body)
	}
	if err := r.exportRows(ctx, session, &x); err != nil {
		return nil, storeProblem(err, session)
	}
	return host.Encode(x)
}

// exportRows adds lists and journal.
func (r *reader) exportRows(ctx context.Context, session string, x *export) error {
	from := ""
	for {
		list, err := r.store.Records(ctx, RecordQuery{Namespace: SpaceList, Session: session, From: from, Limit: 1000})
		if err != nil {
			return err
		}
		for _, row := range list {
			x.Lists = append(x.Lists, exportList{row.Key, row.Body})
			from = row.Key + "\x00"
		}
		if len(list) < 1000 {
			break
		}
	}
	next := uint64(1)
	for {
		rows, err := r.store.Journal(ctx, session, next, 1000)
		if err != nil {
			return err
		}
		for _, row := range rows {
			x.Journal = append(x.Journal, exportRow{row.Sequence, row.Time, row.Hash, row.Body})
			next = row.Sequence + 1
		}
		if len(rows) < 1000 {
			return nil
		}
	}
}

// ImportOptions say how a document is taken in.
type ImportOptions struct {
	// ID is the new session's; empty: the document's own, with "-import".
	ID string
	By string
}

// Import makes a session from an export. It starts suspended, under a new id;
// its timers are kept and the calls that had not ended count as unknown (S10).
// The journal of the document stays with it: the new one begins with the
// import.
func (e *Engine) Import(ctx context.Context, document []byte, o ImportOptions) (View, error) {
	var x export
	if err := host.Decode(document, &x); err != nil {
		return View{}, problem(CodeDocument, "detent export writes one", "the document cannot be read: %v", err)
	}
	if x.Format != exportFormat {
		return View{}, problem(CodeDocument, "use a version of detent that knows it", "the document has the format %d, this version reads %d", x.Format, exportFormat)
	}
	if o.ID == "" {
		o.ID = x.Session + "-import"
	}
	if err := checkID("a session's id", o.ID, "/"); err != nil {
		return View{}, err
	}
	chart, err := e.library.byDigest(x.Digest, func() ([]byte, error) { return []byte(x.Source), nil })
	if err != nil {
		return View{}, storeProblem(err, o.ID)
	}
	snap, err := renamed(chart, x.State, o.ID)
	if err != nil {
		return View{}, problem(CodeDocument, "", "the document's state cannot be read: %v", err)
	}
	if err := e.control(ctx, o.ID, &control{absent: true, do: func(t *turn) error { return t.takeIn(chart, snap, &x, o) }}); err != nil {
		return View{}, err
	}
	return e.Get(ctx, o.ID)
}

// renamed reads a state as that of a session of another id, so that the keys
// of what it asks for from now on are its own.
func renamed(chart *statechart.Chart, state []byte, id string) (statechart.Snapshot, error) {
	v, err := statechart.ReadDocument(state)
	if err != nil {
		return statechart.Snapshot{}, err
	}
	doc, ok := v.(map[string]any)
	if !ok {
		return statechart.Snapshot{}, errors.New("it is no object")
	}
	doc["session"] = id
	body, err := statechart.AppendDocument(nil, doc)
	if err != nil {
		return statechart.Snapshot{}, err
	}
	return chart.Decode(body)
}

// takeIn makes the imported session in this turn.
func (t *turn) takeIn(chart *statechart.Chart, snap statechart.Snapshot, x *export, o ImportOptions) error {
	s := t.s
	if s.exists {
		return problem(CodeSessionExists, "import under another id", "there is a session %q", o.ID)
	}
	t.establish(chart, Head{Session: o.ID, User: x.User, Tags: x.Tags, Priority: x.Priority})
	s.snap = snap
	s.head.Status, s.head.Since = Suspended, x.Since
	if x.Status.Over() || x.Status == Parked {
		s.head.Status = x.Status
	}
	why := &statechart.Reason{Code: reasonSuspended, Message: "imported from " + x.Session}
	t.setStanding(why, o.By, 0)
	if x.Source != "" {
		t.own.Records = append(t.own.Records, Record{Namespace: SpaceChart, Key: x.Digest, Body: []byte(x.Source)})
	}
	for _, row := range x.Lists {
		t.own.Records = append(t.own.Records, Record{Namespace: SpaceList, Session: o.ID, Key: row.Key, Body: row.Body})
	}
	for _, name := range chart.Definition().Lists {
		s.listed[name] = snap.Len(name)
	}
	if err := t.takeInCalls(x); err != nil {
		return err
	}
	doc, err := snap.Encode()
	if err != nil {
		return err
	}
	r := &host.Record{AcceptedAt: t.now, Event: "detent.import", By: o.By, Outcome: statechart.Taken.String(), Reason: why,
		Data: map[string]any{"session": x.Session, "sequence": int64(x.Sequence), "hash": x.Hash}}
	return t.write(r, nil, doc)
}

// takeInCalls takes over what was pending: first what had been accepted, then
// what the import itself says of the calls (R35).
func (t *turn) takeInCalls(x *export) error {
	for _, body := range x.Inbox {
		m, err := decodeMessage(body)
		if err != nil {
			return problem(CodeDocument, "", "an event of the inbox cannot be read: %v", err)
		}
		t.postSelf(m)
		t.e.mu.Lock()
		waits := t.s.events[len(t.s.events)-1]
		t.e.mu.Unlock()
		t.remember(waits, Answer{}) // sent again, it is the same (E1)
	}
	for _, row := range x.Effects {
		f, err := decodeEffect(EffectRow{Key: row.Key, Live: true, Body: row.Body})
		if err != nil {
			return problem(CodeDocument, "", "the call %s cannot be read: %v", row.Key, err)
		}
		t.s.effects[f.Key] = f
		switch f.Stands {
		case standsHeld, standsEnded, standsAbandoned: // nobody waits for the last
			f.dirty = true
		case standsStopping:
			f.Outcome = &host.Outcome{Kind: host.KindCancelled}
			t.set(f, standsEnded)
		default:
			o := host.Unknown("imported", "the call ran elsewhere")
			f.Outcome = &o
			t.set(f, standsUnknown)
			t.tell(f.Sources, f.Key, o)
		}
	}
	return nil
}
