package process

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer"
)

// Config says what a call starts. Only Argv must be set.
type Config struct {
	// Argv is the program and its arguments. The program is fixed: a path, or
	// a name that is looked up in PATH. An argument that begins with a value
	// which begins with "-" ends the call, unless "--" stands before it.
	Argv []performer.Template
	// Env is its environment beside PATH and DETENT_KEY, the call's key.
	Env map[string]performer.Template
	// Dir is where it runs. Default: where this process does.
	Dir string
	// Stdin is "json", the call's input, or "none". Default: json.
	Stdin string
	// Stdout is "text", less the line breaks at its end, or "json". Default:
	// text.
	Stdout string
	// Path is its PATH. Default: that of this process.
	Path string
	// Timeout bounds a call. Default: 30 s.
	Timeout time.Duration
	// Grace is how long it may take to end after it was asked to (SIGTERM),
	// before it is killed. Default: 2 s.
	Grace time.Duration
	// Errors say what an exit code means, 1 to 255. Default: nobody knows.
	Errors map[int]performer.Failure
	// MaxOutput bounds what it writes to stdout, in bytes. Default: 1 MiB. The
	// rest is read and dropped, and the call fails.
	MaxOutput int64
	// Redact takes secrets out of a text; nil: there are none.
	Redact func(string) string
}

const (
	defaultTimeout = 30 * time.Second
	defaultGrace   = 2 * time.Second
	defaultOutput  = 1 << 20
	maxArguments   = 1000
	keyVariable    = "DETENT_KEY"
)

// New checks a configuration and returns its performer. The error begins with
// the field that is wrong. It may be used concurrently and needs no closing.
func New(c Config) (host.Performer, error) {
	c.Stdin = cmp.Or(c.Stdin, "json")
	c.Stdout = cmp.Or(c.Stdout, "text")
	c.Path = cmp.Or(c.Path, os.Getenv("PATH"))
	c.Timeout = cmp.Or(max(c.Timeout, 0), defaultTimeout)
	c.Grace = cmp.Or(max(c.Grace, 0), defaultGrace)
	c.MaxOutput = cmp.Or(max(c.MaxOutput, 0), defaultOutput)
	switch {
	case c.Stdin != "json" && c.Stdin != "none":
		return nil, fmt.Errorf("stdin: %.20q is neither json nor none", c.Stdin)
	case c.Stdout != "text" && c.Stdout != "json":
		return nil, fmt.Errorf("stdout: %.20q is neither text nor json", c.Stdout)
	}
	if err := checkArgv(c.Argv); err != nil {
		return nil, fmt.Errorf("argv: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		switch {
		case !goodName(name):
			return nil, fmt.Errorf("env: %.50q is no name of a variable", name)
		case name == keyVariable:
			return nil, fmt.Errorf("env: %s is set by us, to the call's key", name)
		case c.Env[name] == nil:
			return nil, fmt.Errorf("env: %s has no value", name)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(c.Errors)) {
		if code < 1 || code > 255 {
			return nil, fmt.Errorf("errors: %d is no exit code of a failure; they are 1 to 255", code)
		}
		if err := c.Errors[code].Check(); err != nil {
			return nil, fmt.Errorf("errors: %d: %w", code, err)
		}
	}
	return &caller{c}, nil
}

func checkArgv(argv []performer.Template) error {
	if len(argv) == 0 || len(argv) > maxArguments {
		return fmt.Errorf("must be a program and its arguments, at most %d", maxArguments)
	}
	if slices.Contains(argv, nil) {
		return errors.New("an argument has no value")
	}
	program, whole := argv[0].Literal()
	if !whole || program == "" {
		return errors.New("the program must be fixed; ${ … } may stand in its arguments")
	}
	if !slices.Contains(shells, strings.TrimSuffix(path.Base(program), ".exe")) {
		return nil
	}
	for i, t := range argv[1:] {
		before, fixed := argv[i].Literal()
		if _, whole := t.Literal(); fixed && !whole && strings.HasPrefix(before, "-") && strings.HasSuffix(before, "c") {
			return errors.New("a value inside a script of a shell becomes a part of the script; put it into env and write \"$NAME\"")
		}
	}
	return nil
}

// shells run the argument behind -c as a script.
var shells = []string{"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "fish"}

func goodName(name string) bool {
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}
