package crash

import (
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// opKind is what a call of the recorded program did.
type opKind string

const (
	opWrite    opKind = "write"
	opTruncate opKind = "truncate"
	opSync     opKind = "sync"
	opLink     opKind = "link"
	opRename   opKind = "rename"
	opUnlink   opKind = "unlink"
	opAck      opKind = "ack"  // the program told somebody
	opTool     opKind = "tool" // the world outside wrote it down
)

// op is one call, as the system saw it.
type op struct {
	kind opKind
	file string // its name in the folder; "." is the folder
	to   string // the second name of a link, or the new one
	at   int64  // where a write begins, or the size after a truncation
	data []byte
	// began is how many calls came before a sync began: what was written while
	// it ran need not be in it.
	began int
}

// recorded are the calls that matter for what a power cut leaves.
const recorded = "pwrite64,write,fdatasync,fsync,ftruncate,link,linkat,rename,renameat,renameat2,unlink,unlinkat"

// needStrace returns its path. Without it a test says what it did not show.
func needStrace(t *testing.T, what string) string {
	t.Helper()
	path, err := exec.LookPath("strace")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("strace is needed: .ci/run installs it")
		}
		t.Logf("NOT SHOWN: %s, for want of strace", what)
		return ""
	}
	return path
}

// record runs one life of the child under strace and adds what it did.
func record(strace, dir, point string, acks map[string]int64, to *recording) error {
	trace := filepath.Join(to.scratch, "trace")
	place, err := liveAs(dir, point, acks, strace, "-f", "--seccomp-bpf", "-qqq", "-y", "-xx", "-s", "10000000", "-o", trace,
		"-e", "signal=none", "-e", "trace="+recorded, os.Args[0])
	if err != nil {
		return err
	}
	if name, _, _ := strings.Cut(point, ":"); place != name {
		return fmt.Errorf("the life for %q ended at %q", point, place)
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		return err
	}
	clear(to.open)
	for line := range strings.Lines(string(text)) {
		if err := to.line(dir, line); err != nil {
			return err
		}
	}
	for _, thread := range slices.Sorted(maps.Keys(to.open)) { // the kill came into them
		if err := to.line(dir, thread+" <... last resumed>) = ?"); err != nil {
			return err
		}
	}
	return to.settle(dir)
}

// recording is a run as a list of calls.
type recording struct {
	scratch string
	ops     []op
	open    map[string]begun // thread → the call that it is in
	unsure  []int            // calls that the kill came into
}

// settle finds out which of the calls that a kill came into were made: with
// them the recording adds up to what the file system holds, or the recording
// lacks something.
func (r *recording) settle(dir string) error {
	defer func() { r.unsure = nil }()
	all := r.ops
	var err error
	for made := range 1 << len(r.unsure) {
		r.ops = nil
		for n, o := range all {
			if at := slices.Index(r.unsure, n); at < 0 || made>>at&1 == 1 {
				r.ops = append(r.ops, o)
			}
		}
		if err = sameFiles(dir, r.ops); err == nil {
			return nil
		}
	}
	return err
}

// begun is a call whose end strace has not seen yet.
type begun struct {
	text string
	n    int
}

var (
	lineOf    = regexp.MustCompile(`^(\d+) +(.*?)\s*$`)
	resumed   = regexp.MustCompile(`^<\.\.\. \w+ resumed>(.*)$`)
	callOf    = regexp.MustCompile(`^(\w+)\((.*)\) += (\?|-?\d+)`)
	fileOf    = regexp.MustCompile(`^(\d+)<([^>]*)>`)
	quotedIn  = regexp.MustCompile(`"([^"]*)"`)
	numbersAt = regexp.MustCompile(`, (\d+)`)
)

// line reads one line of strace. A call that was going on while another thread
// made one stands in two lines.
func (r *recording) line(dir, line string) error {
	m := lineOf.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	thread, text, n := m[1], m[2], len(r.ops)
	if head, ok := strings.CutSuffix(text, "<unfinished ...>"); ok {
		r.open[thread] = begun{strings.TrimRight(head, " "), n}
		return nil
	}
	if tail := resumed.FindStringSubmatch(text); tail != nil {
		text, n = r.open[thread].text+tail[1], r.open[thread].n
		delete(r.open, thread)
	}
	call := callOf.FindStringSubmatch(text)
	if call == nil || call[3] != "?" && strings.HasPrefix(call[3], "-") {
		return nil // it did nothing
	}
	o, ok, err := read(dir, call[1], call[2])
	if err != nil || !ok {
		return err
	}
	if o.kind == opSync {
		if call[3] == "?" {
			return nil
		}
		o.began = n
	}
	if call[3] == "?" && o.kind != opAck {
		r.unsure = append(r.unsure, len(r.ops))
	}
	r.ops = append(r.ops, o)
	return nil
}

// read makes a call of its name and arguments. Calls on other files are none
// of ours.
func read(dir, name, args string) (op, bool, error) {
	var o op
	path := ""
	if f := fileOf.FindStringSubmatch(args); f != nil {
		path = unhex(f[2])
		if name == "write" && f[1] == "1" {
			if text := quoted(args); len(text) > 0 && strings.HasPrefix(text[0], "ack ") {
				return op{kind: opAck, data: []byte(text[0])}, true, nil
			}
			return o, false, nil
		}
	}
	texts := quoted(args)
	switch name {
	case "link", "linkat", "rename", "renameat", "renameat2", "unlink", "unlinkat":
		path = texts[0]
	}
	file, err := filepath.Rel(dir, path)
	if err != nil || strings.HasPrefix(file, "..") || filepath.IsAbs(file) || strings.HasSuffix(file, "-shm") {
		return o, false, nil // SQLite makes its -shm anew after a power cut
	}
	o.file = file
	switch name {
	case "link", "linkat":
		o.kind, o.to = opLink, filepath.Base(texts[1])
	case "rename", "renameat", "renameat2":
		o.kind, o.to = opRename, filepath.Base(texts[1])
	case "unlink", "unlinkat":
		o.kind = opUnlink
	case "fsync", "fdatasync":
		o.kind = opSync
	case "ftruncate":
		o.kind = opTruncate
		o.at, err = lastNumber(args)
	case "pwrite64":
		o.kind, o.data = opWrite, []byte(texts[0])
		o.at, err = lastNumber(args)
	case "write":
		if o.kind, o.data = opTool, []byte(texts[0]); file != "tool" {
			err = fmt.Errorf("a plain write to %s: nobody knows where", file)
		}
	}
	return o, true, err
}

// quoted are the texts of the arguments.
func quoted(args string) (all []string) {
	for _, m := range quotedIn.FindAllStringSubmatch(args, -1) {
		all = append(all, unhex(m[1]))
	}
	return all
}

// lastNumber is the last argument.
func lastNumber(args string) (int64, error) {
	all := numbersAt.FindAllStringSubmatch(args[strings.LastIndexAny(args, `">`)+1:], -1)
	if len(all) == 0 {
		return 0, fmt.Errorf("no number in %.80s", args)
	}
	return strconv.ParseInt(all[len(all)-1][1], 10, 64)
}

// unhex reads a text that strace wrote in hexadecimal, and gives back others.
func unhex(text string) string {
	b, err := hex.DecodeString(strings.ReplaceAll(text, `\x`, ""))
	if err != nil || !strings.HasPrefix(text, `\x`) {
		return text
	}
	return string(b)
}
