package statechart_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// The page of the semantics has every rule, in order; each names the tests
// that pin it, all of which exist; and no rule's test is left out.
func TestTheSemanticsPageNamesItsTests(t *testing.T) {
	page, err := os.ReadFile("../docs/semantics.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := testsOfThisPackage(t)
	rules := regexp.MustCompile(`(?m)^### R(\d+) `).FindAllSubmatchIndex(page, -1)
	if len(rules) != 39 {
		t.Errorf("the page has %d rules, want R1 to R40 without R35, which is the engine's", len(rules))
	}
	named := map[string]bool{}
	for i, at := range rules {
		end := len(page)
		if i+1 < len(rules) {
			end = rules[i+1][0]
		}
		id, text := string(page[at[2]:at[3]]), page[at[0]:end]
		number := i + 1
		if number >= 35 {
			number++
		}
		if id != fmt.Sprint(number) {
			t.Errorf("rule %d is R%s", number, id)
		}
		prefix := fmt.Sprintf("TestR%02d_", number)
		own := 0
		for _, name := range regexp.MustCompile("`(Test\\w+)`").FindAllSubmatch(text, -1) {
			test := string(name[1])
			named[test] = true
			if !slices.Contains(tests, test) {
				t.Errorf("R%s names %s, which does not exist", id, test)
			}
			if len(test) > len(prefix) && test[:len(prefix)] == prefix {
				own++
			}
		}
		if own == 0 {
			t.Errorf("R%s names no test of its own", id)
		}
	}
	for _, test := range tests {
		if regexp.MustCompile(`^TestR\d\d_`).MatchString(test) && !named[test] {
			t.Errorf("%s is named by no rule", test)
		}
	}
}

// testsOfThisPackage lists the names of all tests.
func testsOfThisPackage(t *testing.T) (names []string) {
	files, err := filepath.Glob("*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`).FindAllSubmatch(text, -1) {
			names = append(names, string(name[1]))
		}
	}
	return names
}
