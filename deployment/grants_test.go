package deployment_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/detent-run/detent/deployment"
	"github.com/detent-run/detent/host"
)

// A grant is a name, or all that begin with one and a dot, or all.
func TestGrants(t *testing.T) {
	const tools = "tools: {bank.ask: {code: {}}, bank.pay: {code: {}}, banker: {code: {}}, calc: {code: {}}}\n"
	for _, c := range []struct{ grants, want string }{
		{"", "bank.ask bank.pay banker calc"},
		{"grants: {}\n", "bank.ask bank.pay banker calc"},
		{"grants: {tools: []}\n", ""},
		{"grants: {tools: [bank.*]}\n", "bank.ask bank.pay"},
		{"grants: {tools: [bank.*, calc]}\n", "bank.ask bank.pay calc"},
		{"grants: {tools: ['*']}\n", "bank.ask bank.pay banker calc"},
		{"grants: {tools: [bank]}\n", `tools grants "bank", which this file does not define (did you mean "banker"?) [unknown_name]`},
		{"grants: {tools: [shop.*]}\n", `tools grants "shop.*", which this file does not define`},
		{"grants: {tools: [bank*]}\n", `1:18: "bank*" is neither a name nor one with .* at its end (write bank.* for all names that begin with bank., or * for all) [invalid]`},
		{"grants: {tools: ['*.ask']}\n", `"*.ask" is neither a name nor one with .* at its end`},
		{"grants: {tools: ['.*']}\n", `".*" is neither a name nor one with .* at its end`},
		{"grants: {tools: calc}\n", `tools is a list, not text`},
	} {
		d, found := deployment.Read("detent.yaml", []byte(c.grants+tools), deployment.Options{})
		if d == nil {
			if !strings.Contains(found.Error(), c.want) {
				t.Errorf("%q is refused: %v", c.grants, found)
			}
			continue
		}
		if got := strings.Join(d.Tools(), " "); got != c.want {
			t.Errorf("%q grants %q, want %q", c.grants, got, c.want)
		}
		for _, name := range strings.Fields("bank.ask bank.pay banker calc") {
			if _, _, ok := d.Performers().Find("tool:" + name); ok != strings.Contains(" "+c.want+" ", " "+name+" ") {
				t.Errorf("under %q %s is performed: %v", c.grants, name, ok)
			}
		}
		d.Close()
	}
}

// The rest of the file is checked at its place, too.
func TestWrongSettings(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"network: {allow: [10.0.0.1]}\n", `1:19: "10.0.0.1" is no host:port (write it as in 127.0.0.1:8080 or docs.internal:443; there are no patterns) [invalid]`},
		{"network: {allow: ['*.internal:443']}\n", `is no host:port`},
		{"network: {allow: ['http://a:80']}\n", `is no host:port`},
		{"network: {allow: ['a:0']}\n", `is no host:port`},
		{"network: {allow: ['a:65536']}\n", `is no host:port`},
		{"store: postgres://h/db\n", `1:8: this version of detent keeps sessions in a file, not in PostgreSQL (write the path of a file, as in detent.db) [invalid]`},
		{"store: mysql://user:canary@h/db\n", `mysql:// is no store`},
		{"log: {level: verbose}\n", `level is one of debug, info, warn, error, not "verbose"`},
		{"limits: {concurrency: 0}\n", `concurrency is 0; it may be 1 to 100000`},
		{"limits: {eventBytes: 99999999999}\n", `eventBytes is 99999999999; it may be 1 to 67108864`},
		{"limits: {fuel: 1}\n", `limits has no key "fuel"`},
		{"tools: {a: {code: {}, input: null}}\n", `input is an object, not null`},
		{"tools: {a: {code: {}, input: true}}\n", `input is an object, not true or false`},
		{"tools: {a: {http: {url: 'http://h/', redirects: -1}}}\n", `redirects is -1; it may be 0 to 20`},
		{"tools: {a: {http: {url: 'http://h/', timeout: 25h}}}\n", `timeout is a duration up to 24h, not "25h"`},
		{"tools: {a: {http: {url: 'http://h/', timeout: 30}}}\n", `timeout is text, not a whole number`},
		{"tools: {a: {process: {argv: [x], grace: 0s}}}\n", `grace is a duration up to 24h, not "0s"`},
		{"tools: {a: {code: {memory: 1000}}}\n", `memory is 1000; it may be 1048576 to 17179869184`},
		{"tools: {a: {process: {argv: [sh, -c, 'echo ${ input.x }']}}}\n", `process: argv: a value inside a script of a shell becomes a part of the script`},
	} {
		d, found := deployment.Read("detent.yaml", []byte(c.file), deployment.Options{})
		if d != nil || !strings.Contains(found.Error(), c.want) || strings.Contains(found.Error(), "canary") {
			t.Errorf("%s is read as %v with\n%v\nwant\n%s", c.file, d, found, c.want)
		}
	}
}

// A path of a secret starts where the deployment lives; one that is no file is
// not waited for.
func TestSecretFiles(t *testing.T) {
	const file = "tools: {a: {process: {argv: [printf, '%s', '${ len(secret(\"file:token\")) }']}}, b: {process: {argv: [printf, '%s', '${ secret(\"file:.\") }']}}}\n"
	d := read(t, file, deployment.Options{Dir: "testdata"})
	for name, want := range map[string]string{"a": "14", "b": "the secret file:testdata cannot be read: there is no such file"} {
		p, _, _ := d.Performers().Find("tool:" + name)
		o := p.Perform(t.Context(), host.Call{Key: "k"})
		if got, _ := o.Output.(string); got != want && (o.Failure == nil || !strings.HasSuffix(o.Failure.Message, want)) {
			t.Errorf("%s gives %+v %+v", name, o, o.Failure)
		}
	}
}

// redirects: 0 follows none; without it a GET follows some.
func TestRedirects(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/from" {
			http.Redirect(w, q, "/to", http.StatusFound)
		}
	}))
	defer server.Close()
	for setting, want := range map[string]host.Kind{"": host.KindDone, "redirects: 1, ": host.KindDone, "redirects: 0, ": host.KindError} {
		d := read(t, fmt.Sprintf("network: {allow: [%q]}\ntools: {a: {http: {%surl: '%s/from'}}}\n", strings.TrimPrefix(server.URL, "http://"), setting, server.URL), deployment.Options{})
		p, _, _ := d.Performers().Find("tool:a")
		if o := p.Perform(t.Context(), host.Call{Key: "k"}); o.Kind != want {
			t.Errorf("with %q the outcome is %s", setting, o.Kind)
		}
	}
}
