package deployment

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// maxSecret bounds a secret, in bytes.
const maxSecret = 64 << 10

// secrets looks references up and remembers what came out, so that it can be
// taken out of texts. It may be used concurrently.
type secrets struct {
	lookup func(reference string) (string, error)

	mu    sync.RWMutex
	seen  map[string]bool
	forms []string // in which they may be met, the longest first
}

// checkReference says what is wrong with a reference.
func checkReference(reference string) error {
	kind, name, _ := strings.Cut(reference, ":")
	if (kind != "env" && kind != "file") || strings.TrimSpace(name) == "" || strings.ContainsRune(name, 0) {
		return fmt.Errorf("a secret is a reference, env:NAME or file:PATH")
	}
	return nil
}

// System looks a reference up in the environment or in a regular file, of which
// line breaks at the end are left out. A path that is not absolute starts in
// the working directory; a deployment's starts where the deployment lives. The
// error names the reference, never a value.
func System(reference string) (string, error) {
	if err := checkReference(reference); err != nil {
		return "", err
	}
	kind, name, _ := strings.Cut(reference, ":")
	if kind == "env" {
		value, ok := os.LookupEnv(name)
		if !ok {
			return "", fmt.Errorf("the environment has no %s", name)
		}
		return value, nil
	}
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return "", fmt.Errorf("the secret %s cannot be read: there is no such file", reference)
	}
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("the secret %s cannot be read", reference)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	if err != nil || len(data) > maxSecret {
		return "", fmt.Errorf("the secret %s cannot be read, or is longer than %d bytes", reference, maxSecret)
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}

// systemFrom is [System] for a deployment that lives in a folder.
func systemFrom(dir string) func(string) (string, error) {
	return func(reference string) (string, error) {
		if name, ok := strings.CutPrefix(reference, "file:"); ok && dir != "" && !filepath.IsAbs(name) {
			reference = "file:" + filepath.Join(dir, name)
		}
		return System(reference)
	}
}

// get looks a secret up.
func (s *secrets) get(reference string) (string, error) {
	value, err := s.lookup(reference)
	switch {
	case err != nil:
		return "", err
	case value == "":
		return "", fmt.Errorf("the secret %s is empty", reference)
	}
	s.remember(value)
	return value, nil
}

func (s *secrets) remember(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen[value] {
		return
	}
	s.seen[value] = true
	parts := []string{value}
	if strings.ContainsAny(value, "\r\n") { // a line of a key tells as much
		for line := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == '\r' || r == '\n' }) {
			if len(line) >= wholeLine {
				parts = append(parts, line)
			}
		}
	}
	for _, part := range parts {
		for _, form := range formsOf(part) {
			if !slices.Contains(s.forms, form) {
				s.forms = append(s.forms, form)
			}
		}
	}
	slices.SortFunc(s.forms, func(a, b string) int { return len(b) - len(a) })
}

// wholeLine is how long a line of a secret must be to be one itself; what is
// shorter, such as its end, is in innocent text as well.
const wholeLine = 16

// formsOf lists how a secret may stand in a text.
func formsOf(value string) []string {
	plain := []byte(value)
	quoted, _ := json.Marshal(value) // a string can always be written
	var unescaped strings.Builder
	e := json.NewEncoder(&unescaped)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
	path := url.PathEscape(value)
	out := []string{
		value, strings.Trim(string(quoted), `"`), strings.Trim(strings.TrimSpace(unescaped.String()), `"`), strings.Trim(strconv.QuoteToASCII(value), `"`),
		url.QueryEscape(value), path, lowerHex(url.QueryEscape(value)), lowerHex(path),
	}
	for _, b := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		out = append(out, b.EncodeToString(plain))
	}
	if len(value) < inner {
		return out
	}
	out = append(out, hex.EncodeToString(plain), strings.ToUpper(hex.EncodeToString(plain)))
	for _, b := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		out = append(out, within(b, plain)...)
	}
	return out
}

// inner is how long a secret must be to be looked for inside of other bytes;
// what is shorter would be found in innocent text.
const inner = 6

// within lists what a secret becomes inside of what is encoded as a whole, as
// a password is behind a user's name. Characters that its neighbours have a
// part in are left out.
func within(b *base64.Encoding, plain []byte) (out []string) {
	const bitsOfByte, bitsOfCharacter = 8, 6
	for before := range 3 {
		text := b.EncodeToString(append(make([]byte, before), plain...))
		first := (before*bitsOfByte + bitsOfCharacter - 1) / bitsOfCharacter
		last := (before + len(plain)) * bitsOfByte / bitsOfCharacter
		out = append(out, text[first:last])
	}
	return out
}

// lowerHex writes percent-encoding with small letters.
func lowerHex(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}

// redact puts ••• where a secret stood.
func (s *secrets) redact(text string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, form := range s.forms {
		text = strings.ReplaceAll(text, form, "•••")
	}
	return text
}
