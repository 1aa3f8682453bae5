package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// gate stands in for all tools but the bank. It answers at once, or holds the
// calls that it is told to hold until they are taken back.
type gate struct {
	address string
	mu      sync.Mutex
	held    map[string]bool // by tool, or by tool and session
	open    chan struct{}   // closed when held changes
	seen    []string
}

// answers are what the tools give.
var answers = map[string]any{"plan": object{"steps": []string{"letter"}}, "letter": "Dear c-17", "syntax": true, "sandbox": object{"pay": 1}}

// openGate opens a gate and points all tools of the collections but the bank's
// at it, the planner too. The bank must be open.
func (w *world) openGate() *gate {
	g := &gate{held: map[string]bool{}, open: make(chan struct{})}
	server := httptest.NewServer(g)
	w.t.Cleanup(server.Close)
	w.t.Cleanup(server.CloseClientConnections)
	g.address = strings.TrimPrefix(server.URL, "http://")
	at := func(name string) string {
		return `http: {method: POST, url: "http://` + g.address + "/" + name + `", body: {session: "${ session }"}}`
	}
	w.edit("collections.yaml", "src: model:default", "src: tool:crm.lookup")
	w.edit("detent.yaml", `["`+w.bank+`"]`, `["`+w.bank+`", "`+g.address+`"]`,
		`process: {argv: [sh, letter.sh], env: {CUSTOMER: "${ input.customer }"}, stdin: none, timeout: 10s}`, at("letter"),
		"file: {root: crm, allow: [read, search]}", at("plan"),
		"description: See whether a program can be read.\n    annotations: {readOnly: true}\n    code: {language: starlark}", "annotations: {readOnly: true}\n    "+at("syntax"),
		"description: Run a program that can do nothing but compute.\n    annotations: {readOnly: true}\n    code: {language: starlark}", "annotations: {readOnly: true}\n    "+at("sandbox"))
	return g
}

// hold says what is held from now on.
func (g *gate) hold(what ...string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.held)
	for _, name := range what {
		g.held[name] = true
	}
	close(g.open)
	g.open = make(chan struct{})
}

// calls are those that came so far: tool and session.
func (g *gate) calls() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]string(nil), g.seen...)
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct{ Session string }
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	tool := strings.TrimPrefix(r.URL.Path, "/")
	g.mu.Lock()
	g.seen = append(g.seen, tool+" "+q.Session)
	g.mu.Unlock()
	for {
		g.mu.Lock()
		held, open := g.held[tool] || g.held[tool+" "+q.Session], g.open
		g.mu.Unlock()
		if !held {
			break
		}
		select {
		case <-open:
		case <-r.Context().Done():
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answers[tool])
}

// twoForOne opens a world in which one letter can be written at a time, and
// starts a session that is at it.
func twoForOne(t *testing.T) (w *world, g *gate, low *program) {
	w = newWorld(t, "collections")
	w.openBank()
	g = w.openGate()
	w.edit("detent.yaml", "description: Write the letter to a customer.", "concurrency: 1")
	g.hold("letter low")
	low = w.run("collections", "low", "--set", "customer=c-1")
	low.rowIn(tool + ".AssembleMessage")
	w.until("low", "at the letter", atTheLetter)
	return w, g, low
}

func atTheLetter(v view) bool {
	return v.Status == "active" && len(v.Effects) == 1 && v.Effects[0].Stands == "claimed"
}

// "A higher-priority session that needs a capacity-limited resource can make
// the engine suspend a lower-priority one and resume it later."
func TestAgent2GivesWayToAMoreImportantSession(t *testing.T) {
	w, g, _ := twoForOne(t)
	high := w.run("collections", "high", "--set", "customer=c-2", "--priority", "9", "--until", tool+".WaitingAck")
	if _, code := high.rest(); code != 0 {
		t.Fatalf("the more important one ends with %d: %s", code, high.errors.String())
	}
	w.until("low", "resumed", atTheLetter)
	g.hold()
	w.in("low", tool+".WaitingAck")
	var events []string
	for _, r := range w.rows("low") {
		if strings.HasPrefix(r.Event, "detent.") {
			events = append(events, strings.TrimSpace(r.Event+" "+r.Reason.Code))
		}
	}
	if got := strings.Join(events, ", "); got != "detent.init, detent.suspend preempted, detent.resume" {
		t.Errorf("what happened to the less important one is %s", got)
	}
	if got := strings.Join(g.calls(), ", "); got != "plan low, letter low, plan high, letter high, letter low" {
		t.Errorf("the calls were %s", got)
	}
}

// The same, and all is killed while the more important one is at it.
func TestAgent2GaveWayAndWasKilled(t *testing.T) {
	w, g, low := twoForOne(t)
	g.hold("letter low", "letter high")
	high := w.run("collections", "high", "--set", "customer=c-2", "--priority", "9")
	high.rowIn(tool + ".AssembleMessage")
	w.until("low", "giving way", func(v view) bool { return v.Status == "suspended" && v.Reason.Code == "preempted" })
	w.until("high", "at the letter", atTheLetter)
	high.kill()
	low.kill()
	g.hold()
	w.work()
	w.in("high", tool+".WaitingAck")
	w.in("low", tool+".WaitingAck")
	w.verified("low")
	w.verified("high")
	if got := w.happened(); len(got) != 2 || got[0] != "handshake" || got[1] != "handshake" {
		t.Errorf("the bank's record has %q", got)
	}
}
