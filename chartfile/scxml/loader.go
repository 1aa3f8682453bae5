package scxml

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// Bounds of what one document brings along.
const (
	maxFileBytes = 16 << 20
	maxDocuments = 256
)

// loader is what the documents of one [Read] share.
type loader struct {
	options   Options
	ids       map[string]bool      // of charts
	documents []*Document          // but the first
	byFile    map[string]*Document // nil: it is none
	contents  map[string][]byte
	bytes     int
	compared  int // names, for hints
}

// parse reads the XML of one file, for a new reader.
func (l *loader) parse(s *source) (*element, *reader) {
	r := l.reader(s.file)
	root, faults := parse(s)
	for _, f := range faults {
		r.noteAt(s, f.code, f.at, f.message, f.hint)
	}
	return root, r
}

func (l *loader) reader(file string) *reader {
	return &reader{loader: l, doc: &Document{Name: file, States: map[string]string{}},
		states: map[string]*element{}, paths: map[*element]string{}, parts: map[*element]string{}, data: map[string]*element{}, skips: map[string]int{}}
}

// unique returns an id that no other chart has, and takes it.
func (l *loader) unique(id string) string {
	free := id
	for n := 2; l.ids[free]; n++ {
		free = fmt.Sprintf("%s_%d", id, n)
	}
	l.ids[free] = true
	return free
}

// file reads the file that an attribute names. It says what is wrong, as an
// error or, where the document may still work, as a warning.
func (r *reader) file(e *element, a *attribute) (name string, data []byte, ok bool) {
	name, hint := r.cleanPath(a.value)
	if hint != "" {
		r.noteAttribute(statechart.CodeInvalid, e, a, quote(a.value)+" names no file that may be read", hint)
		return "", nil, false
	}
	data, err := r.readFile(name)
	if err == nil {
		return name, data, true
	}
	message, hint := "the file "+quote(name)+" cannot be read", "see that it stands beside the document"
	if bound, ok := errors.AsType[boundError](err); ok {
		message += ": " + string(bound)
	}
	switch {
	case r.options.Files == nil:
		message, hint = "the file "+quote(name)+" is wanted, and there are no files here", "write its content into the document"
	case errors.Is(err, fs.ErrNotExist):
		message = "there is no file " + quote(name)
	}
	if e.local == "invoke" {
		r.warn(chartfile.CodeFile, e, a.at, message, "the host must know what it is when it is invoked; "+hint)
	} else {
		r.noteAttribute(chartfile.CodeFile, e, a, message, hint)
	}
	return name, nil, false
}

// cleanPath brings a src to the path of a file below Files. The hint says why
// it is none.
func (r *reader) cleanPath(src string) (name, hint string) {
	name = strings.TrimPrefix(strings.TrimSpace(src), "file:")
	switch {
	case strings.ContainsAny(name, `:\`) || strings.HasPrefix(name, "/"):
		return "", "write the path of a file beside the document, such as part.scxml"
	case !fs.ValidPath(name) || name == ".":
		return "", "write the path without .. and ., and with one / between two names"
	}
	return path.Join(r.folder, name), ""
}

func (l *loader) readFile(name string) ([]byte, error) {
	if l.options.Files == nil {
		return nil, fs.ErrNotExist
	}
	data, known := l.contents[name]
	if !known {
		f, err := l.options.Files.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if data, err = io.ReadAll(io.LimitReader(f, maxBytes+1)); err != nil {
			return nil, err
		}
	}
	switch {
	case len(data) > maxBytes:
		return nil, boundError(fmt.Sprintf("it has more than %d bytes", maxBytes))
	case !l.afford(len(data)):
		return nil, boundError(fmt.Sprintf("what the document brings along has more than %d bytes", maxFileBytes))
	}
	l.contents[name] = data
	return data, nil
}

// boundError says which bound a file passes.
type boundError string

func (e boundError) Error() string { return string(e) }

// afford counts what is read beside the document itself, as often as it is.
func (l *loader) afford(n int) bool {
	l.bytes += n
	return l.bytes <= maxFileBytes
}

// textFile is file for text, without a byte order mark.
func (r *reader) textFile(e *element, a *attribute) (text string, ok bool) {
	name, data, ok := r.file(e, a)
	if !ok {
		return "", false
	}
	if !utf8.Valid(data) || strings.IndexByte(string(data), 0) >= 0 {
		r.noteAttribute(chartfile.CodeEncoding, e, a, "the file "+quote(name)+" is not UTF-8", "save it as UTF-8")
		return "", false
	}
	return lineEnds(strings.TrimPrefix(string(data), "\uFEFF")), true
}
