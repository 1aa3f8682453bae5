package houserules

import (
	"slices"
	"strings"
	"testing"
)

// page joins lines.
func page(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

func TestWeave(t *testing.T) {
	old := page("# A", "<!-- file: a.go -->", "```go", "old", "```", "text", "<!-- output: go run ./examples/a -->", "", "```", "```", "", "<!-- table: nevers -->", "| old |", "end")
	want := page("# A", "<!-- file: a.go -->", "```go", "package a", "```", "text", "<!-- output: go run ./examples/a -->", "", "```", "ran go run ./examples/a", "```", "", "<!-- table: nevers -->", strings.TrimSuffix(neversTable(nevers), "\n"), "end")
	w := testWeaver(map[string]string{"examples/ab/main.go": "another one is awaited"})
	if got := w.weave("a.md", old); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := w.weave("a.md", want); got != want {
		t.Errorf("a page in order was changed to\n%s", got)
	}
	expect(t, w.found, nil)
}

func testWeaver(awaited map[string]string) *weaver {
	return &weaver{
		tree:    tree(map[string]string{"a.go": "package a\n"}),
		run:     func(command string) (string, error) { return "ran " + command + "\n", nil },
		awaited: awaited,
	}
}

func TestWeaveEmptyOutput(t *testing.T) {
	w := testWeaver(nil)
	w.run = func(string) (string, error) { return "", nil }
	old, want := page("<!-- output: go run ./examples/a -->", "```", "old", "```"), page("<!-- output: go run ./examples/a -->", "```", "```")
	if got := w.weave("a.md", old); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWeaveRefuses(t *testing.T) {
	for _, c := range []struct{ name, mark, want string }{
		{"a missing file", "<!-- file: b.go -->", "a.md:1: a.md open b.go"},
		{"another command", "<!-- output: rm -r examples -->", "may show the output of `go run ./examples/…` and of `detent …` only"},
		{"detent and another command", "<!-- output: detent check a.yaml; date -->", "may show the output of"},
		{"detent into a file", "<!-- output: detent sim a.yaml > b -->", "may show the output of"},
		{"two commands", "<!-- output: go run ./examples/a; date -->", "may show the output of"},
		{"a way out of examples", "<!-- output: go run ./examples/../cmd/detent -->", "may show the output of"},
		{"an unknown table", "<!-- table: prices -->", "a table that is not one of ours: prices"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := testWeaver(nil)
			text := page(c.mark, "```", "kept", "```", "text")
			if strings.Contains(c.mark, "table") {
				text = page(c.mark, "| kept |", "text")
			}
			if got := w.weave("a.md", text); got != text {
				t.Errorf("the page was changed to\n%s", got)
			}
			expect(t, w.found, []string{c.want})
		})
	}
	t.Run("no block", func(t *testing.T) {
		w := testWeaver(nil)
		w.weave("a.md", page("<!-- file: a.go -->", "text"))
		expect(t, w.found, []string{"a.md:1: a.md marks a block and none follows"})
	})
}

func TestAwaited(t *testing.T) {
	rows := map[string]string{"examples/b/main.go": "soon"}
	w := testWeaver(rows)
	text := page("<!-- file: examples/b/main.go -->", "```", "sketch", "```", "<!-- output: go run ./examples/b -->", "```", "sketch", "```")
	if got := w.weave("a.md", text); got != text {
		t.Errorf("the sketch was changed to\n%s", got)
	}
	expect(t, w.found, nil)
	expect(t, staleAwaited(w.tree, rows), nil)
	expect(t, staleAwaited(tree(map[string]string{"examples/b/main.go": ""}), rows), []string{"is there now; remove its row"})
}

// A command of detent has words in quotes, and what it prints is shown also
// when it refuses.
func TestDetentIsShown(t *testing.T) {
	command := `detent sim a.yaml --event 'START={"a": "b c"}' --advance 5s`
	text := page("<!-- output: "+command+" -->", "```", "```")
	w := testWeaver(nil)
	if got, want := w.weave("a.md", text), page("<!-- output: "+command+" -->", "```", "ran "+command, "```"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want := []string{"detent", "sim", "a.yaml", "--event", `START={"a": "b c"}`, "--advance", "5s"}
	if got := split(command); !slices.Equal(got, want) {
		t.Errorf("the words are %q, want %q", got, want)
	}
	h, err := theHouse()
	if err != nil {
		t.Fatal(err)
	}
	printed, err := (&printer{root: h.root, folder: t.TempDir()}).print("detent sim 'no such file.yaml'")
	if err != nil || !strings.Contains(printed, "no such file.yaml") {
		t.Errorf("it prints %q, %v", printed, err)
	}
}
