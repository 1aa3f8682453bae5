package houserules

import (
	"fmt"
	"io/fs"
	"testing"
)

func TestReplace(t *testing.T)         { obey(t, "replace", checkReplace) }
func TestDependencyCount(t *testing.T) { obey(t, "dependency count", checkDependencyCount) }
func TestRequires(t *testing.T)        { obey(t, "requires", checkRequires) }
func TestDependencyPage(t *testing.T)  { obey(t, "dependency page", checkDependencyPage) }
func TestOwnLicence(t *testing.T)      { obey(t, "own licence", checkOwnLicence) }

func TestLicences(t *testing.T) {
	obey(t, "licences", func(h *house) []finding { return checkLicences(h, licenceText) })
}

// withModules gives a sample house of the given modules.
func withModules(t *testing.T, files map[string]string, modules ...module) *house {
	t.Helper()
	h, err := newHouse(tree(files), nil, modules, goDirs(files))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestReplaceRefuses(t *testing.T) {
	expect(t, checkReplace(withModules(t, nil, module{path: "m", dir: "bench", replaces: []string{"example.org/a"}})),
		[]string{"bench/go.mod: m replaces example.org/a"})
}

func TestDependencyCountRefuses(t *testing.T) {
	m := module{path: mainPath, dir: ".", requires: []requirement{{"example.org/indirect", "v1.0.0", true}}}
	for i := range mainDependencyLimit {
		m.requires = append(m.requires, requirement{fmt.Sprintf("example.org/%d", i), "v1.0.0", false})
	}
	expect(t, checkDependencyCount(withModules(t, nil, m)), nil)
	m.requires[0].indirect = false
	expect(t, checkDependencyCount(withModules(t, nil, m)), []string{"has 16 direct dependencies, the limit is 15"})
	m.dir = "bench"
	expect(t, checkDependencyCount(withModules(t, nil, m)), nil)
}

func TestRequiresRefuses(t *testing.T) {
	a := []requirement{{"example.org/a", "v1.0.0", false}}
	main, nested := module{path: mainPath, dir: "."}, module{path: atModule + "bench", dir: "bench"}
	imports := func(file, imported string) map[string]string {
		return map[string]string{file: "package p\nimport _ \"" + imported + "\""}
	}
	for _, c := range []struct {
		name         string
		files        map[string]string
		main, nested []requirement
		want         []string
	}{
		{"required", imports("host/a.go", "example.org/a/sub"), a, nil, nil},
		{"required by another module only", imports("host/a.go", "example.org/a"), nil, a,
			[]string{"bench requires example.org/a, which nothing in it imports", "host imports example.org/a, which ./go.mod does not require"}},
		{"required indirectly only", imports("bench/a_test.go", "example.org/a"), nil, []requirement{{"example.org/a", "v1.0.0", true}},
			[]string{"bench imports example.org/a"}},
		{"another module with the same start", imports("host/a.go", "example.org/ab"), a, nil,
			[]string{"host imports example.org/ab", "requires example.org/a, which nothing"}},
		{"the main module from a nested one", imports("bench/a.go", atModule+"host"), nil, nil, nil},
		{"a nested module from the main one", imports("host/a.go", atModule+"bench"), nil, nil,
			[]string{"host imports " + atModule + "bench, which ./go.mod does not require"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			main.requires, nested.requires = c.main, c.nested
			expect(t, checkRequires(withModules(t, c.files, nested, main)), c.want)
		})
	}
}

func TestDependencyPageRefuses(t *testing.T) {
	m := module{path: "m", dir: "tools", tools: []string{"example.org/tool/cmd/x"}, requires: []requirement{
		{"example.org/a", "v1.0.0", false}, {"example.org/b", "v1.0.0", true}, {"example.org/tool", "v1.0.0", true},
	}}
	const a, tool = "| `example.org/a` | `tools` | MIT | why |\n", "| `example.org/tool` | `tools` | MIT | why |\n"
	for _, c := range []struct {
		name, page string
		want       []string
	}{
		{"complete", a + tool + "| `@scope/name` | npm | MIT | why |\n", nil},
		{"missing", a, []string{"example.org/tool has no line for `tools`"}},
		{"one too many", a + tool + "| `example.org/b` | `tools` | MIT | why |\n", []string{"example.org/b is listed, but tools does not ask for it"}},
		{"for another module", tool + "| `example.org/a` | `.` | MIT | why |\n", []string{"example.org/a is listed, but . does not", "example.org/a has no line for `tools`"}},
		{"no reason", tool + "| `example.org/a` | `tools` | MIT | |\n", []string{"without a reason"}},
		{"a licence we do not take", tool + "| `example.org/a` | `tools` | GPL-3.0 | why |\n", []string{"has the licence GPL-3.0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, checkDependencyPage(withModules(t, map[string]string{dependenciesPage: c.page}, m)), c.want)
		})
	}
	t.Run("no page", func(t *testing.T) {
		expect(t, checkDependencyPage(withModules(t, nil, m)), []string{dependenciesPage})
	})
}

func TestLicencesRefuse(t *testing.T) {
	m := module{path: "m", dir: ".", requires: []requirement{{"example.org/a", "v1.0.0", false}}}
	h := withModules(t, map[string]string{dependenciesPage: "| `example.org/a` | `.` | MIT | why |\n"}, m)
	reads := func(text string, err error) []finding {
		return checkLicences(h, func(requirement) (string, error) { return text, err })
	}
	expect(t, reads("Permission is hereby\n granted, free of charge", nil), nil)
	expect(t, reads("GNU GENERAL PUBLIC LICENSE", nil), []string{"is listed under MIT, its own file reads like GPL"})
	expect(t, reads("All rights reserved.", nil), []string{"reads like unknown"})
	expect(t, reads("", fs.ErrNotExist), []string{"has no licence to read"})
}

func TestOwnLicenceRefuses(t *testing.T) {
	prove(t, checkOwnLicence,
		proof{"none", map[string]string{"a.txt": ""}, []string{"is not the text of Apache-2.0"}},
		proof{"another", map[string]string{"LICENSE": "MIT License"}, []string{"is not the text of Apache-2.0"}},
	)
}
