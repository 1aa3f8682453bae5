// Package code runs small programs in Starlark, a language of the Python
// family without input, output, clock or randomness.
//
// A program runs in a child process of this one, see [Main], with a bound on
// its steps, its memory and its time, so one that loops for ever or wants a
// terabyte ends as a failure with a code and harms nobody. It sees its input
// under that name, frozen, and the modules json and math. It can load nothing.
package code
