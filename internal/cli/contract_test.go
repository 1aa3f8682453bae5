package cli_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/cli"
	"github.com/detent-run/detent/internal/strictjson"
)

// free are members whose value is the chart's own data.
var free = []string{"data", "lists", "payload", "input", "row", "output", "retry", "approval", "key"}

// The page of the contract names every member that is ever written, and
// nothing else; "always" is true.
func TestContract(t *testing.T) {
	page, err := os.ReadFile("../../docs/cli-json.md")
	if err != nil {
		t.Fatal(err)
	}
	seen, missing := map[string]bool{}, map[string]string{}
	for _, line := range jsonLines(t) {
		v, err := strictjson.Decode([]byte(line), strictjson.Limits{})
		if err != nil {
			t.Fatalf("%v in the line\n%s", err, line)
		}
		members(v.(map[string]any), seen)
		if strings.Contains(line, `"hint":""`) {
			t.Errorf("a diagnostic without a hint:\n%s", line)
		}
		for _, name := range topLevel(string(page), line) {
			if _, ok := v.(map[string]any)[name]; !ok {
				missing[name] = line
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		t.Errorf("%q is not always there:\n%s", name, missing[name])
	}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("the member %q is written and not on the page", name)
		}
	}
	for _, name := range documented(string(page)) {
		if !seen[name] {
			t.Errorf("the member %q is on the page and no test writes it", name)
		}
	}
}

// jsonLines are all lines of the contract in the transcripts of this package.
func jsonLines(t *testing.T) []string {
	var lines []string
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, `  {"sequence"`) || strings.HasPrefix(line, `  {"file"`) {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	env, stdout, _ := environment("", nil)
	if code := cli.Run(env, []string{"version", "--json"}); code != 0 {
		t.Errorf("the exit code of version is %d", code)
	}
	return append(lines, strings.TrimSpace(stdout.String()))
}

// members notes the names in an object and below it.
func members(o map[string]any, seen map[string]bool) {
	for name, value := range o {
		seen[name] = true
		if slices.Contains(free, name) {
			continue
		}
		if inner, ok := value.(map[string]any); ok {
			members(inner, seen)
		}
		list, _ := value.([]any)
		for _, item := range list {
			if inner, ok := item.(map[string]any); ok {
				members(inner, seen)
			}
		}
	}
}

var quoted = regexp.MustCompile("`([a-z]+)`")

// documented are the names in the first column of the page's tables, and the
// members in the second one of the table of effects.
func documented(page string) []string {
	var names []string
	effects := false
	for _, line := range strings.Split(page, "\n") {
		cells := strings.Split(strings.ReplaceAll(line, " | | ", " |  | "), " | ")
		effects = effects && line != "" || strings.HasPrefix(line, "| `type`")
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cell := cells[0]
		if effects {
			cell = regexp.MustCompile(`\(.*\)`).ReplaceAllString(cells[1], "")
		}
		for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
			names = append(names, m[1])
		}
	}
	return names
}

// topLevel are the members that a line must have by the page.
func topLevel(page, line string) []string {
	section := map[string]string{`{"seq`: "## `detent sim", `{"fil`: "## `detent check", `{"ver`: "## `detent version"}[line[:5]]
	_, after, _ := strings.Cut(page, section)
	table, _, _ := strings.Cut(after, "\n\nEach ")
	table, _, _ = strings.Cut(table, "\n\nNothing ")
	var names []string
	for _, row := range strings.Split(table, "\n") {
		if cells := strings.Split(row, " | "); len(cells) == 3 && cells[1] == "always" {
			for _, m := range quoted.FindAllStringSubmatch(cells[0], -1) {
				names = append(names, m[1])
			}
		}
	}
	return names
}
