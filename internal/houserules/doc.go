// Package houserules holds the rules of this repository as ordinary tests, so
// that a broken rule reads like any other failing test.
//
// Each rule is one small file with a check, a function from the house (all
// modules, packages and files of the checkout) to findings. Beside it stands a
// test that runs the check on the house itself and then proves it on tiny
// samples that break the rule. What a rule lets through by name (a package, an
// import, an exception) is data in a table with the reason in the row; a row
// that nothing needs any more is a finding too.
//
// The package uses the standard library, the go command and git only, and
// nothing imports it.
package houserules
