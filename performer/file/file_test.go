package file_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer/file"
)

type object = map[string]any

// all is everything that can be done.
var all = []string{"read", "write", "list", "search"}

// newRoot makes a directory with a few files, and one beside it that nobody
// may see.
func newRoot(t *testing.T) (root string) {
	t.Helper()
	top := t.TempDir()
	root = filepath.Join(top, "root")
	for name, content := range map[string]string{
		"root/a.txt": "one\ntwo\n", "root/sub/b.txt": "two\n", "root/sub/deep/c.txt": "three two\n", "root/bin": "two\x00", "outside/secret.txt": "two outside\n",
	} {
		name = filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func perform(t *testing.T, c file.Config, in any) host.Outcome {
	t.Helper()
	p, err := file.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return p.Perform(t.Context(), host.Call{Key: "k/1", Input: in})
}

func show(t *testing.T, o host.Outcome) string {
	t.Helper()
	b, err := host.Encode(o)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(b), `\u000a`, `\n`)
}

func failure(code, message string) string {
	return `{"failure":{"code":"` + code + `","final":true,"message":"` + message + `"},"kind":"error"}`
}

func TestCalls(t *testing.T) {
	root := newRoot(t)
	for _, c := range []struct {
		name  string
		input any
		want  string
	}{
		{"read", object{"op": "read", "path": "sub/./deep//c.txt"}, `{"kind":"done","output":{"bytes":10,"content":"three two\n","path":"sub/deep/c.txt"}}`},
		{"read what is no text", object{"op": "read", "path": "bin"}, `{"kind":"done","output":{"bytes":4,"content":"two�","path":"bin"}}`},
		{"list", object{"op": "list"}, `{"kind":"done","output":{"entries":[{"bytes":8,"name":"a.txt","type":"file"},{"bytes":4,"name":"bin","type":"file"},{"name":"sub","type":"directory"}],"more":false,"path":"."}}`},
		{"list below", object{"op": "list", "path": "sub/deep"}, `{"kind":"done","output":{"entries":[{"bytes":10,"name":"c.txt","type":"file"}],"more":false,"path":"sub/deep"}}`},
		{"search", object{"op": "search", "query": "two"}, `{"kind":"done","output":{"matches":[{"line":2,"path":"a.txt","text":"two"},{"line":1,"path":"sub/b.txt","text":"two"},{"line":1,"path":"sub/deep/c.txt","text":"three two"}],"more":false}}`},
		{"search below", object{"op": "search", "path": "sub/deep", "query": "two"}, `{"kind":"done","output":{"matches":[{"line":1,"path":"sub/deep/c.txt","text":"three two"}],"more":false}}`},
		{"search one file", object{"op": "search", "path": "a.txt", "query": "o"}, `{"kind":"done","output":{"matches":[{"line":1,"path":"a.txt","text":"one"},{"line":2,"path":"a.txt","text":"two"}],"more":false}}`},
		{"search for nothing there", object{"op": "search", "query": "four"}, `{"kind":"done","output":{"matches":[],"more":false}}`},
		{"write", object{"op": "write", "path": "new/er/d.txt", "content": "four"}, `{"kind":"done","output":{"bytes":4,"path":"new/er/d.txt"}}`},
		{"write nothing", object{"op": "write", "path": "e.txt", "content": ""}, `{"kind":"done","output":{"bytes":0,"path":"e.txt"}}`},

		{"not there", object{"op": "read", "path": "none"}, failure("not_found", `\"none\" is not there`)},
		{"a directory", object{"op": "read", "path": "sub"}, failure("not_a_file", `\"sub\" is a directory`)},
		{"write to a directory", object{"op": "write", "path": "sub", "content": ""}, failure("not_a_file", `\"sub\" is a directory`)},
		{"list a file", object{"op": "list", "path": "a.txt"}, failure("not_a_directory", `\"a.txt\" is not a directory`)},
		{"through a file", object{"op": "read", "path": "a.txt/b"}, failure("not_a_directory", `\"a.txt/b\" leads through a file as if it were a directory`)},
		{"write through a file", object{"op": "write", "path": "a.txt/b", "content": ""}, failure("not_a_directory", `\"a.txt/b\" leads through a file as if it were a directory`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 2 { // the same again
				if got := show(t, perform(t, file.Config{Root: root, Allow: all}, c.input)); got != c.want {
					t.Errorf("the outcome is %s\nwanted         %s", got, c.want)
				}
			}
		})
	}
	if data, err := os.ReadFile(filepath.Join(root, "new/er/d.txt")); string(data) != "four" {
		t.Errorf("the file holds %q, %v", data, err)
	}
}

func TestBadInputs(t *testing.T) {
	root := newRoot(t)
	path := func(p string) object { return object{"op": "read", "path": p} }
	for _, c := range []struct {
		input any
		want  string
	}{
		{nil, "the input must be an object with op and path"},
		{object{}, `op: "" is none of read, write, list and search`},
		{object{"op": "delete", "path": "a.txt"}, `op: "delete" is none of read, write, list and search`},
		{object{"op": "read", "file": "a"}, `"file": there is no such field; there are op, path, content and query`},
		{object{"op": "read", "path": int64(1)}, "path: must be text"},
		{object{"op": "read"}, "path: must be 1 to 1024 bytes long"},
		{object{"op": "write", "path": "a"}, "content: must be there for a write"},
		{object{"op": "read", "path": "a", "content": "x"}, "content: is not for a read"},
		{object{"op": "search"}, "query: must be there for a search"},
		{object{"op": "search", "query": ""}, "query: must be 1 to 1024 bytes long"},
		{object{"op": "write", "path": "a", "content": strings.Repeat("x", 101)}, "content: is 101 bytes long, and may be 100"},
		{path("."), "path: must name a file"},
		{path("./"), "path: must name a file"},
		{path(".."), "path: must not go up, as .. does"},
		{path("../outside/secret.txt"), "path: must not go up, as .. does"},
		{path("sub/../../outside/secret.txt"), "path: must not go up, as .. does"},
		{path("sub/../a.txt"), "path: must not go up, as .. does"},
		{path("/etc/passwd"), "path: must not begin with /; it starts at the tool's root"},
		{path("//etc/passwd"), "path: must not begin with /; it starts at the tool's root"},
		{path(`..\outside\secret.txt`), `path: has / between its parts, and no \ in them`},
		{path("a.txt\x00.png"), "path: holds a character that no name may hold"},
		{path("a\n"), "path: holds a character that no name may hold"},
		{path("a\xff"), "path: holds a character that no name may hold"},
		{path("sub/.detent-1"), "path: must not hold a name that begins with .detent-"},
		{path(strings.Repeat("a", 1025)), "path: must be 1 to 1024 bytes long"},
	} {
		o := perform(t, file.Config{Root: root, Allow: all, MaxBytes: 100}, c.input)
		if want := (host.Failure{Code: "bad_input", Message: c.want, Final: true}); o.Kind != host.KindError || *o.Failure != want {
			t.Errorf("of %v the outcome is %s\nwanted %s", c.input, show(t, o), c.want)
		}
	}
}

// Only what is allowed is done; writing is not unless it is named.
func TestAllow(t *testing.T) {
	root := newRoot(t)
	inputs := map[string]object{
		"read": {"op": "read", "path": "a.txt"}, "write": {"op": "write", "path": "new", "content": "x"},
		"list": {"op": "list"}, "search": {"op": "search", "query": "x"},
	}
	for _, c := range []struct {
		allow []string
		done  string
	}{
		{nil, "read list search"}, {[]string{"read"}, "read"}, {[]string{"list"}, "list"}, {[]string{"search"}, "search"}, {[]string{"write"}, "write"},
	} {
		for _, op := range all {
			o := perform(t, file.Config{Root: root, Allow: c.allow}, inputs[op])
			switch {
			case strings.Contains(c.done, op) && o.Kind != host.KindDone:
				t.Errorf("%s where %q is allowed: %s", op, c.allow, show(t, o))
			case !strings.Contains(c.done, op) && (o.Kind != host.KindError || o.Failure.Code != "not_allowed"):
				t.Errorf("%s where %q is allowed: %s", op, c.allow, show(t, o))
			}
		}
		if _, err := os.Stat(filepath.Join(root, "new")); err == nil && c.done != "write" {
			t.Errorf("where %q is allowed a file was written", c.allow)
		}
	}
	for config, want := range map[*file.Config]string{
		{}:                                      "root: must be there",
		{Root: root, Allow: []string{"delete"}}: `allow: "delete" is none of read, write, list and search`,
	} {
		if _, err := file.New(*config); err == nil || err.Error() != want {
			t.Errorf("the error is %v, not %s", err, want)
		}
	}
}

func TestLimits(t *testing.T) {
	root := t.TempDir()
	put := func(name, content string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("large", strings.Repeat("x", 2001))
	put("fits", strings.Repeat("é", 450)+"needle"+strings.Repeat("é", 500))
	for i := range 1001 {
		put(fmt.Sprintf("n%04d", i), "hay")
	}
	c := file.Config{Root: root, MaxBytes: 2000}
	if got, want := show(t, perform(t, c, object{"op": "read", "path": "large"})), failure("too_large", `\"large\" is larger than 2000 bytes`); got != want {
		t.Errorf("the outcome is %s", got)
	}
	list := perform(t, c, object{"op": "list"}).Output.(object)
	if n := len(list["entries"].([]any)); n != 1000 || list["more"] != true {
		t.Errorf("%d entries, more is %v", n, list["more"])
	}
	found := perform(t, c, object{"op": "search", "query": "hay"}).Output.(object)
	if n := len(found["matches"].([]any)); n != 100 || found["more"] != true {
		t.Errorf("%d matches, more is %v", n, found["more"])
	}
	found = perform(t, c, object{"op": "search", "query": "needle"}).Output.(object)
	text := found["matches"].([]any)[0].(object)["text"].(string)
	if len(text) > 400 || !strings.Contains(text, "éneedleé") || strings.Contains(text, "\uFFFD") {
		t.Errorf("the line is %q", text)
	}
}

// A write makes a root that is not there and leaves nothing beside its file;
// what one that was cut off left is not shown.
func TestWriteLeavesNothing(t *testing.T) {
	root := filepath.Join(t.TempDir(), "a", "b")
	c := file.Config{Root: root, Allow: all}
	if o := perform(t, c, object{"op": "list"}); o.Failure == nil || o.Failure.Code != "not_found" {
		t.Errorf("the outcome is %s", show(t, o))
	}
	write := object{"op": "write", "path": "f", "content": "whole"}
	perform(t, c, write)
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v", entries, err)
	}
	if err := os.Remove(filepath.Join(root, "f")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, err := file.New(c)
	if err != nil {
		t.Fatal(err)
	}
	if o := p.Perform(ctx, host.Call{Input: write}); o.Kind != host.KindError || o.Failure.Code != "cancelled" {
		t.Errorf("the outcome is %s", show(t, o))
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) != 0 {
		t.Errorf("a call that was over left %v, %v", entries, err)
	}
	if err := os.WriteFile(filepath.Join(root, ".detent-0123"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := show(t, perform(t, c, object{"op": "list"})), `{"kind":"done","output":{"entries":[],"more":false,"path":"."}}`; got != want {
		t.Errorf("the outcome is %s", got)
	}
	if got, want := show(t, perform(t, c, object{"op": "search", "query": "half"})), `{"kind":"done","output":{"matches":[],"more":false}}`; got != want {
		t.Errorf("the outcome is %s", got)
	}
}

func TestSecretsStayInside(t *testing.T) {
	root := t.TempDir()
	line := strings.Repeat("x", 395) + "s3cr3t-canary" + strings.Repeat("x", 500)
	if err := os.WriteFile(filepath.Join(root, "s3cr3t-canary"), []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	c := file.Config{Root: root, Allow: all, Redact: func(s string) string { return strings.ReplaceAll(s, "s3cr3t-canary", "[secret]") }}
	for _, in := range []object{
		{"op": "list"}, {"op": "read", "path": "s3cr3t-canary"}, {"op": "search", "query": "xxx"}, {"op": "read", "path": "s3cr3t-canary/none"},
	} {
		if got := show(t, perform(t, c, in)); strings.Contains(got, "s3c") {
			t.Errorf("the outcome holds the secret: %s", got)
		}
	}
}
