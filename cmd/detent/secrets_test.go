package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// canary is a secret that is written differently in JSON, in a URL and as
// bytes; its middle is the same everywhere but in base64.
const (
	canary       = `a"b/c4nary+c4nary&xyz`
	canaryMiddle = "c4nary"
)

// leaks are the tools that get the secret, in every way that a call can end.
const leaks = `
store: case.db
log: {dir: logs, level: debug}
network: {allow: ["ADDRESS"]}
tools:
  done: {http: {url: "http://ADDRESS/echo/${ secret('file:secret') }", headers: {Authorization: "Bearer ${ secret('file:secret') }"}}}
  failed: {http: {method: POST, url: "http://ADDRESS/500", body: {token: "${ secret('file:secret') }"}}}
  refused: {http: {method: POST, url: "http://ADDRESS/400", body: "${ secret('file:secret') }"}}
  moved: {http: {url: "http://ADDRESS/moved?q=${ secret('file:secret') }"}}
  lost: {http: {url: "http://ADDRESS/lost?q=${ secret('file:secret') }", headers: {X: "${ secret('file:secret') }"}}}
  denied: {http: {url: "http://127.0.0.2:1/${ secret('file:secret') }"}}
  broken: {http: {url: "http://ADDRESS/${ secret('file:secret').x }"}}
  number: {http: {url: "http://ADDRESS/${ secret('file:secret') + 1 }"}}
  header: {http: {url: "http://ADDRESS/", headers: {X: "${ secret('file:secret') }\n"}}}
  bare: {http: {url: "http://ADDRESS/echo/", output: "${ {headers: response.headers, body: [response.body], plain: secret('file:secret'), key: {(secret('file:secret')): 1}} }"}}
  said: {process: {argv: [sh, -c, 'printf "%s\n" "$T"; printf %s "$T" | base64 >&2'], env: {T: "${ secret('file:secret') }"}}}
  argued: {process: {argv: [cat, --, "${ secret('file:secret') }"]}}
  data: {process: {argv: [sh, -c, 'printf %s "$T" | base64 -w0 | sed "s/.*/{\"b\":\"&\"}/"; exit 3'], env: {T: "${ secret('file:secret') }"}, stdout: json, errors: {3: {code: three, executed: no}}}}
  gone: {process: {argv: [sh, -c, 'echo "$T" >&2; kill -9 $$'], env: {T: "${ secret('file:secret') }"}}}
  read: {file: {root: ., allow: [read, search]}}
  calc: {code: {}}
`

// leaking is a chart that calls them all, and keeps what it gets as data.
func leaking(calls [][2]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "id: leaking\ncontext: {got: []}\ninitial: s0\nstates:\n")
	for i, c := range calls {
		next := fmt.Sprintf("{target: s%d, actions: [{assign: {got: '${ concat(got, [event]) }'}}]}", i+1)
		fmt.Fprintf(&b, "  s%d:\n    invoke:\n      src: tool:%s\n      input: %s\n      onDone: %s\n      onError: %s\n      onUnknown: %s\n", i, c[0], c[1], next, next, next)
	}
	fmt.Fprintf(&b, "  s%d: {type: final}\n", len(calls))
	return b.String()
}

// A secret is nowhere: not in the store, its log, the logs, an export, or what
// any command prints, however the call ended that had it.
func TestASecretIsNowhere(t *testing.T) {
	folder := t.TempDir()
	program := filepath.Join(folder, "detent")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		lookInto(t, folder) // with the store's log as it is while a call runs
		echo(w, q)
	}))
	defer server.Close()
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var calls [][2]string
	for _, name := range strings.Fields("done failed refused moved lost denied broken number header bare said argued data gone") {
		calls = append(calls, [2]string{name, "{}"})
	}
	calls = append(calls, [2]string{"read", "{op: read, path: secret}"}, [2]string{"read", "{op: search, query: ary+c}"},
		[2]string{"calc", `{code: "fail(input[0])", input: "${ got }"}`}, [2]string{"calc", `{code: "output = x"}`}, [2]string{"calc", `{code: "output = input", input: "${ got }"}`})
	for name, text := range map[string]string{
		"secret": canary + "\n", "leaking.yaml": leaking(calls), "detent.yaml": strings.ReplaceAll(leaks, "ADDRESS", strings.TrimPrefix(server.URL, "http://")),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var printed bytes.Buffer
	for _, args := range [][]string{
		{"run", "leaking.yaml", "--id", "case"}, {"run", "leaking.yaml", "--id", "rows", "--json"}, {"show", "case", "--db", "case.db"}, {"log", "case", "--db", "case.db"},
		{"export", "case", "--db", "case.db"}, {"ps", "--db", "case.db"}, {"doctor", "--db", "case.db"}, {"verify", "case", "--db", "case.db"},
	} {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir = folder
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("detent %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		printed.Write(out)
	}
	for _, c := range calls {
		if !strings.Contains(printed.String(), c[0]) {
			t.Errorf("the tool %s was not called", c[0])
		}
	}
	if n := strings.Count(printed.String(), "•••"); n < len(calls) {
		t.Errorf("a secret was masked %d times only in\n%s", n, printed.String())
	}
	nowhere(t, "what the commands print", printed.Bytes())
	if seen := lookInto(t, folder); seen < 5 { // chart, deployment, store, agent.log, errors.log
		t.Errorf("%d files were looked at", seen)
	}
}

// lookInto looks for the canary in all files but its own and the program.
func lookInto(t *testing.T, folder string) (seen int) {
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "detent" || d.Name() == "secret" {
			return err
		}
		data, err := os.ReadFile(name)
		nowhere(t, name, data)
		seen++
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // the store's log comes and goes
		t.Error(err)
	}
	return seen
}

// nowhere looks for the canary in all forms, in base64 at all three offsets.
func nowhere(t *testing.T, where string, data []byte) {
	t.Helper()
	forms := []string{canaryMiddle + "+", canaryMiddle + "&", canaryMiddle + "%", canaryMiddle + `\u00`, url.QueryEscape(canary), fmt.Sprintf("%x", canary)}
	for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for skip := range 3 { // whatever stands before it
			text := e.EncodeToString([]byte(canary)[skip:])
			forms = append(forms, text[:len(text)-4])
		}
	}
	for _, form := range forms {
		if at := bytes.Index(data, []byte(form)); at >= 0 {
			t.Errorf("%s holds the secret as %q: …%q…", where, form, data[max(0, at-200):min(len(data), at+100)])
			return
		}
	}
}

// echo gives back all that it got, as servers do in errors.
func echo(w http.ResponseWriter, q *http.Request) {
	got := new(bytes.Buffer)
	_ = q.Write(got)
	token := strings.TrimPrefix(q.Header.Get("Authorization"), "Bearer ")
	w.Header().Set("X-Echo", url.QueryEscape(q.URL.String()))
	switch q.URL.Path {
	case "/500":
		w.WriteHeader(http.StatusInternalServerError)
	case "/400":
		w.WriteHeader(http.StatusBadRequest)
	case "/moved":
		http.Redirect(w, q, "ftp://x/?"+q.URL.RawQuery, http.StatusFound)
	case "/lost":
		panic(http.ErrAbortHandler)
	}
	fmt.Fprintf(w, "%s %s %s %x %q", got, base64.StdEncoding.EncodeToString([]byte(token)), base64.StdEncoding.EncodeToString([]byte("user:"+token)), token, token)
}
