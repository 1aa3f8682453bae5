package main

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// open opens a bank with its record in a file.
func open(t *testing.T, name string, m Mood) (*Bank, *httptest.Server) {
	t.Helper()
	l, err := OpenLedger(name)
	if err != nil {
		t.Fatal(err)
	}
	b := New(l, m, slog.New(slog.DiscardHandler))
	s := httptest.NewServer(b)
	// Otherwise Go's client repeats what has an idempotency key by itself.
	s.Client().Transport.(*http.Transport).DisableKeepAlives = true
	t.Cleanup(func() { s.Close(); l.Close() })
	return b, s
}

// ask makes a request and gives what a client sees.
func ask(t *testing.T, s *httptest.Server, method, path, key, body string) (status int, answer string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		q.Header.Set("Idempotency-Key", key)
	}
	a, err := s.Client().Do(q)
	if err != nil {
		return 0, "lost"
	}
	defer a.Body.Close()
	text, _ := io.ReadAll(a.Body)
	if a.StatusCode == http.StatusTooManyRequests && a.Header.Get("Retry-After") != "1" {
		t.Errorf("it says when to come back as %q", a.Header.Get("Retry-After"))
	}
	return a.StatusCode, strings.TrimSpace(string(text))
}

// record is what stands in the file.
func record(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		var e Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		all = append(all, e.What+" "+e.Key)
	}
	return strings.Join(all, ", ")
}

// The same key gets the same credential, after lost answers and on another
// day, and the record has one handshake.
func TestOneHandshakeForAKey(t *testing.T) {
	name := filepath.Join(t.TempDir(), "record")
	_, s := open(t, name, Mood{Limit: 1, Lose: 1})
	for i, want := range []string{
		`429 {"error":"too many handshakes; come again in a second"}`,
		`0 lost`,
		`200 {"credential":"k-1","customer":"c-17"}`,
	} {
		status, answer := ask(t, s, "POST", "/handshakes", "a", `{"customer":"c-17"}`)
		if got := strings.Join([]string{number(status), answer}, " "); got != want {
			t.Errorf("request %d: it says %s, want %s", i+1, got, want)
		}
	}
	if status, answer := ask(t, s, "POST", "/handshakes", "a", `{"customer":"c-18"}`); status != 409 {
		t.Errorf("the key of another customer: it says %d %s", status, answer)
	}
	s.Close()

	_, s = open(t, name, Mood{})
	for _, c := range []struct{ method, path, key, body, want string }{
		{"POST", "/handshakes", "a", `{"customer":"c-17"}`, `200 {"credential":"k-1","customer":"c-17"}`},
		{"POST", "/handshakes", "b", `{"customer":"c-17","message":"Dear","session":"s"}`, `200 {"credential":"k-2","customer":"c-17","session":"s"}`},
		{"GET", "/handshakes/a", "", "", `200 {"credential":"k-1","customer":"c-17"}`},
		{"GET", "/handshakes/z", "", "", `404 {"error":"there was no handshake under this key"}`},
		{"PUT", "/mood", "", `{"mute":true}`, `200 {"limit":0,"lose":0,"mute":true,"hold":""}`},
		{"GET", "/handshakes/a", "", "", `503 {"error":"the archive is closed; whether there was a handshake cannot be said"}`},
		{"GET", "/mood", "", "", `200 {"limit":0,"lose":0,"mute":true,"hold":""}`},
	} {
		status, answer := ask(t, s, c.method, c.path, c.key, c.body)
		if got := number(status) + " " + answer; got != c.want {
			t.Errorf("%s %s: it says %s, want %s", c.method, c.path, got, c.want)
		}
	}
	if got, want := record(t, name), "limited a, handshake a, lost a, again a, again a, handshake b, asked a, asked z, asked a"; got != want {
		t.Errorf("the record has\n%s\nwant\n%s", got, want)
	}
}

func number(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// What cannot be right is refused, and nothing of it is on the record.
func TestRefusals(t *testing.T) {
	name := filepath.Join(t.TempDir(), "record")
	_, s := open(t, name, Mood{})
	for _, c := range []struct {
		method, path, key, body string
		want                    int
	}{
		{"POST", "/handshakes", "", `{"customer":"c-17"}`, 400},
		{"POST", "/handshakes", strings.Repeat("k", 201), `{"customer":"c-17"}`, 400},
		{"POST", "/handshakes", "a b", `{"customer":"c-17"}`, 400},
		{"POST", "/handshakes", "a", `{"customer":""}`, 400},
		{"POST", "/handshakes", "a", `{"customer":"c-17","debt":1}`, 400},
		{"POST", "/handshakes", "a", `{"customer":"c-17"} {}`, 400},
		{"POST", "/handshakes", "a", `no`, 400},
		{"POST", "/handshakes", "a", `{"customer":"c-17","message":"` + strings.Repeat("x", maxBody) + `"}`, 413},
		{"PUT", "/mood", "", `{"limit":-1}`, 400},
		{"PUT", "/mood", "", `{"hold":"now"}`, 400},
		{"DELETE", "/handshakes/a", "", "", 405},
		{"GET", "/", "", "", 404},
	} {
		if status, answer := ask(t, s, c.method, c.path, c.key, c.body); status != c.want {
			t.Errorf("%s %s with %.40q: it says %d %s, want %d", c.method, c.path, c.body, status, answer, c.want)
		}
	}
	if got := record(t, name); got != "" {
		t.Errorf("the record has %s", got)
	}
}

// A line that was cut off while it was written is forgotten; one that is none
// of ours is not.
func TestTheRecordIsRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "record")
	line := `{"what":"handshake","key":"a","customer":"c-17","credential":"k-1"}` + "\n"
	for text, want := range map[string]string{line: "handshake a, handshake b", line + `{"what":"hand`: "handshake a, handshake b"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		b, _ := open(t, name, Mood{})
		if h, _, err := b.shake("b", Handshake{Customer: "c-18"}); err != nil || h.Credential != "k-2" {
			t.Errorf("the next is %+v, %v", h, err)
		}
		if got := record(t, name); got != want {
			t.Errorf("the record has %s, want %s", got, want)
		}
	}
	if err := os.WriteFile(name, []byte("hello\n"+line), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLedger(name); err == nil || !strings.Contains(err.Error(), "line 1 is none of ours") {
		t.Errorf("a file of somebody else is opened: %v", err)
	}
}
