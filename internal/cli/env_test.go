package cli_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/cli"
)

// The files of the real process: replaced as a whole, with their mode, and
// through links.
func TestSystemFiles(t *testing.T) {
	folder := t.TempDir()
	plain, link := filepath.Join(folder, "plain.yaml"), filepath.Join(folder, "link.yaml")
	if err := os.WriteFile(plain, []byte("id: a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(plain, link); err != nil {
		t.Fatal(err)
	}
	env := cli.System()
	for _, c := range []struct{ name, text string }{{plain, "id: b\n"}, {link, "id: c\n"}, {filepath.Join(folder, "new.yaml"), "id: d\n"}} {
		if err := env.WriteFile(c.name, []byte(c.text)); err != nil {
			t.Fatalf("write %s: %v", c.name, err)
		}
		if got, err := env.ReadFile(c.name); err != nil || string(got) != c.text {
			t.Errorf("%s reads %q, %v", c.name, got, err)
		}
	}
	if info, err := os.Stat(plain); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is not kept: %v, %v", info, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().IsRegular() {
		t.Errorf("the link is none any more: %v, %v", info, err)
	}
	if got := env.List(folder); !slices.Equal(got, []string{"link.yaml", "new.yaml", "plain.yaml"}) {
		t.Errorf("the folder holds %v", got)
	}
	if err := env.WriteFile(filepath.Join(folder, "none", "x"), nil); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("writing into no folder says %v", err)
	}
	if _, err := env.ReadFile(folder); err == nil {
		t.Error("a folder is read as a file")
	}
}

// What a document names is read from its folder, and no link leads out.
func TestSystemBeside(t *testing.T) {
	folder, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	for _, name := range []string{outside, filepath.Join(folder, "near"), filepath.Join(folder, "in", "deep")} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(filepath.Base(name)), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink(outside, filepath.Join(folder, "link")), os.Symlink("near", filepath.Join(folder, "alias"))); err != nil {
		t.Fatal(err)
	}
	read := cli.System().ReadBeside
	for name, want := range map[string]string{"near": "near", "in/deep": "deep", "alias": "near"} {
		if got, err := read(folder, name); err != nil || string(got) != want {
			t.Errorf("%s reads %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"link", "../secret", "in/../../x", "in", outside, ""} {
		if got, err := read(folder, name); err == nil {
			t.Errorf("%q reads %q", name, got)
		}
	}
}

// A folder instead of a file gets a hint with its charts, also from the real
// process.
func TestSystemFolder(t *testing.T) {
	env, _, stderr := environment("", nil)
	system := cli.System()
	env.ReadFile, env.List = system.ReadFile, system.List
	if code := cli.Run(env, []string{"sim", "../../examples/hermes"}); code != 1 {
		t.Errorf("the exit code is %d", code)
	}
	if got := stderr.String(); !strings.Contains(got, "is a folder") || !strings.Contains(got, "hermes.yaml") {
		t.Errorf("it says %s", got)
	}
}
