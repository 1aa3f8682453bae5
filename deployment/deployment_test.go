package deployment_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/deployment"
	"github.com/detent-run/detent/host"
)

func read(t *testing.T, text string, o deployment.Options) *deployment.Deployment {
	t.Helper()
	d, found := deployment.Read("detent.yaml", []byte(text), o)
	if d == nil {
		t.Fatalf("it was refused:\n%v", found)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"unknown key", "stroe: x\n", `detent.yaml:1:1: a deployment has no key "stroe" (did you mean "store"?) [unknown_key]`},
		{"wrong type", "store: 3\n", `detent.yaml:1:8: store is text, not a whole number (write text) [wrong_type]`},
		{"no way to call", "tools: {a: {description: x}}\n", `detent.yaml:1:9: the tool "a" does not say how it is called (add http, process, file or code) [missing]`},
		{"grant of nothing", "grants: {tools: [calk]}\ntools: {calc: {code: {}}}\n", `detent.yaml:1:18: tools grants "calk", which this file does not define (did you mean "calc"?) [unknown_name]`},
		{"key in the file", "models: {m: {provider: openai, api_key: sk-123}}\n", `detent.yaml:1:41: api_key is no reference of a secret (write env:NAME or file:PATH; a key itself must not stand in the file) [invalid]`},
		{"template in the host", "tools: {a: {http: {url: \"http://${ input }/\"}}}\n", `detent.yaml:1:25: http: url: scheme, host and port must be fixed; the first ${ … } may stand after the slash behind them (correct it; docs/deployment-file.md says what may stand here) [invalid]`},
		{"executed", "tools: {a: {http: {url: \"http://h/\", errors: {429: {executed: maybe}}}}}\n", `executed is one of no, yes, unknown, not "maybe"`},
		{"response before there is one", "tools: {a: {http: {url: \"http://h/${ response.status }\"}}}\n", `there is no variable "response" here`},
		{"secret that is none", "tools: {a: {http: {url: \"http://h/${ secret(\\\"X\\\") }\"}}}\n", `a secret is a reference, env:NAME or file:PATH`},
		{"the program's own name", "tools: {a: {http: {url: \"http://h/${ call__ }\"}}}\n", `there is no variable "call__" here`},
		{"alias", "store: &a x\nlog: *a\n", `[yaml_feature]`},
		{"bad schema", "tools: {a: {code: {}, input: {type: strin}}}\n", `at type: "strin" is no type (write it as JSON Schema has it) [bad_schema]`},
		{"two at once", "stroe: x\nlgo: {}\n", "did you mean \"store\"?) [unknown_key]\ndetent.yaml:2:1: a deployment has no key \"lgo\" (did you mean \"log\"?)"},
		{"two ways", "tools: {a: {code: {}, file: {root: .}}}\n", `the tool has both file and code`},
		{"empty", "", `[empty]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, found := deployment.Read("detent.yaml", []byte(c.file), deployment.Options{})
			if d != nil || !strings.Contains(found.Error(), c.want) {
				t.Errorf("read as %v with\n%v\nwant\n%s", d, found, c.want)
			}
		})
	}
}

const bank = `
network: {allow: ["ADDRESS"]}
grants: {tools: [bank.*]}
tools:
  bank.handshake:
    input: {type: object, required: [customer]}
    concurrency: 4
    http:
      method: POST
      url: http://ADDRESS/handshakes
      headers: {Idempotency-Key: "${ key }", Authorization: 'Bearer ${ secret("env:TOKEN") }'}
      body: {customer: "${ input.customer }", attempt: "${ attempt }"}
      output: "${ response.body }"
      errors: {429: {code: rate_limited, executed: no}}
      lookup: {url: "http://ADDRESS/handshakes/${ key }", found: response.status == 200, absent: response.status == 404}
  calc: {annotations: {readOnly: true}, code: {language: starlark}}
`

// A tool is called as the file says, and what it gives holds no secret.
func TestCall(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body := new(strings.Builder)
		_ = q.Write(body)
		switch {
		case q.Method == http.MethodGet:
			w.WriteHeader(http.StatusNotFound)
		case q.Header.Get("Idempotency-Key") == "busy":
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			_, _ = w.Write([]byte(body.String()))
		}
	}))
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "http://")
	secret := "s3cret/+ value"
	d := read(t, strings.ReplaceAll(bank, "ADDRESS", address), deployment.Options{Secrets: func(string) (string, error) { return secret, nil }})
	p, traits, ok := d.Performers().Find("tool:bank.handshake")
	if !ok || traits.Mode != host.AtMostOnce || traits.Concurrency != 4 || traits.Version == "" {
		t.Fatalf("found %v with %+v", ok, traits)
	}
	if traits.Check(map[string]any{"customer": "ann"}) != nil || traits.Check(map[string]any{}) == nil {
		t.Errorf("the schema of the input is not followed")
	}
	call := host.Call{Key: "k1", Input: map[string]any{"customer": "ann"}, Attempt: 2}
	out := p.Perform(context.Background(), call)
	text, _ := out.Output.(string)
	if out.Kind != host.KindDone || !strings.Contains(text, `{"attempt":2,"customer":"ann"}`) || !strings.Contains(text, "Idempotency-Key: k1") {
		t.Errorf("the call gave %+v", out)
	}
	if strings.Contains(text, secret) || !strings.Contains(text, "Bearer •••") {
		t.Errorf("the secret is seen: %s", text)
	}
	call.Key = "busy"
	if out := p.Perform(context.Background(), call); out.Kind != host.KindError || out.Failure.Code != "rate_limited" || out.Failure.Executed {
		t.Errorf("a busy bank gave %+v", out)
	}
	if found, _ := p.(host.Finder).Find(context.Background(), call); found != host.Absent {
		t.Errorf("the look-up found %s", found)
	}
	if _, _, ok := d.Performers().Find("tool:calc"); ok {
		t.Errorf("a tool that is not granted is performed")
	}
}

// A template that cannot be computed fails the call and says why.
func TestTemplateThatFails(t *testing.T) {
	d := read(t, "tools: {a: {http: {url: \"http://example.com/${ input.name.first }\"}}}\n", deployment.Options{})
	p, _, _ := d.Performers().Find("tool:a")
	out := p.Perform(context.Background(), host.Call{Key: "k", Input: map[string]any{"name": int64(3)}})
	if out.Kind != host.KindError || out.Failure.Executed || !strings.Contains(out.Failure.Message, "url") {
		t.Errorf("it gave %+v, %+v", out, out.Failure)
	}
}

// A secret is masked in whatever way it is usually written.
func TestRedact(t *testing.T) {
	d := read(t, "store: x\n", deployment.Options{Secrets: func(r string) (string, error) {
		if r == "file:key" {
			return "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nshort\n-----END KEY-----", nil
		}
		return `p"w&d/+ x`, nil
	}})
	for _, reference := range []string{"env:X", "file:key"} {
		if _, err := d.Secret(reference); err != nil {
			t.Fatal(err)
		}
	}
	for _, form := range []string{
		`p"w&d/+ x`, `p\"w&d/+ x`, `p\"w\u0026d/+ x`, "p%22w%26d%2F%2B+x", "p%22w%26d%2f%2b+x", "cCJ3JmQvKyB4", "p%22w&d%2F+%20x",
		"70227726642f2b2078", "70227726642F2B2078", "MIIEvQIBADANBgkq", `-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nshort\n-----END KEY-----`,
	} {
		if got := d.Redact("a " + form + " b"); got != "a ••• b" {
			t.Errorf("%s became %s", form, got)
		}
	}
	for text, want := range map[string]string{
		":": "On•••A==", "u:": "dTp•••h1", "us:": "dXM6•••dXM=",
	} { // in base64 its ends share characters with its neighbours
		encoded := base64.StdEncoding.EncodeToString([]byte(text + `p"w&d/+ x` + strings.TrimSuffix(text, ":")))
		if got := d.Redact(encoded); got != want {
			t.Errorf("%s became %s", encoded, got)
		}
	}
	if got := d.Redact("a short word"); got != "a short word" {
		t.Errorf("innocent text became %s", got)
	}
}

func TestCheck(t *testing.T) {
	d := read(t, "grants: {tools: [calc]}\ntools: {calc: {code: {}}, notes: {file: {root: .}}}\n", deployment.Options{})
	f, found := chartfile.Read("c.yaml", []byte("id: c\ninitial: a\nstates:\n  a:\n    invoke: [{src: \"tool:calk\"}, {src: \"tool:notes\"}, {src: \"tool:calc\"}]\n"))
	if found.Errors() {
		t.Fatal(found)
	}
	var got []string
	for _, x := range deployment.Check(&f.Definition, d, f.Place) {
		got = append(got, x.Message+" ("+x.Hint+")")
	}
	want := `a calls the tool "calk", which the deployment does not define (did you mean "calc"? (detent.yaml:2:1))` + "\n" +
		`a calls the tool "notes", which the deployment does not grant (add it to grants.tools (detent.yaml:1:10))`
	if strings.Join(got, "\n") != want {
		t.Errorf("found\n%s", strings.Join(got, "\n"))
	}
}

// How a file is written does not count, what it says does.
func TestDigest(t *testing.T) {
	a := read(t, "store: x\nlog: {dir: logs}\n", deployment.Options{})
	b := read(t, "log:\n  dir: 'logs'\nstore: x # here\n", deployment.Options{})
	c := read(t, "log: {dir: logs}\nstore: y\n", deployment.Options{})
	if a.Digest() != b.Digest() || a.Digest() == c.Digest() {
		t.Errorf("%s, %s, %s", a.Digest(), b.Digest(), c.Digest())
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(bank))
	f.Add([]byte(`{"tools": {"a": {"process": {"argv": ["x", "${ input }"]}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, found := deployment.Read("detent.yaml", data, deployment.Options{})
		if (d == nil) != found.Errors() {
			t.Errorf("read %v with %v", d != nil, found)
		}
		if d != nil {
			d.Close()
		}
	})
}
