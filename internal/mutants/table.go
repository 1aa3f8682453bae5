package main

import (
	"path"
	"slices"
)

// mutant is one deliberate bug and the tests that must notice it.
type mutant struct {
	// name is short and unique: the rule and what goes wrong
	// ("R3 last transition wins").
	name string

	// file is the file to change, from the root of the checkout.
	file string

	// before must occur in the file exactly once; after takes its place.
	// Take in as much of the surroundings as that needs.
	before, after string

	// packages are what go test is given, from the root of the checkout
	// ("./statechart"); run is its -run pattern, empty for all tests; args
	// are for the tests themselves.
	packages []string
	run      string
	args     []string

	// equivalent, when not empty, says why no test can notice: the changed
	// program does the same. The tests are still run and must pass.
	equivalent string
}

// table is every mutant of the project, by what it breaks.
var table = slices.Concat(
	holes, selection, events, macrosteps, microsteps, entries, scopes, completion,
	outside, bounds, forms, snapshots, compiling, readers, schemas, documents, documentFiles, configurations, sandboxed, worlds, files, expressions, equivalents,
)

// differential is the test that knows every rule and says least of what is
// wrong: it is for mistakes that no rule's own test looks for.
const differential = "^TestDifferential$"

// few is how many charts the differential plays for one mutant: enough for
// each of those that rely on it, with a fixed seed.
const few = "-charts=400"

// of gives mutants of one file that file, and the tests beside it.
func of(file string, mutants ...mutant) []mutant {
	for i := range mutants {
		m := &mutants[i]
		m.file, m.packages = file, []string{"./" + path.Dir(file)}
		if m.run == differential {
			m.args = []string{few}
		}
	}
	return mutants
}
