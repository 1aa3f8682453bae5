// Package human asks a person: "human:approve" for a yes or a no, and
// "human:input" for data. No code runs while the person thinks; the question is
// stored by the host, and so outlives it.
package human

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/detent-run/detent/host"
)

// Sources that this package performs.
const (
	Approve = "human:approve"
	Input   = "human:input"
)

// Limits of what a person is asked.
const (
	maxQuestion = 16 << 10 // bytes
	maxWho      = 100
)

// New returns the performer of [Approve] and [Input]. It takes an object:
//
//	question  text, must be there
//	detail    what it is about, any data
//	schema    the JSON Schema of the answer
//	who       a name or a list of names of who may answer
//	deadline  how long it waits: milliseconds or a duration such as 15m or 3d
//	default   the answer when the deadline passes; of an approval true or false
//
// Anything else in it is a failure with the code "bad_input", which is not
// tried again. It may be used concurrently.
func New() host.Performer { return host.PerformerFunc(perform) }

func perform(_ context.Context, call host.Call) host.Outcome {
	q, err := Question(call.Src, call.Input)
	if err != nil {
		return host.Failed(host.Failure{Code: "bad_input", Message: err.Error(), Final: true})
	}
	return host.Ask(q)
}

// Question reads what a person is to be asked from the input of a call of src,
// which is [Approve] or [Input]. The error says which part of the input is
// wrong.
func Question(src string, input any) (host.Question, error) {
	var q host.Question
	switch src {
	case Approve:
		q.Kind = "approve"
	case Input:
		q.Kind = "input"
	default:
		return q, fmt.Errorf("a person cannot be asked by %q; write %s or %s", src, Approve, Input)
	}
	object, ok := input.(map[string]any)
	if !ok {
		return q, errors.New("the input must be an object with a question")
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if err := member(&q, name, object[name]); err != nil {
			return q, fmt.Errorf("%s: %w", name, err)
		}
	}
	return q, complete(q)
}

func member(q *host.Question, name string, v any) (err error) {
	switch name {
	case "question":
		q.Text, err = question(v)
	case "detail":
		q.Detail = v
	case "schema":
		if _, object := v.(map[string]any); !object && v != nil {
			return errors.New("must be a JSON Schema, which is an object")
		}
		q.Schema = v
	case "who":
		q.Who, err = who(v)
	case "deadline":
		q.Within, err = within(v)
	case "default":
		q.Default = v
	default:
		return errors.New("there is no such field; there are question, detail, schema, who, deadline and default")
	}
	return err
}

func complete(q host.Question) error {
	if q.Text == "" {
		return errors.New("question: must be there, as text")
	}
	if q.Default != nil && q.Within == 0 {
		return errors.New("default: needs a deadline, which it is the answer after")
	}
	if _, ok := q.Default.(bool); !ok && q.Default != nil && q.Kind == "approve" {
		return errors.New("default: must be true (approved) or false (rejected)")
	}
	return nil
}

func question(v any) (string, error) {
	text, ok := v.(string)
	switch {
	case !ok || strings.TrimSpace(text) == "":
		return "", errors.New("must be text with something in it")
	case len(text) > maxQuestion:
		return "", fmt.Errorf("is %d bytes long, and may be %d; put the rest into detail", len(text), maxQuestion)
	}
	return text, nil
}

func who(v any) ([]string, error) {
	if v == nil {
		return nil, nil
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	if len(list) == 0 || len(list) > maxWho {
		return nil, fmt.Errorf("must be 1 to %d names, not %d", maxWho, len(list))
	}
	out := make([]string, len(list))
	for i, e := range list {
		name, ok := e.(string)
		if !ok || strings.TrimSpace(name) == "" {
			return nil, errors.New("must be a name or a list of names")
		}
		out[i] = name
	}
	return out, nil
}

// within is a wait in milliseconds.
func within(v any) (int64, error) {
	var d time.Duration
	switch v := v.(type) {
	case nil:
		return 0, nil
	case int64:
		if v <= 0 || v > maxWithin.Milliseconds() {
			return 0, fmt.Errorf("must be 1 ms to %d days", maxWithin/day)
		}
		return v, nil
	case string:
		var err error
		if d, err = duration(v); err != nil {
			return 0, fmt.Errorf("%.100q is no duration; write 45s, 15m or 3d", v)
		}
	default:
		return 0, errors.New("must be milliseconds or a duration such as 15m")
	}
	if d < time.Millisecond || d > maxWithin {
		return 0, fmt.Errorf("must be 1 ms to %d days", maxWithin/day)
	}
	return d.Milliseconds(), nil
}

const (
	day       = 24 * time.Hour
	maxWithin = 10 * 365 * day
)

func duration(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		return time.Duration(n) * day, err
	}
	return time.ParseDuration(text)
}
