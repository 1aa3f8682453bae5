// Package sqlite keeps sessions in one SQLite file, the default store of
// Detent. The driver is pure Go.
//
// One process owns a file at a time: [Store.Acquire] takes a lock that the
// operating system releases when the process dies, whatever the way. Others
// may open the same file, read everything, and leave requests for the owner.
//
// The file is written in WAL mode with synchronous=FULL: a commit that
// returned survives a power cut. Only the owner moves the log into the file,
// and only after commits, so an idle store writes nothing.
package sqlite
