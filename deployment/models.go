package deployment

import (
	"context"
	"fmt"
	"net/url"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// Model is a model as the file has it.
type Model struct {
	Provider, BaseURL, Model string
	// APIKey is the reference of a secret.
	APIKey string
	// Input and Output are prices of a million tokens.
	Input, Output float64
}

// Server is a server that speaks MCP, as the file has it: a program with its
// arguments, or a URL.
type Server struct {
	Command []string
	// Env has references of secrets by the name of a variable.
	Env map[string]string
	URL string
}

const nameHint = "use letters, digits, '.', '-' and '_'"

func (r *reader) model(d *Deployment, f document.Field) {
	n := f.Value
	if !r.object(n, "a model", "provider", "base_url", "model", "api_key", "price") {
		return
	}
	if !validName(f.Key) {
		r.note(statechart.CodeInvalidName, f.KeyStart, fmt.Sprintf("%.60q is no name of a model", f.Key), nameHint)
	}
	m := Model{Provider: r.choice(n, "provider", "openai", "anthropic", "scripted"), BaseURL: r.text(n, "base_url"), Model: r.text(n, "model"), APIKey: r.text(n, "api_key")}
	if part(n, "provider") == nil {
		r.note(statechart.CodeMissing, f.KeyStart, fmt.Sprintf("the model %q has no provider", f.Key), "write provider: openai, anthropic or scripted")
	}
	if v := part(n, "api_key"); m.APIKey != "" && checkReference(m.APIKey) != nil {
		r.note(statechart.CodeInvalid, v.Start, "api_key is no reference of a secret", "write env:NAME or file:PATH; a key itself must not stand in the file")
	}
	r.address(n, "base_url")
	if p := part(n, "price"); p != nil && r.object(p, "price", "input", "output") {
		m.Input, m.Output = r.price(p, "input"), r.price(p, "output")
	}
	d.Models[f.Key] = m
}

func (r *reader) price(n *document.Node, key string) float64 {
	v := part(n, key)
	if v == nil {
		return 0
	}
	x := v.Float
	if v.Kind == document.Int {
		x = float64(v.Int)
	}
	if v.Kind != document.Int && v.Kind != document.Float || x < 0 {
		r.note(chartfile.CodeWrongType, v.Start, key+" is a price, 0 or more", "write a number, per million tokens")
	}
	return x
}

// server reads an MCP server.
func (r *reader) server(d *Deployment, f document.Field) {
	n := f.Value
	if !validName(f.Key) {
		r.note(statechart.CodeInvalidName, f.KeyStart, fmt.Sprintf("%.60q is no name of a server", f.Key), nameHint)
	}
	if !r.object(n, "an MCP server", "command", "env", "url") {
		return
	}
	s := Server{Command: r.texts(n, "command"), URL: r.text(n, "url"), Env: map[string]string{}}
	command, address := part(n, "command"), part(n, "url")
	if (command == nil) == (address == nil) {
		r.note(statechart.CodeInvalid, f.KeyStart, fmt.Sprintf("the server %q has either a command or a url", f.Key), "write one of the two")
	}
	if command != nil && command.Kind == document.List && (len(s.Command) == 0 || s.Command[0] == "") {
		r.note(statechart.CodeInvalid, command.Start, "command is a program and its arguments", `write a list, as in ["github-mcp-server", "stdio"]`)
	}
	r.address(n, "url")
	if v := part(n, "env"); v != nil && r.object(v, "env") {
		for _, e := range v.Fields {
			switch {
			case !r.is(e.Value, document.String, e.Key):
			case checkReference(e.Value.Text) != nil: // the value may be a secret, and is not shown
				r.note(statechart.CodeInvalid, e.Value.Start, fmt.Sprintf("%.60s is no reference of a secret", e.Key),
					"write env:NAME or file:PATH; a secret itself must not stand in the file")
			default:
				s.Env[e.Key] = e.Value.Text
			}
		}
	}
	d.Servers[f.Key] = s
}

// address sees that a text is a URL of http without a password.
func (r *reader) address(n *document.Node, key string) {
	v := part(n, key)
	if v == nil || v.Kind != document.String {
		return
	}
	u, err := url.Parse(v.Text)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		r.note(statechart.CodeInvalid, v.Start, key+" is no URL of http", "write it as in https://example.com/v1")
	case u.User != nil:
		r.note(statechart.CodeInvalid, v.Start, key+" holds a user or a password", "leave it out; a secret itself must not stand in the file")
	}
}

// uncalled stands for a model that nobody calls yet.
func uncalled(name string) host.Performer {
	return host.PerformerFunc(func(context.Context, host.Call) host.Outcome {
		return host.Failed(host.Failure{Code: "unsupported", Final: true,
			Message: fmt.Sprintf("the deployment defines the model %q, and this version of detent calls no models; without models in the file the fixed planner answers", name)})
	})
}
