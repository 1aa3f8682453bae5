//go:build race

package document_test

// bound is how many bytes one document may take, all in all. The race detector
// keeps much on the heap that is not there otherwise.
const bound = 2048 * mib
