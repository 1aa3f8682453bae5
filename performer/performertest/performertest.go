// Package performertest holds what the tests of performers share.
package performertest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer"
)

// Text is a template: ${name} is a member of the input, or one of
// key, session, attempt and secret.
type Text string

// Canary is what ${secret} gives: it must be seen nowhere.
const Canary = "s3cr3t-canary"

// Literal is that of [performer.Template].
func (t Text) Literal() (string, bool) {
	head, _, more := strings.Cut(string(t), "${")
	return head, !more
}

// Pieces is that of [performer.Template].
func (t Text) Pieces(s performer.Scope) ([]performer.Piece, error) {
	var out []performer.Piece
	for rest := string(t); rest != ""; {
		head, more, found := strings.Cut(rest, "${")
		if head != "" {
			out = append(out, performer.Piece{Text: head, Literal: true})
		}
		if !found {
			break
		}
		name, after, _ := strings.Cut(more, "}")
		v, err := lookUp(name, s)
		if err != nil {
			return nil, err
		}
		out = append(out, performer.Piece{Text: fmt.Sprint(v)})
		rest = after
	}
	return out, nil
}

// Value is that of [performer.Template].
func (t Text) Value(s performer.Scope) (any, error) { return performer.Join(t, s, nil) }

func lookUp(name string, s performer.Scope) (any, error) {
	switch name {
	case "key":
		return s.Key, nil
	case "session":
		return s.Session, nil
	case "attempt":
		return s.Attempt, nil
	case "secret":
		return Canary, nil
	}
	v, ok := s.Input.(map[string]any)[name]
	if !ok {
		return nil, errors.New("there is no " + name)
	}
	return v, nil
}

// Redact masks the canary.
func Redact(s string) string { return strings.ReplaceAll(s, Canary, "[secret]") }

// Show is an outcome as a record has it.
func Show(t *testing.T, o host.Outcome) string {
	t.Helper()
	b, err := host.Encode(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
