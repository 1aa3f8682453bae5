package durable

import (
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// View is a session as people see it: `detent show` prints it as JSON.
type View struct {
	Session  string `json:"session"`
	Chart    string `json:"chart"`
	Digest   string `json:"digest"`
	Status   Status `json:"status"`
	Sequence uint64 `json:"sequence"`
	// Reason is why it is suspended, parked or failed.
	Reason        *statechart.Reason        `json:"reason,omitempty"`
	Configuration []string                  `json:"configuration"`
	Data          map[string]map[string]any `json:"data"`
	History       map[string][]string       `json:"history,omitempty"`
	Timers        []TimerView               `json:"timers"`
	// Effects are the outside calls that have not ended, and those that ended
	// without anybody having seen how.
	Effects []EffectView `json:"effects"`
	// Pending is what waits for a person.
	Pending []PendingView `json:"pending"`
	// Queued is how many events wait in the inbox, counted to 1,000.
	Queued int `json:"queued"`
	// Since is when it entered the configuration, Created and Updated the
	// first and the last change; milliseconds since 1970.
	Since    int64    `json:"since"`
	Created  int64    `json:"created"`
	Updated  int64    `json:"updated"`
	WakeAt   int64    `json:"wakeAt,omitempty"`
	User     string   `json:"user,omitempty"`
	Tags     []string `json:"tags,omitempty"`
	Priority int      `json:"priority,omitempty"`
	Parent   string   `json:"parent,omitempty"`
	Output   any      `json:"output,omitempty"`
	// Context is a copy of the typed context, if the chart has one.
	Context any `json:"context,omitempty"`
	// Next are the events possible now.
	Next []statechart.PossibleEvent `json:"-"`
}

// TimerView is an armed timer. Due is in milliseconds since 1970.
type TimerView struct {
	Event string `json:"event"`
	Kind  string `json:"kind"`
	Due   int64  `json:"due"`
	State string `json:"state,omitempty"`
}

// EffectView is an outside call. Since (it stands so) and Due (it is tried or
// looked up again, or its time is over) are milliseconds since 1970.
type EffectView struct {
	// ID names it within the session, for settle and answer: the call's id
	// in the chart, or the key where that is not unique. Key is its key.
	ID    string    `json:"id"`
	Key   string    `json:"key"`
	Src   string    `json:"src"`
	State string    `json:"state"`
	Mode  host.Mode `json:"mode"`
	// Stands is pending, claimed (running), retrying, asking (looked up by
	// key), waiting (for its own effects), held (for a person), child,
	// stopping (a child that is being cancelled), abandoned (left while it
	// ran) or unknown.
	Stands  string        `json:"stands"`
	Attempt int           `json:"attempt"`
	Due     int64         `json:"due,omitempty"`
	Last    *host.Failure `json:"last,omitempty"`
	Since   int64         `json:"since"`
	Input   any           `json:"input,omitempty"`
	Child   string        `json:"child,omitempty"`
}

// PendingView is something that a person must answer, since Since and until Due
// (0: for ever), in milliseconds since 1970.
type PendingView struct {
	// ID names it within the session; Key is the effect's.
	ID       string        `json:"id"`
	Key      string        `json:"key"`
	Session  string        `json:"session"`
	Question host.Question `json:"question"`
	// Approval: the answer lets the held call itself start. Digest is of its
	// arguments, and an answer may name it to be sure.
	Approval bool   `json:"approval,omitempty"`
	Src      string `json:"src"`
	Input    any    `json:"input,omitempty"`
	Digest   string `json:"digest"`
	Since    int64  `json:"since"`
	Due      int64  `json:"due,omitempty"`
}
