// Package process makes outside calls to programs of this machine.
//
// A program is started by its arguments, never through a shell of ours. Its
// environment is empty but for what is configured, PATH and DETENT_KEY. It gets
// a process group of its own, and when the call ends, that ends: what the
// program left in it is killed.
//
// What leaves the group (by setsid) is not found. When this process is killed,
// a program that runs goes on to its own end. On Windows the group is a job:
// nothing leaves it, a program is ended without being asked, and it ends with
// this process. Where there is neither, no program is started.
package process
