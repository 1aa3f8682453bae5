// Package cli is the command line of Detent: each command as a function over
// an [Env], which stands for the process around it. Nothing in here ends the
// process, reads a global stream or keeps state between calls, so that a test
// runs a whole command line in memory.
//
// Data goes to standard output, prose to standard error. What a command says
// with --json is a contract with a version, kept in docs/cli-json.md.
package cli
