package protocol

import (
	"strconv"
	"strings"
)

// verb is what happens from one state to the next.
type verb uint8

const (
	sendLost verb = iota
	sendAcked
	ackEarly
	putLate
	expire
	acquire
	load
	stepDone
	stepRefused
	claim
	call
	record
	recordLost
	drop
	ask
	adopt
	again
	writeEffect
	crash
)

var verbs = [...]string{
	sendLost: "event {item} is sent, its answer is lost", sendAcked: "event {item} is sent and answered",
	ackEarly: "node {node} answers event {item}", putLate: "node {node} commits event {item} to the inbox",
	expire: "the lease expires", acquire: "node {node} becomes the owner", load: "node {node} loads the session and item {item}",
	stepDone: "node {node} commits the step of item {item}", stepRefused: "the step of node {node} is refused",
	claim: "node {node} claims effect {item}", call: "node {node} CALLS for effect {item}",
	record: "node {node} records the result of effect {item}", recordLost: "node {node} records the result of effect {item} and does not learn it",
	drop: "node {node} finds effect {item} no longer its own", ask: "node {node} asks about effect {item}",
	adopt: "node {node} adopts the result of effect {item}", again: "node {node} frees effect {item} for another attempt",
	writeEffect: "node {node} writes effect {item}", crash: "node {node} CRASHES",
}

// action is a verb with who does it to what.
type action struct {
	verb       verb
	node, item int
}

func (a action) String() string {
	return strings.NewReplacer("{node}", strconv.Itoa(a.node), "{item}", strconv.Itoa(a.item)).Replace(verbs[a.verb])
}

// next gives every state that can follow.
func (m *Model) next(s *state, emit func(action, state)) {
	m.clients(s, emit)
	if s.held && !m.Lock {
		t := *s
		t.held = false
		emit(action{verb: expire}, t)
	}
	for n := range nodes {
		switch s.node[n].stage {
		case idle:
			m.acquire(s, n, emit)
			m.begin(s, n, emit)
		case stepping:
			m.step(s, n, emit)
		case claimed:
			t := *s
			t.calls[s.node[n].item] = min(t.calls[s.node[n].item]+1, 2)
			t.node[n].stage = acted
			emit(action{call, n, int(s.node[n].item)}, t)
		case acted:
			m.record(s, n, emit)
		case asked:
			m.decide(s, n, emit)
		case accepting:
			t := *s
			t.inbox[s.node[n].item] = max(1, t.inbox[s.node[n].item])
			t.node[n].stage = idle
			emit(action{putLate, n, int(s.node[n].item)}, t)
		case loose:
			t := *s
			t.out[s.node[n].item] = pending
			t.node[n].stage = idle
			emit(action{writeEffect, n, int(s.node[n].item)}, t)
		}
		if s.crashes < m.Crashes && s.node[n] != (node{}) {
			t := *s
			t.crashes++
			if m.Lock && s.owner(n) {
				t.held = false
			}
			t.node[n] = node{}
			emit(action{verb: crash, node: n}, t)
		}
	}
}

// clients send each event, in order, and once more when no answer came.
func (m *Model) clients(s *state, emit func(action, state)) {
	for e := range events {
		if s.tries[e] == 2 || s.acked[e] || e > 0 && s.tries[e-1] == 0 {
			continue
		}
		t := *s
		t.tries[e]++
		if m.Bugs.AckFirst {
			for n := range nodes {
				if s.node[n].stage == idle && s.owner(n) {
					u := t
					u.acked[e] = true
					u.node[n].stage, u.node[n].item = accepting, uint8(e)
					emit(action{ackEarly, n, e}, u)
				}
			}
			continue
		}
		if t.inbox[e] == 0 || m.Bugs.NoDedupe {
			t.inbox[e]++
		}
		emit(action{sendLost, 0, e}, t)
		t.acked[e] = true
		emit(action{sendAcked, 0, e}, t)
	}
}

// acquire begins a new epoch. What owners before had claimed is settled by the
// mode: nobody knows whether it was done.
func (m *Model) acquire(s *state, n int, emit func(action, state)) {
	if s.held || s.epoch == m.Epochs {
		return
	}
	t := *s
	t.epoch++
	t.held = true
	t.node[n].epoch = t.epoch
	for e := range events {
		switch {
		case t.out[e] != taken:
		case m.Bugs.Reclaim || m.Mode == AtLeastOnce:
			t.out[e] = pending
		case m.Mode == Reconcile:
			t.out[e] = asking
		default:
			t.out[e] = unknown
			m.deliver(&t, e)
		}
	}
	emit(action{verb: acquire, node: n}, t)
}

// begin is what a node with nothing in hand may take up.
func (m *Model) begin(s *state, n int, emit func(action, state)) {
	if s.node[n].epoch == 0 {
		return
	}
	first := true
	for i := range items {
		if s.applied[i] >= s.inbox[i] || i < events && !first {
			continue
		}
		first = first && i >= events // of the events only the oldest
		t := *s
		t.node[n].stage, t.node[n].seq, t.node[n].item = stepping, s.seq, uint8(i)
		emit(action{load, n, i}, t)
	}
	for e := range events {
		t := *s
		t.node[n].item = uint8(e)
		switch {
		case s.out[e] == pending && (m.Bugs.ActFirst || m.current(s, n)):
			t.node[n].stage = claimed
			if !m.Bugs.ActFirst {
				t.out[e] = taken
			}
			emit(action{claim, n, e}, t)
		case s.out[e] == asking:
			t.node[n].stage, t.node[n].seq = asked, min(1, s.calls[e])
			emit(action{ask, n, e}, t)
		}
	}
}

// current is the fence: does a commit of the node pass it?
func (m *Model) current(s *state, n int) bool { return m.Bugs.NoFence || s.owner(n) }

// step commits what a node made of the session that it loaded.
func (m *Model) step(s *state, n int, emit func(action, state)) {
	t, nd := *s, s.node[n]
	t.node[n].stage = idle
	if !m.current(s, n) || !m.Bugs.NoSequence && nd.seq != s.seq {
		t.node[n] = node{} // it reads everything again, once it owns it again
		emit(action{stepRefused, n, int(nd.item)}, t)
		return
	}
	t.seq = nd.seq + 1
	t.applied[nd.item]++
	if nd.item < events && t.out[nd.item] == none {
		if m.Bugs.LooseEffect {
			t.node[n].stage = loose
		} else {
			t.out[nd.item] = pending
		}
	}
	emit(action{stepDone, n, int(nd.item)}, t)
}

// record tells what came of a call. A node that is no longer the owner leaves
// it in the inbox, where its id tells that it is the same, or dies with it.
func (m *Model) record(s *state, n int, emit func(action, state)) {
	e := int(s.node[n].item)
	t := *s
	m.deliver(&t, e)
	if t.out[e] != unknown { // there it is evidence, no more
		t.out[e] = done
	}
	if s.lost == 0 {
		u := t
		u.lost++
		emit(action{recordLost, n, e}, u)
	}
	t.node[n].stage = idle
	emit(action{record, n, e}, t)
}

// deliver puts the result of an effect into the inbox, under an id that
// derives from the effect's key.
func (m *Model) deliver(t *state, e int) {
	if r := events + e; t.inbox[r] == 0 || m.Bugs.RandomIDs {
		t.inbox[r] = min(t.inbox[r]+1, 2)
	}
}

// decide commits what follows from what the other side said.
func (m *Model) decide(s *state, n int, emit func(action, state)) {
	t, nd := *s, s.node[n]
	e := int(nd.item)
	t.node[n].stage, t.node[n].seq = idle, 0
	switch {
	case s.out[e] != asking || !m.current(s, n):
		emit(action{drop, n, e}, t)
	case nd.seq == 1:
		t.out[e] = done
		m.deliver(&t, e)
		emit(action{adopt, n, e}, t)
	default:
		t.out[e] = pending
		emit(action{again, n, e}, t)
	}
}
