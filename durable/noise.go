package durable

import (
	"cmp"
	"slices"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// noise is what one sender's events that nothing takes have left behind.
// Past a rate they are counted and have no rows of their own (R34): a sender
// that is stuck in a loop does not fill the store.
type noise struct {
	Since   int64  `json:"since"` // when the minute began
	Rows    int    `json:"-"`     // in it
	Counted int64  `json:"counted"`
	From    string `json:"from"`
	By      string `json:"by,omitempty"`
	Origin  string `json:"origin,omitempty"`
}

const (
	// noiseMinute is the time in which rows are counted, in milliseconds.
	noiseMinute = 60_000
	// noiseSenders is how many senders are told apart in one session.
	noiseSenders = 1000
)

// drowned counts an event that nothing took instead of writing its row, if its
// sender is past the rate. The state stays what it was.
func (t *turn) drowned(m *message, o statechart.Outcome) (bool, error) {
	if m.Source != nil || o != statechart.Ignored && o != statechart.Refused {
		return false, nil
	}
	n, key, err := t.noiseOf(m)
	if err != nil {
		return false, err
	}
	if n.Rows < t.e.config.Noise {
		n.Rows++
		return false, nil
	}
	n.Counted++
	body, err := host.Encode(n)
	if err != nil {
		return false, err
	}
	t.own.Records = slices.DeleteFunc(t.own.Records, func(r Record) bool { return r.Namespace == SpaceNoise && r.Key == key })
	t.own.Records = append(t.own.Records, Record{Namespace: SpaceNoise, Session: t.s.id, Key: key, Body: body})
	t.steps++
	t.dirty = true
	return true, nil
}

// noiseOf finds what is known of the event's sender.
func (t *turn) noiseOf(m *message) (*noise, string, error) {
	s := t.s
	key := m.From + " " + m.By + " " + m.Origin
	n := s.noise[key]
	if n == nil && len(s.noise) >= noiseSenders {
		key = "others"
		n = s.noise[key]
	}
	if n != nil {
		if t.now >= n.Since+noiseMinute {
			n.Since, n.Rows = t.now, 0
		}
		return n, key, nil
	}
	n = &noise{Since: t.now, From: m.From, By: m.By, Origin: m.Origin}
	body, err := t.record(SpaceNoise, key)
	if err != nil {
		return nil, "", err
	}
	if body != nil {
		if err := host.Decode(body, n); err != nil {
			return nil, "", err
		}
		n.Rows = t.e.config.Noise
	}
	if s.noise == nil {
		s.noise = map[string]*noise{}
	}
	s.noise[key] = n
	return n, key, nil
}

// tellNoise writes one row for what was counted of each sender whose minute
// is over.
func (t *turn) tellNoise() error {
	var over []string
	for key, n := range t.s.noise {
		if n.Counted > 0 && t.now >= n.Since+noiseMinute {
			over = append(over, key)
		}
	}
	slices.SortFunc(over, func(a, b string) int {
		return cmp.Or(cmp.Compare(t.s.noise[a].Since, t.s.noise[b].Since), cmp.Compare(a, b))
	})
	for _, key := range over {
		n := t.s.noise[key]
		r := &host.Record{AcceptedAt: n.Since, Event: "detent.counted", Sender: n.From, By: n.By, Origin: n.Origin, Outcome: statechart.Ignored.String(),
			Data:   map[string]any{"counted": n.Counted, "since": n.Since},
			Reason: &statechart.Reason{Code: statechart.CodeLimit, Message: "events that nothing takes came too fast to be written one by one"}}
		if err := t.write(r, configurationOf(t.s.snap), t.s.doc); err != nil {
			return err
		}
		delete(t.s.noise, key)
		t.own.Records = append(t.own.Records, Record{Namespace: SpaceNoise, Session: t.s.id, Key: key})
	}
	return nil
}
