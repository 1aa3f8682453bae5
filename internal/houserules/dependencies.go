package houserules

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

const dependenciesPage = "docs/dependencies.md"

// licences that a dependency may come under.
var licences = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}

// testLicences are those of modules that only tests may ask for: their line
// says so.
var testLicences = []string{"MPL-2.0"}

// dependencyLine matches a table row of the page that is about a Go module:
// its path, our module that asks for it, its licence, and why we have it.
var dependencyLine = regexp.MustCompile("(?m)^\\| *`([a-z0-9-]+(?:\\.[a-z0-9-]+)+(?:/[^`]+)?)` *\\| *`([^`]+)` *\\| *([^|]+?) *\\| *([^|]*?) *\\|$")

// dependency is one line of the page.
type dependency struct{ path, of, licence, why string }

// listed reads the page.
func listed(h *house) ([]dependency, error) {
	text, err := fs.ReadFile(h.tree, dependenciesPage)
	if err != nil {
		return nil, err
	}
	var all []dependency
	for _, m := range dependencyLine.FindAllStringSubmatch(string(text), -1) {
		all = append(all, dependency{m[1], m[2], m[3], m[4]})
	}
	return all, nil
}

// checkDependencyPage sees that the page has a line with a reason and a
// licence for every direct dependency of every module, and no line more.
func checkDependencyPage(h *house) []finding {
	page, err := listed(h)
	if err != nil {
		return []finding{{dependenciesPage, dependenciesPage, err.Error()}}
	}
	var found []finding
	complain := func(path, text string) { found = append(found, finding{path, dependenciesPage, text}) }
	for _, d := range page {
		if !asks(h, d) {
			complain(d.path, "is listed, but "+d.of+" does not ask for it")
		}
		if d.why == "" {
			complain(d.path, "is listed without a reason")
		}
		inTests := slices.Contains(testLicences, d.licence) && strings.HasSuffix(d.why, "in tests only")
		if !slices.Contains(licences, d.licence) && !inTests {
			complain(d.path, "has the licence "+d.licence+", which is not one of "+strings.Join(licences, ", "))
		}
	}
	for _, m := range h.modules {
		for _, r := range m.direct() {
			if !slices.ContainsFunc(page, func(d dependency) bool { return d.path == r.path && d.of == m.dir }) {
				complain(r.path, "has no line for `"+m.dir+"`")
			}
		}
	}
	return found
}

func asks(h *house, d dependency) bool {
	for _, m := range h.modules {
		if m.dir == d.of && slices.ContainsFunc(m.direct(), func(r requirement) bool { return r.path == d.path }) {
			return true
		}
	}
	return false
}

// checkLicences compares the licence on the page with the one in the module.
func checkLicences(h *house, text func(requirement) (string, error)) []finding {
	page, err := listed(h)
	if err != nil {
		return []finding{{dependenciesPage, dependenciesPage, err.Error()}}
	}
	var found []finding
	for _, m := range h.modules {
		for _, r := range m.direct() {
			licence, err := text(r)
			if err != nil {
				found = append(found, finding{r.path, m.dir + "/go.mod", "has no licence to read: " + err.Error()})
				continue
			}
			for _, d := range page {
				if d.path == r.path && d.licence != licenceName(licence) {
					found = append(found, finding{d.path, dependenciesPage, "is listed under " + d.licence + ", its own file reads like " + licenceName(licence)})
				}
			}
		}
	}
	return found
}

// licenceText reads the licence file of a module, fetching the module when it
// is not there yet.
func licenceText(r requirement) (string, error) {
	var got struct{ Dir string }
	if err := runJSON(".", &got, "go", "mod", "download", "-json", r.path+"@"+r.version); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(got.Dir)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		base := strings.ToLower(strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
		if base == "license" || base == "licence" || base == "copying" {
			text, err := os.ReadFile(path.Join(got.Dir, e.Name()))
			return string(text), err
		}
	}
	return "", fs.ErrNotExist
}

// licenceMarks are sentences that only one licence has, the narrower first.
var licenceMarks = []struct{ name, mark string }{
	{"Apache-2.0", "Apache License Version 2.0"},
	{"MPL-2.0", "Mozilla Public License"},
	{"GPL", "GENERAL PUBLIC LICENSE"},
	{"MIT", "Permission is hereby granted, free of charge"},
	{"ISC", "Permission to use, copy, modify, and"},
	{"BSD-3-Clause", "used to endorse or promote products"},
	{"BSD-2-Clause", "Redistribution and use in source and binary forms"},
}

// licenceName recognises a licence by its text; "unknown" if it cannot.
func licenceName(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for _, l := range licenceMarks {
		if strings.Contains(text, l.mark) {
			return l.name
		}
	}
	return "unknown"
}

// checkOwnLicence sees that the repository says what it comes under.
func checkOwnLicence(h *house) []finding {
	text, err := fs.ReadFile(h.tree, "LICENSE")
	if err != nil || licenceName(string(text)) != "Apache-2.0" {
		return []finding{{"LICENSE", "LICENSE", "is not the text of Apache-2.0"}}
	}
	return nil
}
