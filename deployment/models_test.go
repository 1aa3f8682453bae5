package deployment_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/deployment"
	"github.com/detent-run/detent/host"
)

// Who answers for a model: the fixed planner only where the file neither
// defines a model nor grants none. It never passes for a model that is defined.
func TestWhoAnswersForAModel(t *testing.T) {
	const planner, nobody, unsupported = "planner", "nobody", "unsupported"
	model := "models: {default: {provider: openai, base_url: http://127.0.0.1:11434/v1, model: m, api_key: env:KEY}}\n"
	for _, c := range []struct{ file, src, want string }{
		{"{}", "model:default", planner},
		{"{}", "decide:default", planner},
		{"tools: {calc: {code: {}}}\n", "model:any", planner},
		{"grants: {models: []}\n", "model:default", nobody},
		{"grants: {models: []}\n", "decide:default", nobody},
		{model, "model:default", unsupported},
		{model, "decide:default", unsupported},
		{model, "model:other", nobody},
		{model + "grants: {models: [default]}\n", "model:default", unsupported},
		{model + "grants: {models: [d.*]}\n", "", "d.*"},
		{model + "grants: {models: []}\n", "model:default", nobody},
		{model + "grants: {tools: []}\n", "model:default", unsupported},
	} {
		d, found := deployment.Read("detent.yaml", []byte(c.file), deployment.Options{})
		if d == nil {
			if c.src != "" || !strings.Contains(found.Error(), c.want) {
				t.Errorf("%s is refused: %v", c.file, found)
			}
			continue
		}
		got := nobody
		if p, _, ok := d.Performers().Find(c.src); ok {
			o := p.Perform(t.Context(), host.Call{Src: c.src, Input: map[string]any{"prompt": "calc", "step": nil}})
			switch {
			case o.Kind == host.KindDone:
				got, _ = o.Output.(map[string]any)["planner"].(string)
				got = strings.ReplaceAll(got, "fixed", planner)
			case o.Failure.Final && !o.Failure.Executed && strings.Contains(o.Failure.Message, `the model "default"`):
				got = o.Failure.Code
			}
		}
		if got != c.want {
			t.Errorf("of %s under %q %s answers, not %s", c.src, c.file, got, c.want)
		}
	}
}

// What is said of models and servers is checked, and no secret stands in it.
func TestWrongModelsAndServers(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"models: {m: {}}\n", `1:10: the model "m" has no provider (write provider: openai, anthropic or scripted) [missing]`},
		{"models: {m: {provider: opnai}}\n", `provider is one of openai, anthropic, scripted, not "opnai" (did you mean "openai"?)`},
		{"models: {m: {provider: openai, base_url: localhost:80}}\n", `base_url is no URL of http (write it as in https://example.com/v1)`},
		{"models: {m: {provider: openai, base_url: 'http://user:canary@h/'}}\n", `base_url holds a user or a password`},
		{"models: {m: {provider: openai, price: {input: -1}}}\n", `input is a price, 0 or more`},
		{"models: {a b: {provider: openai}}\n", `"a b" is no name of a model`},
		{"mcp: {g: {command: [x], env: {TOKEN: canary}}}\n", `1:38: TOKEN is no reference of a secret (write env:NAME or file:PATH; a secret itself must not stand in the file) [invalid]`},
		{"mcp: {g: {command: [x], env: {TOKEN: 3}}}\n", `TOKEN is text, not a whole number`},
		{"mcp: {g: {}}\n", `1:7: the server "g" has either a command or a url (write one of the two) [invalid]`},
		{"mcp: {g: {command: [x], url: https://h/}}\n", `has either a command or a url`},
		{"mcp: {g: {command: []}}\n", `command is a program and its arguments`},
		{"mcp: {g: {url: 'https://user:canary@h/'}}\n", `url holds a user or a password`},
		{"mcp: {g: {url: 'ftp://h/'}}\n", `url is no URL of http`},
	} {
		d, found := deployment.Read("detent.yaml", []byte(c.file), deployment.Options{})
		if d != nil || !strings.Contains(found.Error(), c.want) || strings.Contains(found.Error(), "canary") {
			t.Errorf("%s is read as %v with\n%v\nwant\n%s", c.file, d, found, c.want)
		}
	}
	d := read(t, "mcp: {g: {command: [gh, stdio], env: {TOKEN: env:X}}, h: {url: https://h/mcp}}\n", deployment.Options{})
	if g := d.Servers["g"]; strings.Join(g.Command, " ") != "gh stdio" || g.Env["TOKEN"] != "env:X" || d.Servers["h"].URL != "https://h/mcp" {
		t.Errorf("the servers are %+v", d.Servers)
	}
}
