//go:build race

package code_test

// raced: the race detector keeps memory of its own beside the program's, and
// a child that meets its bound there breaks instead of saying so.
const raced = true
