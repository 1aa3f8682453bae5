//go:build unix

package process_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/performer"
	"github.com/detent-run/detent/performer/process"
)

func TestBadConfigurations(t *testing.T) {
	env := func(name string) process.Config {
		return process.Config{Argv: argv("a"), Env: map[string]performer.Template{name: text("x")}}
	}
	for _, c := range []struct {
		config process.Config
		want   string
	}{
		{process.Config{}, "argv: must be a program and its arguments"},
		{process.Config{Argv: argv("")}, "argv: the program must be fixed"},
		{process.Config{Argv: argv("${x}")}, "argv: the program must be fixed"},
		{process.Config{Argv: argv("/bin/${x}")}, "argv: the program must be fixed"},
		{process.Config{Argv: []performer.Template{text("a"), nil}}, "argv: an argument has no value"},
		{process.Config{Argv: argv("sh", "-c", "echo ${x}")}, `argv: a value inside a script of a shell becomes a part of the script; put it into env`},
		{process.Config{Argv: argv("/bin/bash", "-e", "-uc", "${x}")}, `argv: a value inside a script of a shell`},
		{process.Config{Argv: argv("a"), Stdin: "xml"}, `stdin: "xml" is neither json nor none`},
		{process.Config{Argv: argv("a"), Stdout: "xml"}, `stdout: "xml" is neither text nor json`},
		{env(""), `env: "" is no name of a variable`},
		{env("A=B"), `env: "A=B" is no name of a variable`},
		{env("1A"), `env: "1A" is no name of a variable`},
		{env("DETENT_KEY"), "env: DETENT_KEY is set by us"},
		{stated(process.Config{Argv: argv("a")}, 0, "x", "no"), "errors: 0 is no exit code of a failure"},
		{stated(process.Config{Argv: argv("a")}, 256, "x", "no"), "errors: 256 is no exit code of a failure"},
		{stated(process.Config{Argv: argv("a")}, 1, "x", "maybe"), `errors: 1: executed is "maybe"; write no, yes or unknown`},
	} {
		if _, err := process.New(c.config); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v\nwanted %s", err, c.want)
		}
	}
}
