package http_test

import (
	"fmt"

	"github.com/detent-run/detent/performer"
	"github.com/detent-run/detent/performer/performertest"
)

type text = performertest.Text

const canary = performertest.Canary

var show, redact = performertest.Show, performertest.Redact

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
