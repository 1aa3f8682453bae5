package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/term"
)

// Env is the process around a command. A test fills in its own; [System] is
// the real one. It belongs to one call of [Run] at a time.
type Env struct {
	// In, Out and Err are the standard streams.
	In       io.Reader
	Out, Err io.Writer
	// InTerminal, OutTerminal and ErrTerminal say which of them are terminals.
	InTerminal, OutTerminal, ErrTerminal bool
	// Lookup finds a variable of the environment.
	Lookup func(name string) (string, bool)
	// ReadFile and WriteFile are those of package os; WriteFile replaces a
	// file as a whole. List gives the names in a folder, for hints.
	ReadFile  func(name string) ([]byte, error)
	WriteFile func(name string, data []byte) error
	// ReadBeside reads a regular file of a folder, by a path with slashes that
	// does not leave it, not even by a link. Nil: as ReadFile does.
	ReadBeside func(folder, name string) ([]byte, error)
	List       func(folder string) []string
	// Raw makes the terminal hand over keys as they are typed, until restore
	// is called. Size is how large it is, in characters. Both are only asked
	// when In and Out are terminals, and may be nil in tests.
	Raw  func() (restore func(), err error)
	Size func() (width, height int)
	// StorePages bounds the file of a store, in pages of 4 KiB, as a disk
	// would that is full; 0: no bound.
	StorePages int64
}

// System is the process itself.
func System() Env {
	return Env{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		OutTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		ErrTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		Lookup:      os.LookupEnv,
		ReadFile:    readFile,
		WriteFile:   replaceFile,
		ReadBeside:  readBeside,
		List:        listFolder,
		Raw:         rawTerminal,
		Size: func() (int, int) {
			width, height, err := term.GetSize(int(os.Stdout.Fd()))
			if err != nil {
				return 80, 24
			}
			return width, height
		},
	}
}

// readFile reads a file to the bound of what any command takes, so that a
// device without an end does not fill the memory.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxInput))
}

// readBeside reads a file that a document names, which must not get at others
// than those of its folder.
func readBeside(folder, name string) ([]byte, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name = filepath.FromSlash(name)
	// A pipe would be waited for when it is opened.
	if info, err := root.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, fs.ErrNotExist)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxInput))
}

// rawTerminal makes standard input raw. A signal that ends the process
// restores it first.
func rawTerminal() (func(), error) {
	fd := int(os.Stdin.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return nil, err
	}
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, syscall.SIGTERM, syscall.SIGHUP)
	over := make(chan struct{})
	go func() {
		select {
		case <-over:
		case s := <-ends:
			term.Restore(fd, before)
			signal.Reset(s)
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				self.Signal(s)
			}
		}
	}()
	return func() {
		signal.Stop(ends)
		close(over)
		term.Restore(fd, before)
	}, nil
}

// replaceFile writes a file as a whole or not at all: beside it first, then
// under its name. What is no plain file (a link, /dev/stdout, a pipe) is
// written to, and so is a file in a folder that takes no new ones.
func replaceFile(name string, data []byte) error {
	info, err := os.Lstat(name)
	exists := err == nil
	if exists && !info.Mode().IsRegular() {
		return os.WriteFile(name, data, 0o666)
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".detent-*")
	if err != nil {
		return os.WriteFile(name, data, 0o666)
	}
	defer os.Remove(f.Name()) // gone already when all went well
	_, err = f.Write(data)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(f.Name(), mode(info, exists))
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	return err
}

// mode is that of the file before, or what a new one has for everybody.
func mode(info os.FileInfo, exists bool) os.FileMode {
	if exists {
		return info.Mode().Perm()
	}
	return 0o644
}

func listFolder(folder string) []string {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

// colour tells whether a stream is shown in colour: only a terminal is, and
// only when nobody objects. Any value of NO_COLOR objects but the empty one.
func (e *Env) colour(terminal bool) bool {
	if !terminal {
		return false
	}
	if value, _ := e.lookup("NO_COLOR"); value != "" {
		return false
	}
	kind, _ := e.lookup("TERM")
	return kind != "dumb"
}

func (e *Env) lookup(name string) (string, bool) {
	if e.Lookup == nil {
		return "", false
	}
	return e.Lookup(name)
}
