//go:build !invariants

package statechart

// invariants: see the other file.
const invariants = false
