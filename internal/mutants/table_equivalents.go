package main

// equivalents change what nobody can see. They are listed so that nobody
// looks for a test; the tests run all the same and must pass.
var equivalents []mutant
