package host

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/detent-run/detent/statechart"
)

// Record is one row of a session's journal: what came in, what became of it,
// and what it changed. Records of a session are numbered 1..n without a gap.
// Its JSON, without Hash, is what the hash chain covers.
type Record struct {
	Sequence uint64 `json:"sequence"`
	// Time is the time of the step, AcceptedAt when the event was accepted or,
	// of a timer, due; milliseconds since 1970.
	Time       int64 `json:"time"`
	AcceptedAt int64 `json:"acceptedAt,omitempty"`
	// Event is the name, Data the payload, and the rest what is known of it.
	// Control verbs are events named detent.suspend, detent.resume, ….
	Event  string             `json:"event"`
	Data   any                `json:"data,omitempty"`
	ID     string             `json:"id,omitempty"`
	Sender string             `json:"sender,omitempty"`
	By     string             `json:"by,omitempty"` // of control verbs and answers: who
	Effect string             `json:"effect,omitempty"`
	Source *statechart.Source `json:"source,omitempty"`
	// Origin, SendID and Invocation are those of a session's send.
	Origin     string `json:"origin,omitempty"`
	SendID     string `json:"sendID,omitempty"`
	Invocation string `json:"invocation,omitempty"`
	// Deferred is set when the event had been kept and was delivered now.
	Deferred bool `json:"deferred,omitempty"`
	// Step is the number of the macrostep, 0 for rows that are none.
	Step uint64 `json:"step,omitempty"`
	// Outcome is taken, deferred, ignored, refused or failed; of control
	// verbs, taken.
	Outcome string             `json:"outcome"`
	Reason  *statechart.Reason `json:"reason,omitempty"`
	// From and To are the configurations before and after; Status the
	// session's afterwards.
	From   []string `json:"from"`
	To     []string `json:"to"`
	Status string   `json:"status"`
	// Effects are what the step asked for, in order; of what was asked before
	// and changed without a step, see Calls.
	Effects []statechart.Effect `json:"effects,omitempty"`
	// Calls say what became of outside calls in this row.
	Calls []CallChange `json:"calls,omitempty"`
	// Change is how the encoded state differs from the one of the row before.
	Change json.RawMessage `json:"change,omitempty"`
	// Chart is the digest of the chart, in the first row and where it changes.
	Chart string `json:"chart,omitempty"`
	// Hash is the SHA-256 over the hash of the row before and this row's JSON,
	// in hex.
	Hash string `json:"-"`
}

// CallChange is what became of one outside call.
type CallChange struct {
	Key     string   `json:"key"`
	Src     string   `json:"src"`
	State   string   `json:"state"`
	Attempt int      `json:"attempt,omitempty"`
	Outcome *Outcome `json:"outcome,omitempty"`
	Note    string   `json:"note,omitempty"`
}

// Took is how long the event waited before it was taken up, in milliseconds:
// of a timer, its lateness.
func (r *Record) Took() int64 {
	if r.AcceptedAt == 0 {
		return 0
	}
	return max(0, r.Time-r.AcceptedAt)
}

// Encode returns the row's canonical JSON, without the hash.
func (r *Record) Encode() ([]byte, error) {
	w := rowWriter{b: make([]byte, 0, 512)}
	w.b = append(w.b, '{')
	w.number("acceptedAt", r.AcceptedAt, true)
	w.text("by", r.By)
	if len(r.Calls) > 0 {
		w.value("calls", r.Calls)
	}
	if len(r.Change) > 0 {
		w.key("change")
		w.b = append(w.b, r.Change...)
	}
	w.text("chart", r.Chart)
	if r.Data != nil {
		w.plain("data", r.Data)
	}
	if r.Deferred {
		w.plain("deferred", true)
	}
	w.text("effect", r.Effect)
	if len(r.Effects) > 0 {
		w.value("effects", r.Effects)
	}
	w.plain("event", r.Event)
	w.texts("from", r.From)
	w.text("id", r.ID)
	w.text("invocation", r.Invocation)
	w.text("origin", r.Origin)
	w.plain("outcome", r.Outcome)
	if r.Reason != nil {
		w.value("reason", r.Reason)
	}
	w.text("sendID", r.SendID)
	w.text("sender", r.Sender)
	w.number("sequence", int64(r.Sequence), false)
	if r.Source != nil {
		w.value("source", r.Source)
	}
	w.plain("status", r.Status)
	w.number("step", int64(r.Step), true)
	w.number("time", r.Time, false)
	w.texts("to", r.To)
	w.b = append(w.b, '}')
	return w.b, w.err
}

// DecodeRecord reads what [Record.Encode] wrote.
func DecodeRecord(body []byte) (Record, error) {
	var r Record
	err := Decode(body, &r)
	return r, err
}

// rowWriter writes the members of one object. Its caller keeps their order.
type rowWriter struct {
	b   []byte
	err error
}

func (w *rowWriter) key(name string) {
	if len(w.b) > 1 {
		w.b = append(w.b, ',')
	}
	w.b = append(w.b, '"')
	w.b = append(w.b, name...)
	w.b = append(w.b, '"', ':')
}

func (w *rowWriter) plain(name string, v any) {
	w.key(name)
	var err error
	if w.b, err = statechart.AppendJSON(w.b, v); err != nil && w.err == nil {
		w.err = fmt.Errorf("%s: %w", name, err)
	}
}

func (w *rowWriter) value(name string, v any) {
	w.key(name)
	var err error
	if w.b, err = AppendJSON(w.b, v); err != nil && w.err == nil {
		w.err = fmt.Errorf("%s: %w", name, err)
	}
}

func (w *rowWriter) text(name, text string) {
	if text != "" {
		w.plain(name, text)
	}
}

func (w *rowWriter) texts(name string, list []string) {
	w.key(name)
	w.b = append(w.b, '[')
	for i, s := range list {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b, _ = statechart.AppendJSON(w.b, s) // paths of states are text that can be kept
	}
	w.b = append(w.b, ']')
}

func (w *rowWriter) number(name string, n int64, omit bool) {
	if omit && n == 0 {
		return
	}
	w.key(name)
	w.b = strconv.AppendInt(w.b, n, 10)
}
