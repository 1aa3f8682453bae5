package file

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/detent-run/detent/performer"
)

// open opens a regular file. A pipe or a device is not waited for.
func (t *tree) open(name string) (*os.File, fs.FileInfo, error) {
	f, err := t.root.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = &problem{"not_a_file", "is a directory"}
	case !info.Mode().IsRegular():
		err = &problem{"not_a_file", "is a device, a pipe or a socket"}
	default:
		return f, info, nil
	}
	f.Close()
	return nil, nil, err
}

// contents reads a file, at most as much as may be.
func (t *tree) contents(name string) ([]byte, error) {
	f, info, err := t.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	tooLarge := &problem{"too_large", fmt.Sprintf("is larger than %d bytes", t.limit)}
	if info.Size() > t.limit {
		return nil, tooLarge
	}
	data, err := io.ReadAll(io.LimitReader(f, t.limit+1))
	if err == nil && int64(len(data)) > t.limit {
		err = tooLarge
	}
	return data, err
}

func (t *tree) read(name string) (any, error) {
	data, err := t.contents(name)
	if err != nil {
		return nil, err
	}
	return map[string]any{"path": name, "content": performer.CleanText(data), "bytes": int64(len(data))}, nil
}

// entries of a directory, by name, without what is being written.
func (t *tree) entries(name string, most int) (list []fs.DirEntry, more bool, err error) {
	// A trailing slash would be taken as well; asking first keeps pipes from
	// being opened.
	info, err := t.root.Stat(name)
	if err != nil {
		return nil, false, err
	}
	if !info.IsDir() {
		return nil, false, &problem{"not_a_directory", "is not a directory"}
	}
	d, err := t.root.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, false, err
	}
	defer d.Close()
	// So many are read that the first by name are among them, save in
	// directories that are larger than any that is meant.
	list, err = d.ReadDir(maxFiles + 1)
	if err == io.EOF {
		err = nil
	}
	list = slices.DeleteFunc(list, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), temporary) })
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	if len(list) > most {
		return list[:most], true, err
	}
	return list, false, err
}

func (t *tree) list(name string) (any, error) {
	entries, more, err := t.entries(name, maxEntries)
	if err != nil {
		return nil, err
	}
	out := []any{}
	for _, e := range entries {
		if err := t.ctx.Err(); err != nil {
			return nil, err
		}
		entry := map[string]any{"name": performer.CleanText([]byte(e.Name())), "type": kind(e)}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			entry["bytes"] = info.Size()
		}
		out = append(out, entry)
	}
	return map[string]any{"path": name, "entries": out, "more": more}, nil
}

func kind(e fs.DirEntry) string {
	switch {
	case e.IsDir():
		return "directory"
	case e.Type().IsRegular():
		return "file"
	case e.Type()&fs.ModeSymlink != 0:
		return "link"
	}
	return "other"
}

// search looks for a text in the files below a directory, or in one file.
// Links below it are not followed, so it comes to an end.
type search struct {
	*tree
	query   string
	matches []any
	seen    int // entries of all directories
	bytes   int64
	more    bool
}

func (t *tree) search(name, query string) (any, error) {
	s := &search{tree: t, query: query, matches: []any{}}
	info, err := t.root.Stat(name)
	switch {
	case err != nil:
	case info.IsDir():
		err = s.directory(name, 0)
	default:
		var data []byte
		if data, err = t.contents(name); err == nil {
			s.lines(name, data)
		}
	}
	if err != nil {
		return nil, err
	}
	return map[string]any{"matches": s.matches, "more": s.more}, nil
}

func (s *search) directory(name string, depth int) error {
	entries, more, err := s.entries(name, maxFiles)
	if err != nil {
		return err
	}
	s.more = s.more || more
	for _, e := range entries {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if s.full() {
			s.more = true
			return nil
		}
		s.seen++
		below := path.Join(name, e.Name())
		switch {
		case e.IsDir() && depth >= maxDepth:
			s.more = true
		case e.IsDir():
			// What vanished meanwhile, or may not be read, holds nothing.
			if err := s.directory(below, depth+1); s.ctx.Err() != nil {
				return err
			}
		case e.Type().IsRegular():
			if data, err := s.contents(below); err == nil {
				s.bytes += int64(len(data))
				s.lines(below, data)
			}
		}
	}
	return nil
}

func (s *search) full() bool {
	return len(s.matches) >= maxMatches || s.seen >= maxFiles || s.bytes >= maxSearched
}

// lines adds the lines of a text that hold the query.
func (s *search) lines(name string, data []byte) {
	if bytes.IndexByte(data, 0) >= 0 || !bytes.Contains(data, []byte(s.query)) {
		return
	}
	number := int64(0)
	for line := range bytes.Lines(data) {
		number++
		at := bytes.Index(line, []byte(s.query))
		if at < 0 {
			continue
		}
		if len(s.matches) >= maxMatches {
			s.more = true
			return
		}
		s.matches = append(s.matches, map[string]any{"path": performer.CleanText([]byte(name)), "line": number, "text": s.around(line, at)})
	}
}

// around is a line, or the part of a long one from a little before the match.
// Secrets go first: a cut through one would leave half of it.
func (s *search) around(line []byte, at int) string {
	line = bytes.TrimRight(line, "\r\n")
	if s.redact != nil {
		line = []byte(s.redact(string(line)))
		at = max(0, bytes.Index(line, []byte(s.query)))
	}
	if len(line) > maxLine {
		from := min(max(0, at-maxLine/4), len(line)-maxLine)
		for from > 0 && !utf8.RuneStart(line[from]) {
			from--
		}
		to := min(from+maxLine, len(line))
		for to < len(line) && to > from && !utf8.RuneStart(line[to]) {
			to--
		}
		line = line[from:to]
	}
	return performer.CleanText(line)
}
