// Package process makes outside calls to programs of this machine.
//
// A program is started by its arguments, never through a shell of ours. Its
// environment is empty but for what is configured, PATH and DETENT_KEY. It gets
// a process group of its own, and when the call ends, that ends: what the
// program left in it is killed.
//
// What leaves the group (by setsid) is not found. On systems that are no Unix
// there are no groups: there only the program itself is killed. When this
// process is killed, a program that runs goes on to its own end.
package process
