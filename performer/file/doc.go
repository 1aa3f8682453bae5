// Package file makes outside calls to files below one directory.
//
// Every path goes through [os.Root], so that neither "..", nor a link, nor one
// that is swapped in meanwhile leads out. Only regular files are read: no
// device, and no pipe that would wait for ever. A write appears whole or not
// at all, and under the same key it can be done again.
package file
