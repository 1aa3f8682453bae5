package cli_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/detent-run/detent/internal/cli"
)

var update = flag.Bool("update", false, "write what was seen into testdata")

// TestCommands plays the command lines in testdata/*.txt. Each begins with
// "$ detent"; below it stand what it wrote to standard output (as it is, after
// two blanks), to standard error ("! ") and its exit code, when it is not 0.
// Before it may stand lines of its standard input ("< ") and "with" and what
// is special about the process around it: the streams that are terminals and
// variables of the environment. The files that there are follow at the end,
// each after "-- NAME --".
func TestCommands(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(want))
			if got == string(want) {
				return
			}
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("%s: not as expected; -update writes what was seen:\n%s", name, firstDifference(string(want), got))
		})
	}
}

// firstDifference shows where two texts part.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := 0; i < len(a) || i < len(b); i++ {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("line %d\nwant:\n%s\ngot:\n%s", i+1,
				strings.Join(a[min(i, len(a)):min(i+12, len(a))], "\n"), strings.Join(b[min(i, len(b)):min(i+12, len(b))], "\n"))
		}
	}
	return ""
}

// play runs each command line and returns the text with what was seen.
func play(t *testing.T, text string) string {
	body, files := cutFiles(text)
	tree := maps.Clone(files)
	var out strings.Builder
	var input, around string
	skipping := false
	for _, l := range strings.Split(strings.TrimRight(body, "\n"), "\n") {
		switch {
		case strings.HasPrefix(l, "$ "):
			out.WriteString(l + "\n" + run(t, l[2:], input, around, tree) + "\n")
			input, around, skipping = "", "", true
		case skipping && !strings.HasPrefix(l, "# ") && !strings.HasPrefix(l, "<") && !strings.HasPrefix(l, "with "):
			// what was expected
		default:
			skipping = false
			out.WriteString(l + "\n")
			if rest, ok := strings.CutPrefix(l, "<"); ok {
				input += unescape(strings.TrimPrefix(rest, " ")) + "\n"
			}
			if rest, ok := strings.CutPrefix(l, "with "); ok {
				around += " " + rest
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&out, "-- %s --\n%s", name, files[name])
	}
	return out.String()
}

func unescape(text string) string {
	return strings.NewReplacer(`\xff`, "\xff", `\x00`, "\x00", `\t`, "\t").Replace(text)
}

// cutFiles parts a transcript from the files at its end.
func cutFiles(text string) (body string, files map[string]string) {
	files = map[string]string{}
	parts := strings.Split("\n"+text, "\n-- ")
	for _, p := range parts[1:] {
		name, content, _ := strings.Cut(p+"\n", " --\n")
		if content = strings.TrimRight(content, "\n"); content != "" {
			content += "\n"
		}
		files[name] = content
	}
	return strings.TrimPrefix(parts[0], "\n"), files
}

// run runs one command line in a process made of memory.
func run(t *testing.T, line, input, around string, tree map[string]string) string {
	words := split(t, line)
	for i := range words {
		words[i] = unescape(words[i])
	}
	if words[0] == "cat" {
		return indented("  ", tree[words[1]])
	}
	env, stdout, stderr := environment(input, tree)
	for _, word := range strings.Fields(around) {
		switch name, value, set := strings.Cut(word, "="); {
		case set:
			before := env.Lookup
			env.Lookup = func(n string) (string, bool) {
				if n == name {
					return value, true
				}
				return before(n)
			}
		case word == "out":
			env.OutTerminal = true
		case word == "err":
			env.ErrTerminal = true
		default:
			t.Fatalf("there is no stream %q", word)
		}
	}
	code := cli.Run(env, words[1:])
	if says := stderr.String(); strings.Contains(says, "detent: ") && !strings.Contains(says, "  hint: ") && !strings.Contains(says, "\x1b") {
		t.Errorf("%s: a refusal without a hint:\n%s", line, says)
	}
	text := indented("  ", stdout.String()) + indented("! ", stderr.String())
	if code != 0 {
		text += fmt.Sprintf("exit %d\n", code)
	}
	return text
}

// environment is a process made of memory.
func environment(input string, tree map[string]string) (env cli.Env, stdout, stderr *bytes.Buffer) {
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	return cli.Env{
		In: strings.NewReader(input), Out: stdout, Err: stderr,
		Lookup: func(string) (string, bool) { return "", false },
		ReadFile: func(name string) ([]byte, error) {
			if text, ok := tree[path.Clean(name)]; ok {
				return []byte(unescape(text)), nil
			}
			for file := range tree {
				if name == "." || strings.HasPrefix(file, path.Clean(name)+"/") {
					return nil, &fs.PathError{Op: "read", Path: name, Err: syscall.EISDIR}
				}
			}
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		},
		WriteFile: func(name string, data []byte) error {
			if strings.HasPrefix(name, "/") {
				return &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
			}
			tree[name] = string(data)
			return nil
		},
		List: func(folder string) []string {
			var names []string
			for _, file := range slices.Sorted(maps.Keys(tree)) {
				if path.Dir(file) == path.Clean(folder) {
					names = append(names, path.Base(file))
				}
			}
			return names
		},
	}, stdout, stderr
}

// indented marks each line. The escape of a terminal is shown as a picture.
func indented(mark, text string) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		b.WriteString(strings.TrimRight(mark+strings.ReplaceAll(l, "\x1b", "␛"), " ") + "\n")
	}
	return b.String()
}

// split parts a command line into words as a shell does: quotes keep blanks.
func split(t *testing.T, line string) []string {
	var words []string
	var word strings.Builder
	quote, open := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, open = r, true
		case quote == 0 && r == ' ':
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if quote != 0 {
		t.Fatalf("a quote is open: %s", line)
	}
	if open {
		words = append(words, word.String())
	}
	return words
}

// closed is a stream whose reader went away.
type closed struct{ err error }

func (c closed) Write([]byte) (int, error) { return 0, c.err }

func TestOutputThatCannotBeWritten(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		code int
		says string
	}{
		"nobody reads":     {&os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}, 0, ""},
		"the disk is full": {errors.New("no space left on device"), 1, "no space left"},
	} {
		t.Run(name, func(t *testing.T) {
			env, _, stderr := environment("", nil)
			env.Out = closed{c.err}
			if code := cli.Run(env, []string{"version"}); code != c.code {
				t.Errorf("the exit code is %d, not %d", code, c.code)
			}
			if got := stderr.String(); !strings.Contains(got, c.says) || c.says == "" && got != "" {
				t.Errorf("it says %q", got)
			}
		})
	}
}

// A wait in which a timer fires again and again for ever is cut short, with
// what happened until then.
func TestTooMuchTime(t *testing.T) {
	env, stdout, stderr := environment("", map[string]string{"tick.yaml": "id: tick\nevery: {1s: {actions: [{log: tick}]}}\n"})
	code := cli.Run(env, []string{"sim", "tick.yaml", "--advance", "30d", "--json"})
	if lines := strings.Count(stdout.String(), "\n"); code != 1 || lines < 10_000 || lines > 10_100 {
		t.Errorf("the exit code is %d after %d lines", code, lines)
	}
	if got := stderr.String(); !strings.Contains(got, "more than 10000 macrosteps happen in 30d") || !strings.Contains(got, "less time") {
		t.Errorf("it says %s", got)
	}
}

// Events that sessions send for ever, from the start on, end the command as
// what failed: nothing is wrong with the command line.
func TestSentForEver(t *testing.T) {
	chart := "id: loop\nentry: [{send: X, to: self}]\non: {X: {actions: [{send: X, to: self}]}}\n"
	env, stdout, stderr := environment("", map[string]string{"loop.yaml": chart})
	code := cli.Run(env, []string{"sim", "loop.yaml", "--json"})
	if lines := strings.Count(stdout.String(), "\n"); code != 1 || lines < 10_000 || lines > 10_100 {
		t.Errorf("the exit code is %d after %d lines", code, lines)
	}
	if got := stderr.String(); !strings.HasPrefix(got, "detent: the sessions do not come to rest: ") || !strings.Contains(got, "hint: sessions send to each other, or one to itself, for ever") {
		t.Errorf("it says %s", got)
	}
}
