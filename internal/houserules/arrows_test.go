package houserules

import (
	"testing"
	"testing/fstest"
)

const atModule = "github.com/detent-run/detent/"

func TestArrows(t *testing.T) { obey(t, "arrows", checkArrows) }

func TestArrowsRefuse(t *testing.T) {
	prove(t, checkArrows,
		proof{"granted", map[string]string{
			"host/a.go": "package host\nimport _ \"" + atModule + "statechart\"",
		}, nil},
		proof{"not granted", map[string]string{
			"host/a.go": "package host\nimport _ \"" + atModule + "durable\"",
		}, []string{"host/a.go:2: host imports durable"}},
		proof{"core imports ours", map[string]string{
			"statechart/a.go": "package statechart\nimport _ \"" + atModule + "host\"",
		}, []string{"statechart imports host"}},
		proof{"behind a build tag", map[string]string{
			"host/a.go": "//go:build invariants\n\npackage host\nimport _ \"" + atModule + "durable\"",
		}, []string{"host imports durable"}},
		proof{"a test may", map[string]string{
			"statechart/a_test.go": "package statechart_test\nimport _ \"" + atModule + "internal/world\"",
		}, nil},
		proof{"all but", map[string]string{
			"charttest/a.go": "package charttest\nimport _ \"" + atModule + "durable\"\nimport _ \"" + atModule + "server\"",
		}, []string{"charttest imports server"}},
		proof{"a package nobody planned", map[string]string{
			"util/a.go": "package util",
		}, []string{"util has no row"}},
		proof{"a part nobody planned", map[string]string{
			"agent/gemini/a.go": "package gemini",
		}, []string{"agent/gemini has no row"}},
		proof{"under a pattern", map[string]string{
			"examples/door/a.go": "package main\nimport _ \"" + atModule + "examples/shared\"",
		}, nil},
	)
}

func TestNevers(t *testing.T) { obey(t, "nevers", checkNevers) }

func TestNeversRefuse(t *testing.T) {
	prove(t, checkNevers,
		proof{"through another package", map[string]string{
			"agent/a.go":    "package agent\nimport _ \"" + atModule + "workflow\"",
			"workflow/a.go": "package workflow\nimport _ \"" + atModule + "durable\"",
		}, []string{"agent must never reach durable (agent → workflow → durable)"}},
		proof{"store to store", map[string]string{
			"store/sqlite/a.go": "package sqlite\nimport _ \"" + atModule + "store/memory\"",
		}, []string{"store/sqlite must never reach store/memory"}},
		proof{"a store's own part", map[string]string{
			"store/sqlite/a.go": "package sqlite\nimport _ \"" + atModule + "store/sqlite/migrations\"",
		}, nil},
		proof{"engine to store", map[string]string{
			"durable/a.go": "package durable\nimport _ \"" + atModule + "store/memory\"",
		}, []string{"durable must never reach store/memory"}},
		proof{"library to commands", map[string]string{
			"server/a.go": "package server\nimport _ \"" + atModule + "internal/cli\"",
		}, []string{"server must never reach internal/cli"}},
		proof{"main to commands", map[string]string{
			"cmd/detent/a.go": "package main\nimport _ \"" + atModule + "internal/cli\"",
		}, nil},
	)
}

func TestRows(t *testing.T) { expect(t, checkRows(rows), nil) }

func TestRowsRefuse(t *testing.T) {
	expect(t, checkRows([]row{
		{pkg: "agent", may: []string{"durable", "nowhere"}},
		{pkg: "durable"},
	}), []string{"agent may import durable, an arrow that must never", "agent may import nowhere, which has no row"})
}

func TestTestLibraries(t *testing.T) { obey(t, "test libraries", checkTestLibraries) }

func TestTestLibrariesRefuse(t *testing.T) {
	prove(t, checkTestLibraries,
		proof{"testing", map[string]string{
			"host/a.go": "package host\nimport \"testing\"",
		}, []string{"host/a.go:2: host imports the test library testing"}},
		proof{"a part of testing", map[string]string{
			"host/a.go": "package host\nimport \"testing/fstest\"",
		}, []string{"testing/fstest"}},
		proof{"ours", map[string]string{
			"internal/cli/a.go": "package cli\nimport _ \"" + atModule + "charttest\"",
		}, []string{"internal/cli imports the test library " + atModule + "charttest"}},
		proof{"another's", map[string]string{
			"durable/a.go": "package durable\nimport \"pgregory.net/rapid\"",
		}, []string{"pgregory.net/rapid"}},
		proof{"in tests and test libraries", map[string]string{
			"host/a_test.go": "package host\nimport \"testing\"",
			"charttest/a.go": "package charttest\nimport \"testing\"",
			"bench/main.go":  "package main\nimport \"testing\"",
		}, nil},
	)
}

// TestLoad reads a real folder, so that what the other tests are fed by hand
// is also what git, go.work and go.mod give.
func TestLoad(t *testing.T) {
	root := t.TempDir()
	write(t, root, fstest.MapFS{
		"go.work":            {Data: []byte("go 1.26.0\n\nuse (\n\t.\n\t./bench\n)\n")},
		"go.mod":             {Data: []byte("module " + mainPath + "\n\ngo 1.26.0\n\nrequire example.org/a v1.0.0 // indirect\n")},
		"host/a.go":          {Data: []byte("package host\n")},
		"host/testdata/b.go": {Data: []byte("package broken(\n")},
		"bench/go.mod":       {Data: []byte("module " + atModule + "bench\n\ngo 1.26.0\n\nreplace " + mainPath + " => ../\n")},
		"bench/run/a.go":     {Data: []byte("package run\n")},
		".gitignore":         {Data: []byte("*.log\n")},
		"noise.log":          {Data: []byte("noise\n")},
	})
	if _, err := run(root, "git", "init", "-q"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "") // found from the folder, whatever the caller has set
	h, err := load(root)
	if err != nil {
		t.Fatal(err)
	}
	var packages []string
	for _, p := range h.packages {
		packages = append(packages, p.path+" of "+p.module)
	}
	same(t, packages, []string{"bench/run of bench", "host of ."})
	same(t, h.modules[0].requires, []requirement{{"example.org/a", "v1.0.0", true}})
	same(t, h.modules[1].replaces, []string{mainPath})
	same(t, h.files, []string{".gitignore", "bench/go.mod", "bench/run/a.go", "go.mod", "go.work", "host/a.go", "host/testdata/b.go"})
}
