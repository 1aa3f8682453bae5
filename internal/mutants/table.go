package main

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
	// ("./statechart"); run is its -run pattern, empty for all tests.
	packages []string
	run      string

	// equivalent, when not empty, says why no test can notice: the changed
	// program does the same. The tests are still run and must pass.
	equivalent string
}

// table is every mutant of the project.
var table = []mutant{}
