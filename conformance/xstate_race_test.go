//go:build race

package conformance

// usualCases of the random test: few where each takes ten times as long.
const usualCases = 200
