//go:build !linux && !darwin

package sqlite_test

// breakDisk needs limits that this system does not have.
func breakDisk(string) string { return "" }
