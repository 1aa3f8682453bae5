package deployment

import (
	"errors"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer/human"
	"github.com/detent-run/detent/statechart"
)

// people puts those who are asked into the table. What is asked is looked at
// before a claim, and an answer before it is taken.
func people(table host.Table) {
	asked := host.Entry{Performer: human.New(), Traits: host.Traits{Mode: host.AtLeastOnce}}
	table["human:*"] = asked
	for _, src := range []string{human.Approve, human.Input} {
		asked.Check = func(input any) error { return question(src, input) }
		asked.Answer = func(q host.Question, data any) error {
			if q.Schema == nil {
				return nil
			}
			check, err := schemaCheck(q.Schema)
			if err == nil {
				err = check(data)
			}
			if err == nil {
				return nil
			}
			return errors.New(strings.TrimPrefix(err.Error(), "the input does not fit its schema: "))
		}
		table[src] = asked
	}
}

// question says what is wrong with what a person is to be asked.
func question(src string, input any) error {
	q, err := human.Question(src, input)
	if err != nil || q.Schema == nil {
		return err
	}
	if _, err := schemaCheck(q.Schema); err != nil {
		return errors.New("schema: " + err.Error())
	}
	return nil
}

// askable says what of a question is wrong already in the chart. What is
// computed stands for anything.
func askable(src string, input any) error {
	fields, ok := input.(map[string]any)
	if src != human.Approve && src != human.Input || !ok {
		return nil
	}
	known := map[string]any{}
	for name, v := range fields {
		switch {
		case constant(v):
			known[name] = v
		case name == "question" || name == "who" || name == "deadline":
			known[name] = "1s"
		case name == "default" && src == human.Approve:
			known[name] = true
		default:
			known[name] = nil
		}
	}
	return question(src, known)
}

// schemaCheck compiles a JSON Schema. The error says in a sentence what is
// wrong with it.
func schemaCheck(schema any) (func(any) error, error) {
	chart, err := statechart.Compile(statechart.Definition{ID: "input", Input: schema, Root: statechart.State{}}, chartfile.Behaviour())
	if err != nil {
		if list, ok := errors.AsType[statechart.Errors](err); ok && len(list) > 0 {
			err = errors.New(list[0].Message)
		}
		return nil, err
	}
	return func(value any) error {
		if result := chart.Start(new(statechart.Instance), statechart.Start{Input: value}); result.Reason != nil {
			return errors.New(result.Reason.Message)
		}
		return nil
	}, nil
}
