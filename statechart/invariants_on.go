//go:build invariants

package statechart

// invariants makes each microstep check that it leads to a legal
// configuration (R2), and panic otherwise. Tests run with the tag.
const invariants = true
