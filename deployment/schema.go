package deployment

import (
	"bytes"
	"encoding/json"
	"strings"
)

// formatKey is a row of the format's table: a key by its path, in which *
// stands for any name, what may stand there, and what it is for. The words of
// a choice are parted by |; any is everything.
type formatKey struct{ path, kind, doc string }

// format is the deployment file, key by key, in the order in which a reader
// meets them. A test holds it against what [Read] takes.
var format = []formatKey{
	{"store", "string", "Where sessions are kept: the path of a file."},
	{"log", "object", "The engine's log."},
	{"log.dir", "string", "The folder in which agent.log and errors.log are written."},
	{"log.level", "debug|info|warn|error", "The least important that is written."},
	{"grants", "object", "What charts may use of what this file defines. Absent: all of it."},
	{"grants.tools", "strings", "Names of tools; bank.* is all that begin with bank., and * is all."},
	{"grants.models", "strings", "Names of models, as with tools."},
	{"network", "object", "What tools and models may reach."},
	{"network.allow", "strings", "host:port beyond public addresses."},
	{"models", "object", "Models by name."},
	{"models.*", "object", "A model."},
	{"models.*.provider", "openai|anthropic|scripted", "Who serves it; openai is any compatible server."},
	{"models.*.base_url", "string", "Where it is served."},
	{"models.*.model", "string", "The model's name there."},
	{"models.*.api_key", "string", "A reference to a secret: env:NAME or file:PATH."},
	{"models.*.price", "object", "What a million tokens cost, for budgets."},
	{"models.*.price.input", "number", "Of the input."},
	{"models.*.price.output", "number", "Of the output."},
	{"tools", "object", "Tools by name."},
	{"tools.*", "object", "A tool: what it is, and one of http, process, file and code."},
	{"tools.*.description", "string", "What it does, for models and people."},
	{"tools.*.input", "object", "The JSON Schema of its input."},
	{"tools.*.annotations", "object", "What may be assumed of a call. Absent: it is not repeatable."},
	{"tools.*.annotations.readOnly", "boolean", "It changes nothing."},
	{"tools.*.annotations.idempotent", "boolean", "Twice is as good as once."},
	{"tools.*.annotations.destructive", "boolean", "It may destroy something."},
	{"tools.*.concurrency", "integer", "How many calls run at once."},
	{"tools.*.http", "object", "Called over HTTP."},
	{"tools.*.http.method", "string", "The method; GET unless said."},
	{"tools.*.http.url", "string", "The address. Templates are encoded, and may not stand in scheme, host or port."},
	{"tools.*.http.headers", "any", "Headers by name, with templates."},
	{"tools.*.http.body", "any", "The body, with templates; sent as JSON."},
	{"tools.*.http.output", "any", "The output, a template over response."},
	{"tools.*.http.errors", "object", "What a status means."},
	{"tools.*.http.lookup", "object", "How to ask, by key, whether a call happened: it makes reconcile possible."},
	{"tools.*.http.lookup.method", "string", "The method; GET unless said."},
	{"tools.*.http.lookup.url", "string", "The address."},
	{"tools.*.http.lookup.headers", "any", "Headers by name."},
	{"tools.*.http.lookup.found", "string", "When it happened: an expression over response."},
	{"tools.*.http.lookup.absent", "string", "When it did not. Neither: still unknown."},
	{"tools.*.http.lookup.output", "any", "The output, if it happened."},
	{"tools.*.http.redirects", "integer", "How many redirects are followed."},
	{"tools.*.http.maxBytes", "integer", "The longest answer."},
	{"tools.*.http.timeout", "string", "The longest call, as in 30s."},
	{"tools.*.process", "object", "A program, started without a shell."},
	{"tools.*.process.argv", "strings", "The program and its arguments, with templates."},
	{"tools.*.process.env", "any", "Its environment, with templates; nothing else but PATH and DETENT_KEY."},
	{"tools.*.process.dir", "string", "Where it runs."},
	{"tools.*.process.stdin", "json|none", "What it gets: its input as JSON unless none."},
	{"tools.*.process.stdout", "text|json", "What its output is."},
	{"tools.*.process.timeout", "string", "The longest call, as in 30s."},
	{"tools.*.process.grace", "string", "How long it may take to end when it is asked to."},
	{"tools.*.process.errors", "object", "What an exit code means."},
	{"tools.*.process.maxOutput", "integer", "The longest output, in bytes."},
	{"tools.*.file", "object", "Files below a folder."},
	{"tools.*.file.root", "string", "The folder; nothing outside of it is reached."},
	{"tools.*.file.allow", "strings", "What may be done: read, write, list, search."},
	{"tools.*.file.maxBytes", "integer", "The largest file."},
	{"tools.*.code", "object", "Programs, run in a child process without input and output."},
	{"tools.*.code.language", "starlark", "The language."},
	{"tools.*.code.steps", "integer", "The most steps."},
	{"tools.*.code.memory", "integer", "The most memory, in bytes."},
	{"tools.*.code.deadline", "string", "The longest run, as in 5s."},
	{"mcp", "object", "Servers that speak MCP, by name."},
	{"mcp.*", "object", "A server: a command or a url."},
	{"mcp.*.command", "strings", "The program and its arguments."},
	{"mcp.*.env", "object", "Its environment; secrets are references."},
	{"mcp.*.url", "string", "Where it is served."},
	{"limits", "object", "Bounds of the engine; a chart may lower them, never raise."},
	{"limits.concurrency", "integer", "How many calls run at once."},
	{"limits.eventBytes", "integer", "The largest payload of an event, as JSON."},
}

// Schema returns the JSON Schema (2020-12) of deployment files, indented, with
// a newline at its end. Editors complete and check files with it. The caller
// owns the slice.
func Schema() []byte {
	var b bytes.Buffer
	b.WriteString(`{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Detent deployment file",` +
		`"description":"How the outside calls of charts are made, with which secrets, and whether.",`)
	members(&b, "")
	b.WriteByte('}')
	var out bytes.Buffer
	if err := json.Indent(&out, b.Bytes(), "", "  "); err != nil {
		panic("deployment: the schema of the format is no JSON: " + err.Error()) // it is made of constants
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// below lists the keys right below a path.
func below(path string) (keys []formatKey) {
	for _, k := range format {
		if rest, ok := strings.CutPrefix(k.path, path); ok && rest != "" && !strings.Contains(rest, ".") {
			keys = append(keys, k)
		}
	}
	return keys
}

// members writes what an object may hold: known keys, or any names. An object
// of which the table says nothing more is free.
func members(b *bytes.Buffer, path string) {
	b.WriteString(`"type":"object"`)
	keys := below(path)
	if len(keys) == 1 && strings.HasSuffix(keys[0].path, "*") {
		b.WriteString(`,"propertyNames":{"pattern":"^[A-Za-z0-9._-]{1,128}$"},"additionalProperties":`)
		keys[0].write(b)
		return
	}
	if len(keys) == 0 {
		return
	}
	b.WriteString(`,"properties":{`)
	for i, k := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quoted(strings.TrimPrefix(k.path, path)))
		b.WriteByte(':')
		k.write(b)
	}
	b.WriteString(`},"additionalProperties":false`)
}

func quoted(text string) []byte {
	out, _ := json.Marshal(text) // a text always can
	return out
}

// write writes the schema of what stands under a key.
func (k formatKey) write(b *bytes.Buffer) {
	b.WriteString(`{"description":`)
	b.Write(quoted(k.doc))
	switch k.kind {
	case "any":
	case "object":
		b.WriteByte(',')
		members(b, k.path+".")
	case "strings":
		b.WriteString(`,"type":"array","items":{"type":"string"}`)
	case "string", "number", "integer", "boolean":
		b.WriteString(`,"type":"` + k.kind + `"`)
	default:
		words, _ := json.Marshal(strings.Split(k.kind, "|")) // a list of texts always can
		b.WriteString(`,"enum":`)
		b.Write(words)
	}
	b.WriteByte('}')
}
