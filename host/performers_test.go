package host_test

import (
	"context"
	"slices"
	"testing"

	"github.com/detent-run/detent/host"
)

// says is a performer that gives its own name.
func says(name string) host.Entry {
	return host.Entry{Performer: host.PerformerFunc(func(context.Context, host.Call) host.Outcome { return host.Done(name) })}
}

// Who makes a call: the source itself, else the longest beginning that fits,
// in the first table that knows one.
func TestFind(t *testing.T) {
	tools := host.Table{"tool:a": says("a"), "tool:*": says("any tool"), "tool:bank.*": says("the bank"), "model*": says("models")}
	for src, want := range map[string]string{"tool:a": "a", "tool:ab": "any tool", "tool:bank.pay": "the bank", "tool:bank": "any tool", "model:x": "models", "human:ask": "last", "*": "last"} {
		p, _, ok := host.Chain(nil, tools, host.Table{"*": says("last"), "tool:a": says("shadowed")}).Find(src)
		if !ok {
			t.Errorf("%s: nobody", src)
			continue
		}
		if got := p.Perform(t.Context(), host.Call{}).Output; got != want {
			t.Errorf("%s goes to %v, want %s", src, got, want)
		}
	}
	if _, _, ok := tools.Find("human:ask"); ok {
		t.Error("human:ask was found where nobody performs it")
	}
	if _, _, ok := (host.Table{}).Find(""); ok {
		t.Error("an empty table found somebody")
	}
	if got, want := tools.Sources(), []string{"model*", "tool:*", "tool:a", "tool:bank.*"}; !slices.Equal(got, want) {
		t.Errorf("the sources are %v, want %v", got, want)
	}
	missing := host.Missing("tool:z").Failure
	if missing == nil || missing.Code != "no_such_performer" || !missing.Final || missing.Executed || missing.Message != `nothing performs "tool:z" here` {
		t.Errorf("a call that nobody performs ends as %+v", missing)
	}
}
