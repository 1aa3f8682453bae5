package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const clerk = `id: clerk
initial: open
input: {type: object, required: [who], properties: {who: {type: string}}}
context: {who: "${ input.who }"}
states:
  open:
    on: {go: busy, ask: asking, plan: planning, close: closed, broken: broken, rest: resting}
  busy:
    invoke: {id: mark, src: "tool:mark", input: {}, onDone: open}
  asking:
    invoke: {id: may, src: human:approve, input: {question: May I?}, onDone: busy, onError: open}
  planning:
    invoke: {id: plan, src: "model:default", input: {prompt: Find it.}, onDone: open, onError: open}
  broken:
    invoke: {id: away, src: "tool:mark", input: {}, key: "${ who }", onDone: open, onError: open}
  resting:
    after: {30d: open}
  closed: {type: final}
`

// newOffice is a shop with the chart clerk and a tool that leaves a mark.
func newOffice(t *testing.T) *shop {
	s := newShop(t)
	write(t, filepath.Join(s.folder, "clerk.yaml"), clerk)
	write(t, filepath.Join(s.folder, "detent.yaml"), "tools:\n  mark: {process: {argv: [touch, mark]}}\n")
	return s
}

func (s *shop) marked() bool {
	_, err := os.Stat(filepath.Join(s.folder, "mark"))
	return err == nil
}

// A command that owns the store for a moment starts no outside call, and says
// which one does.
func TestOnlyWhoCarriesASessionMakesItsCalls(t *testing.T) {
	for _, c := range []struct {
		name   string
		before string // what is done to a clerk that is open
		does   string // what must not make the call
		says   string
	}{
		{"send", "", "send c go", "nobody carries c, and it waits for tool:mark: detent resume c"},
		{"send and wait", "", "send c go --wait accepted", "it waits for 1 event"},
		{"suspend", "send c go", "suspend c", "c is suspended, in busy"},
		{"answer", "send c ask", "answer c may --approve --by ann", "it waits for tool:mark"},
		{"a timer", "", "send c rest", "it waits for after.resting:0 at"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newOffice(t)
			if code, out, err := s.detent("run", "clerk.yaml", "--id", "c", "--set", "who=ann", "--until", "open"); code != 0 {
				t.Fatalf("run ends with %d: %s%s", code, out, err)
			}
			for _, line := range []string{c.before, c.does} {
				if line == "" {
					continue
				}
				code, out, err := s.detent(append(strings.Fields(line), "--config", "detent.yaml")...)
				if code != 0 || line == c.does && !strings.Contains(err, c.says) {
					t.Errorf("detent %s ends with %d and does not say %q\n%s%s", line, code, c.says, out, err)
				}
			}
			if s.marked() {
				t.Error("the call was made")
			}
			if c.name == "a timer" {
				return
			}
			if code, out, err := s.detent("resume", "c", "--until", "open", "--config", "detent.yaml"); code != 0 || !s.marked() {
				t.Errorf("resume ends with %d, and the call was made: %v\n%s%s", code, s.marked(), out, err)
			}
		})
	}
}

// Where another process owns the store, it makes the calls, and nothing needs
// to be said.
func TestBesideAnOwnerNobodyIsMissing(t *testing.T) {
	s := newShop(t)
	write(t, filepath.Join(s.folder, "rest.yaml"), "id: rest\ninitial: open\nstates: {open: {on: {go: resting}}, resting: {after: {30d: open}}}\n")
	s.own()
	s.detent("run", "rest.yaml", "--id", "r", "--until", "open")
	if code, out, err := s.detent("send", "r", "go"); code != 0 || strings.Contains(err, "nobody carries") {
		t.Errorf("send ends with %d: %s%s", code, out, err)
	}
}
