package plan

import (
	"context"
	"slices"

	"github.com/detent-run/detent/host"
)

// The events that an executor of plans chooses from.
const (
	callTool = "call_tool"
	finish   = "finish_execution"
)

// Decider returns who decides where no model is configured: it follows the
// plan. The call's input is an object with the step that is next, nil behind
// the last one. The output is {"planner": "fixed", "event", "data"}: call_tool
// with the step's tool, or finish_execution with the tokens, which are none.
// When the call offers choices and that is none of them, it is a failure with
// the code "no_choice". It may be used concurrently.
func Decider() host.Performer {
	return host.PerformerFunc(func(_ context.Context, call host.Call) host.Outcome {
		event, data := finish, map[string]any{"tokens": int64(0)}
		input, _ := call.Input.(map[string]any)
		if step, ok := input["step"].(map[string]any); ok {
			event, data = callTool, map[string]any{"tool": step["tool"]}
		}
		if len(call.Choices) > 0 && !slices.Contains(call.Choices, event) {
			return host.Failed(host.Failure{Code: "no_choice", Final: true,
				Message: "the fixed planner would choose " + event + ", which is not offered; other decisions need a model"})
		}
		return host.Done(map[string]any{"planner": Name, "event": event, "data": data})
	})
}
