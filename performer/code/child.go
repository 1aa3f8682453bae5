package code

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"go.starlark.net/lib/json"
	"go.starlark.net/lib/math"
	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/detent-run/detent/host"
)

// serve answers one request in a child. Time and memory are bounded from
// outside.
func serve(message []byte) []byte {
	var q request
	a := answer{Code: "crashed", Message: "the request cannot be read"}
	if err := host.Decode(message, &q); err == nil {
		bounded.Do(func() { err = bound(q.Memory + beside) })
		if a = (answer{Code: "unsupported", Message: "the memory of code cannot be bounded here"}); err == nil {
			a = evaluate(q)
		}
	}
	data, err := host.Encode(a)
	if err == nil && len(data) > maxOutput+2*maxPrint {
		err = fmt.Errorf("the output is %d bytes long, and may be %d", len(data), maxOutput)
	}
	if err != nil {
		data, _ = host.Encode(answer{Code: "bad_output", Message: err.Error()}) // text alone
	}
	return data
}

// bounded sees that a child is bounded once, before the first program.
var bounded sync.Once

// dialect is Starlark with the loops and variables that people expect. It has
// no recursion, so that no stack overflows.
var dialect = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true}

// evaluate runs a program.
func evaluate(q request) answer {
	var printed strings.Builder
	thread := &starlark.Thread{Name: "code", Print: func(_ *starlark.Thread, text string) {
		if room := maxPrint - printed.Len(); room > 0 {
			text = strings.ToValidUTF8(text+"\n", "\uFFFD")
			text = strings.ReplaceAll(text, "\x00", "\uFFFD")
			printed.WriteString(strings.ToValidUTF8(text[:min(len(text), room)], ""))
		}
	}}
	tired := false
	thread.SetMaxExecutionSteps(uint64(q.Steps))
	thread.OnMaxSteps = func(t *starlark.Thread) {
		tired = true
		t.Cancel("steps")
	}
	input, err := toStarlark(q.Input)
	if err != nil {
		return answer{Code: "bad_input", Message: err.Error()}
	}
	input.Freeze()
	names := starlark.StringDict{"input": input, "json": json.Module, "math": math.Module}
	value, err := result(thread, q.Code, names, &printed)
	if err != nil {
		code, message := explain(err, tired)
		return answer{Code: code, Message: message, Printed: printed.String()}
	}
	out, err := fromStarlark(value, maxDepth)
	if err != nil {
		return answer{Code: "bad_output", Message: "the output is no data: " + err.Error(), Printed: printed.String()}
	}
	return answer{Output: out, Printed: printed.String()}
}

// result runs the file and gives its output.
func result(thread *starlark.Thread, code string, names starlark.StringDict, printed *strings.Builder) (starlark.Value, error) {
	globals, err := starlark.ExecFileOptions(dialect, thread, "code", code, names)
	if err != nil {
		return nil, err
	}
	if f, ok := globals["main"].(starlark.Callable); ok {
		return starlark.Call(thread, f, starlark.Tuple{names["input"]}, nil)
	}
	if v := globals["output"]; v != nil {
		return v, nil
	}
	if printed.Len() > 0 {
		return starlark.String(strings.TrimSuffix(printed.String(), "\n")), nil
	}
	return nil, errNoOutput
}

var errNoOutput = errors.New("the program gives nothing: define main(input), set output, or print")

// explain gives a failure's code and one sentence, with the place.
func explain(err error, tired bool) (code, message string) {
	var failed *starlark.EvalError
	var wrong syntax.Error
	var unresolved resolve.ErrorList
	switch {
	case errors.Is(err, errNoOutput):
		return "no_output", err.Error()
	case tired:
		return "steps", "the program takes more steps than it may"
	case errors.As(err, &failed):
		where := ""
		for i := range failed.CallStack {
			if p := failed.CallStack.At(i).Pos; p.Filename() == "code" {
				where = fmt.Sprintf("line %d: ", p.Line)
				break
			}
		}
		return "failed", limit(where + failed.Msg)
	case errors.As(err, &wrong):
		return "syntax", limit(fmt.Sprintf("line %d: %s", wrong.Pos.Line, wrong.Msg))
	}
	if errors.As(err, &unresolved) && len(unresolved) > 0 {
		return "syntax", limit(fmt.Sprintf("line %d: %s", unresolved[0].Pos.Line, unresolved[0].Msg))
	}
	return "syntax", limit(err.Error())
}

// limit makes a program's words short enough to be kept.
func limit(text string) string {
	const most = 1000
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
