//go:build !race

package conformance

// usualCases of the random test, in CI as anywhere.
const usualCases = 2000

// goldenStride: all committed cases are played.
const goldenStride = 1
