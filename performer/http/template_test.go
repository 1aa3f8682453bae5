package http_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/detent-run/detent/performer"
)

// text is a template for tests: ${name} is a member of the input, or one of
// key, session, attempt and secret.
type text string

const canary = "s3cr3t-canary"

func (t text) Literal() (string, bool) {
	head, _, more := strings.Cut(string(t), "${")
	return head, !more
}

func (t text) Pieces(s performer.Scope) ([]performer.Piece, error) {
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

func (t text) Value(s performer.Scope) (any, error) { return performer.Join(t, s, nil) }

func lookUp(name string, s performer.Scope) (any, error) {
	switch name {
	case "key":
		return s.Key, nil
	case "session":
		return s.Session, nil
	case "attempt":
		return s.Attempt, nil
	case "secret":
		return canary, nil
	}
	v, ok := s.Input.(map[string]any)[name]
	if !ok {
		return nil, errors.New("there is no " + name)
	}
	return v, nil
}

// value is a template for tests that gives what the function does.
type value func(s performer.Scope) (any, error)

func (value) Literal() (string, bool) { return "", false }

func (v value) Value(s performer.Scope) (any, error) { return v(s) }

func (v value) Pieces(s performer.Scope) ([]performer.Piece, error) {
	x, err := v(s)
	return []performer.Piece{{Text: fmt.Sprint(x)}}, err
}

// status is the condition that the answer has it.
func status(n int) performer.Template {
	return value(func(s performer.Scope) (any, error) { return s.Response.Status == n, nil })
}

func input(s performer.Scope) (any, error) { return s.Input, nil }

func redact(s string) string { return strings.ReplaceAll(s, canary, "[secret]") }
