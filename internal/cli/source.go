package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// source is a file that a command was given, read whole.
type source struct {
	name string // as given; "-" is standard input
	data []byte
}

// shown is the name for messages.
func (s *source) shown() string { return shownName(s.name) }

func shownName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// maxInput is more than any file that is taken may have, so that what is too
// long is refused by its reader, with a place, and not here.
const maxInput = 64 << 20

// kind is what a file should be, for hints.
type kind struct {
	name       string
	extensions []string
	is         string
}

var (
	chartKind  = kind{"chart file", chartExtensions, "YAML, JSON or SCXML in UTF-8"}
	scriptKind = kind{"transcript", []string{".transcript"}, "text in UTF-8 that begins with a head of # lines"}
)

// read reads a chart, or standard input when the name is "-". The problem says
// why it cannot be read and what to do.
func (a *app) read(name string) (*source, *problem) { return a.readAs(name, &chartKind) }

func (a *app) readAs(name string, k *kind) (*source, *problem) {
	if name == "" {
		return nil, usage("a file without a name", "name a "+k.name+", or - for standard input")
	}
	var data []byte
	var err error
	if name == "-" {
		if a.inRead {
			return nil, usage("standard input is read already", "name a file for the other")
		}
		a.inRead = true
		data, err = io.ReadAll(io.LimitReader(a.env.In, maxInput))
	} else {
		data, err = a.env.ReadFile(name)
	}
	if err != nil {
		return nil, a.unreadable(name, k, err)
	}
	if bytes.IndexByte(data, 0) >= 0 && !bytes.ContainsAny(data[:min(len(data), 512)], "{:<") {
		return nil, failure(shownName(name)+" is not text", "a "+k.name+" is "+k.is)
	}
	return &source{name, data}, nil
}

func (a *app) unreadable(name string, k *kind, err error) *problem {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return failure("there is no file "+name, a.nearFile(name, k))
	case errors.Is(err, syscall.EISDIR):
		return failure(name+" is a folder", a.inFolder(name, k))
	case errors.Is(err, fs.ErrPermission):
		return failure(name+" may not be read", "look at its permissions")
	}
	return failure("read "+shownName(name)+": "+reason(err), "look whether other programs can read it")
}

// unwritable says why a file cannot be written.
func (a *app) unwritable(name string, err error) *problem {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return failure("there is no folder for "+name, "make it first")
	case errors.Is(err, syscall.EISDIR):
		return failure(name+" is a folder", "name a file in it")
	}
	return failure("write "+name+": "+reason(err), "look at the folder and its permissions")
}

// reason is an error without the name of the file, which is said already.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// nearFile is the hint for a file that is not there.
func (a *app) nearFile(name string, k *kind) string {
	folder, base := filepath.Split(name)
	if folder == "" {
		folder = "."
	}
	names := a.list(folder)
	if names == nil {
		return "there is no folder " + strings.TrimRight(folder, "/") + " either"
	}
	for _, extension := range k.extensions {
		if slices.Contains(names, base+extension) {
			return "did you mean " + filepath.Join(folder, base+extension) + "?"
		}
	}
	if near := nearest(base, names); near != "" {
		return "did you mean " + filepath.Join(folder, near) + "?"
	}
	return "look at the spelling and the folder"
}

var (
	chartExtensions = append([]string{".yaml", ".yml", ".json"}, scxmlExtensions...)
	scxmlExtensions = []string{".scxml"}
)

// inFolder is the hint for a folder where a file was meant: those in it.
func (a *app) inFolder(folder string, k *kind) string {
	var files []string
	for _, name := range a.list(folder) {
		if slices.Contains(k.extensions, filepath.Ext(name)) {
			files = append(files, filepath.Join(folder, name))
		}
	}
	switch {
	case len(files) == 0:
		return "name a " + k.name
	case len(files) > 3:
		return fmt.Sprintf("name the files: %s, … (%d in all)", strings.Join(files[:3], ", "), len(files))
	}
	return "name the file: " + strings.Join(files, ", ")
}

func (a *app) list(folder string) []string {
	if a.env.List == nil {
		return nil
	}
	return a.env.List(folder)
}
