package conformance

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"reflect"
	"strings"
	"testing"

	_ "github.com/goccy/go-yaml" // its testdata hold the suite

	"github.com/detent-run/detent/internal/document"
)

// The suite's size.
const validYAML, invalidYAML = 308, 94

// yamlCase is one document of the YAML test suite, with its content as JSON
// where JSON has it.
type yamlCase struct {
	name    string
	input   []byte
	content []byte
	invalid bool
}

func yamlCases(t *testing.T) []yamlCase {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/goccy/go-yaml").Output()
	if err != nil {
		t.Fatalf("find the YAML test suite: %v", err)
	}
	files := os.DirFS(path.Join(strings.TrimSpace(string(out)), "testdata", "yaml-test-suite"))
	var cases []yamlCase
	err = fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Base(name) != "in.yaml" {
			return err
		}
		c := yamlCase{name: path.Dir(name)}
		if c.input, err = fs.ReadFile(files, name); err != nil {
			return err
		}
		_, err = fs.Stat(files, path.Join(c.name, "error"))
		c.invalid = err == nil
		c.content, _ = fs.ReadFile(files, path.Join(c.name, "in.json")) // not all have one
		cases = append(cases, c)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestSuitesYAML judges every document and compares with the committed
// verdicts: accepted, refused with the part of YAML that charts do not take, or
// invalid. What is accepted must have the content that the suite says, and keep
// it when it is written again.
func TestSuitesYAML(t *testing.T) {
	verdicts := map[string]string{}
	valid, named, invalid, refused := 0, 0, 0, 0
	for _, c := range yamlCases(t) {
		n, problems := document.Parse(c.input, document.YAML, document.Limits{})
		verdict := judgeYAML(problems)
		verdicts[c.name] = verdict
		switch {
		case c.invalid:
			invalid++
			if verdict != "accepted" {
				refused++
			}
			continue
		case verdict == "invalid":
			t.Errorf("%s is valid, and refused with %v", c.name, problems)
		case verdict == "accepted":
			sameContent(t, c, n)
		default:
			named++
		}
		valid++
	}
	if valid != validYAML || invalid != invalidYAML {
		t.Errorf("the suite has %d valid and %d invalid documents, want %d and %d", valid, invalid, validYAML, invalidYAML)
	}
	compareVerdicts(t, "yaml-verdicts.txt", verdicts)
	fmt.Printf("yaml-test-suite %d/%d valid: %d accepted, %d refused for a named part; %d/%d invalid refused\n",
		valid, validYAML, valid-named, named, refused, invalid)
}

// judgeYAML is the verdict on a document with these problems. A part that is
// not taken says more than what it makes of the rest.
func judgeYAML(problems []document.Problem) string {
	verdict := "accepted"
	for _, p := range problems {
		switch {
		case p.Feature != "":
			return "refused " + p.Feature
		case p.Code != document.CodeSyntax:
			return "refused " + strings.ReplaceAll(p.Code, "_", " ")
		}
		verdict = "invalid"
	}
	return verdict
}

func sameContent(t *testing.T, c yamlCase, n *document.Node) {
	if c.content != nil {
		var want, got any
		if err := json.Unmarshal(c.content, &want); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		text, err := document.Write(n, document.JSON)
		if err == nil {
			err = json.Unmarshal(text, &got)
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s has the content %v, want %v; %v", c.name, got, want, err)
		}
	}
	formatted, problems := document.Reformat(c.input, document.YAML, document.Limits{})
	again, more := document.Parse(formatted, document.YAML, document.Limits{})
	if problems = append(problems, more...); len(problems) > 0 || !document.Equal(n, again) {
		t.Errorf("%s is another one when it was formatted: %v\n%s", c.name, problems, formatted)
	}
	if twice, _ := document.Reformat(formatted, document.YAML, document.Limits{}); string(twice) != string(formatted) {
		t.Errorf("%s is formatted in two ways:\n%s\n%s", c.name, formatted, twice)
	}
}
