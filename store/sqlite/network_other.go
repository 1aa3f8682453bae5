//go:build !linux && !darwin && !windows

package sqlite

// local cannot tell on this system, and lets everything pass.
func local(string) error { return nil }
