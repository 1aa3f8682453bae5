//go:build unix

package file_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer/file"
)

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

// No link leads out, to read, to write, to list or to search.
func TestLinksOut(t *testing.T) {
	root := newRoot(t)
	outside := filepath.Join(filepath.Dir(root), "outside")
	link(t, outside, filepath.Join(root, "absolute"))
	link(t, "../outside", filepath.Join(root, "relative"))
	link(t, "../outside/secret.txt", filepath.Join(root, "straight"))
	link(t, "relative", filepath.Join(root, "twice"))
	link(t, "../root/sub", filepath.Join(root, "outAndBack"))
	link(t, "../outside/new", filepath.Join(root, "dangling"))
	link(t, "/proc/self", filepath.Join(root, "proc"))
	link(t, "loop", filepath.Join(root, "loop"))
	c := file.Config{Root: root, Allow: all}
	for _, path := range []string{
		"absolute/secret.txt", "relative/secret.txt", "straight", "twice/secret.txt", "outAndBack/b.txt", "proc/environ", "dangling", "loop", "loop/x",
		"absolute/new", "relative/new", "twice/new/er", "absolute", "relative", "twice", "outAndBack", "proc",
	} {
		for _, in := range []object{
			{"op": "read", "path": path}, {"op": "list", "path": path}, {"op": "search", "path": path, "query": "two"},
			{"op": "write", "path": path, "content": "x"},
		} {
			o := perform(t, c, in)
			if o.Kind != host.KindError || o.Failure.Code != "outside" && o.Failure.Code != "not_a_file" {
				t.Errorf("%s of %s: the outcome is %s", in["op"], path, show(t, o))
			}
			if strings.Contains(o.Failure.Message, filepath.Dir(root)) {
				t.Errorf("the failure tells where the root is: %s", o.Failure.Message)
			}
		}
	}
	if got := show(t, perform(t, c, object{"op": "search", "query": "two outside"})); got != `{"kind":"done","output":{"matches":[],"more":false}}` {
		t.Errorf("a search finds %s", got)
	}
	entries, err := os.ReadDir(outside)
	data, _ := os.ReadFile(filepath.Join(outside, "secret.txt"))
	if err != nil || len(entries) != 1 || string(data) != "two outside\n" {
		t.Errorf("outside there are %v, %v, and the file holds %q", entries, err, data)
	}
}

// A link inside is followed to read, and not written over.
func TestLinksInside(t *testing.T) {
	root := newRoot(t)
	link(t, "sub/b.txt", filepath.Join(root, "inside"))
	c := file.Config{Root: root, Allow: all}
	if got, want := show(t, perform(t, c, object{"op": "read", "path": "inside"})), `{"kind":"done","output":{"bytes":4,"content":"two\n","path":"inside"}}`; got != want {
		t.Errorf("the outcome is %s", got)
	}
	if got, want := show(t, perform(t, c, object{"op": "write", "path": "inside", "content": "x"})), failure("not_a_file", `\"inside\" is a link; write to what it leads to`); got != want {
		t.Errorf("the outcome is %s", got)
	}
}

// A link that leads out now and then, while it is used, leads nowhere else.
func TestLinksThatAreSwapped(t *testing.T) {
	root := newRoot(t)
	outside := filepath.Join(filepath.Dir(root), "outside")
	place, next := filepath.Join(root, "place"), filepath.Join(root, "next")
	if err := os.Mkdir(filepath.Join(root, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "real", "secret.txt"), []byte("inside"), 0o644); err != nil {
		t.Fatal(err)
	}
	link(t, "real", place)
	stop, stopped := make(chan struct{}), make(chan error)
	go func() {
		for targets := []string{outside, "real"}; ; targets[0], targets[1] = targets[1], targets[0] {
			select {
			case <-stop:
				close(stopped)
				return
			default:
			}
			if err := errors.Join(os.Symlink(targets[0], next), os.Rename(next, place)); err != nil {
				stopped <- err
				return
			}
		}
	}()
	c := file.Config{Root: root, Allow: all}
	read, refused := 0, 0
	for i := 0; i < 100 || (read == 0 || refused == 0) && i < 100_000; i++ {
		o := perform(t, c, object{"op": "read", "path": "place/secret.txt"})
		switch {
		case o.Kind != host.KindDone:
			refused++
		case o.Output.(object)["content"] != "inside":
			t.Fatalf("a read leads out: %s", show(t, o))
		default:
			read++
		}
		if i < 100 {
			perform(t, c, object{"op": "write", "path": "place/new.txt", "content": "x"})
		}
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	if read == 0 || refused == 0 {
		t.Errorf("%d reads and %d refusals prove nothing", read, refused)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
		t.Errorf("outside there are %v, %v", entries, err)
	}
}

// Pipes, sockets and devices are neither waited for nor written to.
func TestNoRegularFiles(t *testing.T) {
	root := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root) // the names of sockets are short
	socket, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for _, root := range []string{root, "/dev"} {
		c := file.Config{Root: root, Allow: all}
		for _, path := range []string{"pipe", "socket", "null", "zero", "tty"} {
			for _, in := range []object{
				{"op": "read", "path": path}, {"op": "write", "path": path, "content": "x"}, {"op": "list", "path": path}, {"op": "search", "path": path, "query": "x"},
			} {
				if root == "/dev" && (path == "pipe" || path == "socket") || root != "/dev" && path != "pipe" && path != "socket" {
					continue
				}
				o := perform(t, c, in)
				if o.Kind != host.KindError || o.Failure.Executed {
					t.Errorf("%s of %s: the outcome is %s", in["op"], path, show(t, o))
				}
			}
		}
		if got := show(t, perform(t, file.Config{Root: root}, object{"op": "search", "query": "x", "path": "."})); root != "/dev" && got != `{"kind":"done","output":{"matches":[],"more":false}}` {
			t.Errorf("a search gives %s", got)
		}
	}
}
