package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
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

// read reads a file, or standard input when the name is "-". The problem says
// why it cannot be read and what to do.
func (a *app) read(name string) (*source, *problem) {
	if name == "" {
		return nil, usage("a file without a name", "name a chart file, or - for standard input")
	}
	var data []byte
	var err error
	if name == "-" {
		data, err = io.ReadAll(io.LimitReader(a.env.In, maxInput))
	} else {
		data, err = a.env.ReadFile(name)
	}
	if err != nil {
		return nil, a.unreadable(name, err)
	}
	if bytes.IndexByte(data, 0) >= 0 && !bytes.ContainsAny(data[:min(len(data), 512)], "{:") {
		return nil, failure(shownName(name)+" is not text", "a chart file is YAML or JSON in UTF-8")
	}
	return &source{name, data}, nil
}

func (a *app) unreadable(name string, err error) *problem {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return failure("there is no file "+name, a.nearFile(name))
	case errors.Is(err, syscall.EISDIR):
		return failure(name+" is a folder", a.inFolder(name))
	case errors.Is(err, fs.ErrPermission):
		return failure(name+" may not be read", "look at its permissions")
	}
	return failure(fmt.Sprintf("read %s: %v", shownName(name), err), "")
}

// nearFile is the hint for a file that is not there.
func (a *app) nearFile(name string) string {
	folder, base := filepath.Split(name)
	if folder == "" {
		folder = "."
	}
	names := a.list(folder)
	if names == nil {
		return "there is no folder " + strings.TrimRight(folder, "/") + " either"
	}
	for _, extension := range chartExtensions {
		for _, n := range names {
			if n == base+extension {
				return "did you mean " + filepath.Join(folder, n) + "?"
			}
		}
	}
	if near := nearest(base, names); near != "" {
		return "did you mean " + filepath.Join(folder, near) + "?"
	}
	return "look at the spelling and the folder"
}

var chartExtensions = []string{".yaml", ".yml", ".json"}

// inFolder is the hint for a folder where a file was meant: its charts.
func (a *app) inFolder(folder string) string {
	var charts []string
	for _, name := range a.list(folder) {
		for _, extension := range chartExtensions {
			if strings.HasSuffix(name, extension) {
				charts = append(charts, filepath.Join(folder, name))
			}
		}
	}
	switch {
	case len(charts) == 0:
		return "name a chart file"
	case len(charts) > 3:
		return fmt.Sprintf("name the files: %s, … (%d in all)", strings.Join(charts[:3], ", "), len(charts))
	}
	return "name the file: " + strings.Join(charts, ", ")
}

func (a *app) list(folder string) []string {
	if a.env.List == nil {
		return nil
	}
	return a.env.List(folder)
}
