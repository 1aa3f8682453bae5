package process

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer"
)

// command evaluates the templates of a call.
func (c *caller) command(call host.Call) (*exec.Cmd, error) {
	s := performer.Scope{Input: call.Input, Key: call.Key, Session: call.Session, Attempt: call.Attempt}
	args, err := arguments(c.config.Argv, s)
	if err != nil {
		return nil, err
	}
	env := []string{"PATH=" + c.config.Path, keyVariable + "=" + call.Key}
	if strings.ContainsRune(call.Key, 0) {
		return nil, errors.New("the key holds a NUL")
	}
	for _, name := range slices.Sorted(maps.Keys(c.config.Env)) {
		v, err := performer.Join(c.config.Env[name], s, nil)
		if err == nil && strings.ContainsRune(v, 0) {
			err = errors.New("it holds a NUL")
		}
		if err != nil {
			return nil, fmt.Errorf("env: %s: %w", name, err)
		}
		env = append(env, name+"="+v) // of two the last holds
	}
	cmd := &exec.Cmd{Args: args, Env: env, Dir: c.config.Dir}
	if c.config.Stdin == "json" {
		data, err := host.Encode(call.Input)
		if err != nil {
			return nil, fmt.Errorf("stdin: %w", err)
		}
		cmd.Stdin = bytes.NewReader(data)
	}
	return cmd, nil
}

func arguments(argv []performer.Template, s performer.Scope) ([]string, error) {
	out := make([]string, len(argv))
	options := true // "--" ends them
	for i, t := range argv {
		pieces, err := t.Pieces(s)
		if err != nil {
			return nil, fmt.Errorf("argv[%d]: %w", i, err)
		}
		var b strings.Builder
		for _, p := range pieces {
			if b.Len() == 0 && options && !p.Literal && strings.HasPrefix(p.Text, "-") {
				return nil, fmt.Errorf("argv[%d]: a value begins with -, so the program would take it for an option; put -- before it", i)
			}
			b.WriteString(p.Text)
		}
		out[i] = b.String()
		if strings.ContainsRune(out[i], 0) {
			return nil, fmt.Errorf("argv[%d]: it holds a NUL", i)
		}
		if _, whole := t.Literal(); whole && out[i] == "--" {
			options = false
		}
	}
	return out, nil
}

// find looks a program up in the PATH that it will have. A path that is not
// absolute starts in the directory that it will run in.
func find(program, path, dir string) (string, error) {
	if filepath.Base(program) != program {
		if !filepath.IsAbs(program) {
			program = filepath.Join(dir, program)
		}
		return absolute(program)
	}
	for _, in := range filepath.SplitList(path) {
		if !filepath.IsAbs(in) {
			continue // what lies about where we run is not meant
		}
		for _, ending := range endings() {
			if found, err := absolute(filepath.Join(in, program+ending)); err == nil {
				return found, nil
			}
		}
	}
	return "", fmt.Errorf("there is no program %q in PATH", program)
}

func absolute(name string) (string, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
		return "", fmt.Errorf("%s is no program", name)
	}
	return name, nil
}

// endings of programs. Windows' .bat and .cmd are scripts of a shell, which
// would read the arguments its own way.
func endings() []string {
	if runtime.GOOS == "windows" {
		return []string{".exe", ".com", ""}
	}
	return []string{""}
}
