//go:build race

package conformance

// usualCases of the random test: few where each takes ten times as long.
const usualCases = 200

// goldenStride leaves out all but every tenth of the committed cases.
const goldenStride = 10
