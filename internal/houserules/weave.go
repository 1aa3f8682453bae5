package houserules

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A page of documentation says with a comment where a block comes from:
//
//	<!-- file: PATH -->        the fenced block after it is that file
//	<!-- output: COMMAND -->   the fenced block after it is what the command prints
//	<!-- table: NAME -->       the table after it is made from the rows in table.go
//
// weave puts the true text into each such block.

// directive is the comment before a block.
var directive = regexp.MustCompile(`(?m)^<!-- (file|output|table): (.+) -->$`)

// awaited names files that pages already show and that are still to be
// written, with the reason. A row whose file exists is a finding.
var awaited = map[string]string{}

// weaver fills the blocks of pages. A failed command or a missing file leaves
// its block as it is and adds to findings.
type weaver struct {
	tree    fs.FS
	run     func(command string) (string, error) // from the root
	awaited map[string]string
	found   []finding
}

// weave gives a page with every marked block filled.
func (w *weaver) weave(page, text string) string {
	var out strings.Builder
	lines := strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); i++ {
		out.WriteString(lines[i])
		m := directive.FindStringSubmatch(strings.TrimSuffix(lines[i], "\n"))
		if m == nil {
			continue
		}
		where := fmt.Sprintf("%s:%d", page, i+1)
		start, end := blockAfter(lines, i+1, m[1] == "table")
		if start < 0 {
			w.complain(page, where, "marks a block and none follows")
			continue
		}
		content, err := w.content(m[1], m[2])
		if err != nil {
			content = strings.Join(lines[start:end], "")
		}
		if err != nil && err != errAwaited {
			w.complain(page, where, err.Error())
		}
		out.WriteString(strings.Join(lines[i+1:start], "") + content)
		i = end - 1
	}
	return out.String()
}

// blockAfter gives the lines between which a block's content stands: inside
// the fences, or the rows of a table. Start is -1 when no block follows.
func blockAfter(lines []string, from int, table bool) (start, end int) {
	at := func(i int) string {
		if i >= len(lines) {
			return ""
		}
		return strings.TrimSpace(lines[i])
	}
	for from < len(lines) && at(from) == "" {
		from++
	}
	mark := "```"
	if table {
		mark = "|"
	}
	if !strings.HasPrefix(at(from), mark) {
		return -1, -1
	}
	if table {
		for end = from; strings.HasPrefix(at(end), "|"); end++ {
		}
		return from, end
	}
	for end = from + 1; end < len(lines) && at(end) != "```"; end++ {
	}
	return from + 1, end
}

// errAwaited says that a block keeps its sketch for now.
var errAwaited = errors.New("is still to be written")

// content gives what belongs into a block.
func (w *weaver) content(kind, what string) (string, error) {
	switch kind {
	case "file":
		return w.file(what)
	case "table":
		if render, ok := tables[what]; ok {
			return render(), nil
		}
		return "", errors.New("asks for a table that is not one of ours: " + what)
	}
	if detentCommand.MatchString(what) {
		return w.run(what)
	}
	if !exampleCommand.MatchString(what) {
		return "", errors.New("may show the output of `go run ./examples/…` and of `detent …` only, not of `" + what + "`")
	}
	folder := strings.TrimPrefix(strings.Fields(what)[2], "./")
	for name := range w.awaited {
		if covers(folder+"/...", name) && !exists(w.tree, name) {
			return "", errAwaited
		}
	}
	return w.run(what)
}

func (w *weaver) file(name string) (string, error) {
	if w.awaited[name] != "" && !exists(w.tree, name) {
		return "", errAwaited
	}
	text, err := fs.ReadFile(w.tree, name)
	return string(text), err
}

func (w *weaver) complain(name, where, text string) {
	w.found = append(w.found, finding{name, where, text})
}

func exists(tree fs.FS, name string) bool {
	_, err := fs.Stat(tree, name)
	return err == nil
}

// staleAwaited reports awaited files that have come.
func staleAwaited(tree fs.FS, awaited map[string]string) []finding {
	var found []finding
	for _, name := range slices.Sorted(maps.Keys(awaited)) {
		if exists(tree, name) {
			found = append(found, finding{name, "internal/houserules/weave.go", "is there now; remove its row from awaited and run `make generate`"})
		}
	}
	return found
}
