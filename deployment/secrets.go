package deployment

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
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

// System looks a reference up in the environment or in a file, of which line
// breaks at the end are left out. The error names the reference, never a value.
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
	for _, form := range formsOf(value) {
		if !slices.Contains(s.forms, form) {
			s.forms = append(s.forms, form)
		}
	}
	slices.SortFunc(s.forms, func(a, b string) int { return len(b) - len(a) })
}

// formsOf lists how a secret may stand in a text.
func formsOf(value string) []string {
	plain := []byte(value)
	quoted, _ := json.Marshal(value) // a string can always be written
	var unescaped strings.Builder
	e := json.NewEncoder(&unescaped)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
	path := url.PathEscape(value)
	return []string{
		value, strings.Trim(string(quoted), `"`), strings.Trim(strings.TrimSpace(unescaped.String()), `"`),
		url.QueryEscape(value), path, lowerHex(url.QueryEscape(value)), lowerHex(path),
		base64.StdEncoding.EncodeToString(plain), base64.RawStdEncoding.EncodeToString(plain),
		base64.URLEncoding.EncodeToString(plain), base64.RawURLEncoding.EncodeToString(plain),
	}
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
