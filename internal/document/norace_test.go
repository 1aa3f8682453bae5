//go:build !race

package document_test

// bound is how many bytes one document may take, all in all.
const bound = 256 * mib
