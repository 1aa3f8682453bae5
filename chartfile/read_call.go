package chartfile

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// invocations reads the outside calls of a state.
func (r *reader) invocations(n *document.Node, s *spot) []statechart.Invocation {
	v, whole := r.part(n, &spot{}, "invoke")
	if v == nil {
		return nil
	}
	list := []*document.Node{v}
	if v.Kind == document.List {
		list = v.Items
	}
	var out []statechart.Invocation
	for _, item := range list {
		if r.bad[item] {
			continue
		}
		where := item.Start
		if item == v {
			where = whole.at
		}
		at := s.add(index("invoke", len(out)), where, item)
		at.bad = r.flawed[item]
		out = append(out, r.invocation(item, at))
	}
	return out
}

func (r *reader) invocation(n *document.Node, s *spot) statechart.Invocation {
	src, at := r.part(n, s, "src")
	v := r.callParts(n, s)
	v.Src = r.source(src)
	if at != nil && (src == nil || r.bad[src]) {
		at.bad = true
	}
	v.Heartbeat = r.optionalDelay(n, s, "heartbeat")
	v.Approval = r.carried(n, s, "approval")
	v.Choices = r.texts(n, s, "choices")
	if choices, _ := n.Field("choices"); choices != nil && src != nil && !strings.HasPrefix(src.Text, "decide:") {
		r.flaw(n, codeNotAllowed, choices.Start, "only a decide: call has choices", "leave them out, or call decide:NAME")
	} else if choices != nil {
		r.choices = append(r.choices, choices.Items...)
	}
	v.OnDone = r.transitions(n, s, "onDone")
	v.OnError = r.transitions(n, s, "onError")
	v.OnUnknown = r.transitions(n, s, "onUnknown")
	v.OnProgress = r.transitions(n, s, "onProgress")
	return v
}

// callParts reads what an invocation and a do have in common.
func (r *reader) callParts(n *document.Node, s *spot) statechart.Invocation {
	v := statechart.Invocation{ID: r.text(n, s, "id"), Mode: r.text(n, s, "mode"), Timeout: r.optionalDelay(n, s, "timeout"), Retry: r.carried(n, s, "retry")}
	v.Key = r.optional(n, s, "key")
	if input, _ := r.part(n, s, "input"); input != nil {
		v.Input = r.callInput(n, input)
	}
	return v
}

// schemaKeys are the parts of an input that are JSON Schemas, by the kind of
// the call: they stand as they are.
var schemaKeys = map[string]string{"model": "output", "human": "schema"}

// callInput reads the argument of a call.
func (r *reader) callInput(n, input *document.Node) any {
	src, _ := n.Field("src")
	if src == nil {
		src, _ = n.Field("do")
	}
	kind := ""
	if src != nil {
		kind, _, _ = strings.Cut(src.Text, ":")
	}
	key, has := schemaKeys[kind]
	if !has || input.Kind != document.Object {
		return r.value(input)
	}
	schema, given := input.Field(key)
	if given && schema.Kind == document.Object {
		r.checkSchema(schema)
		return r.object(input, key)
	}
	return r.value(input)
}

// carried reads an object that is handed on as it stands.
func (r *reader) carried(n *document.Node, s *spot, key string) map[string]any {
	v, _ := r.part(n, s, key)
	if v == nil {
		return nil
	}
	for _, f := range v.Fields {
		if i := strings.Index(f.Value.Text, "${"); f.Value.Kind == document.String && i >= 0 {
			r.note(CodeInterpolated, f.Value.At(i), fmt.Sprintf("%s of %s is said as it stands; nothing is evaluated there", quote(f.Key), key), "")
		}
	}
	m, _ := v.Value().(map[string]any)
	return m
}
