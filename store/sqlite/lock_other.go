//go:build !unix && !windows

package sqlite

import "os"

// fileLock cannot be had here.
type fileLock struct{}

func takeLock(string) (*fileLock, error) {
	return nil, refuse(CodeUnavailable, nil, "use Linux, macOS or Windows", "Detent knows no lock of files on this system, so it cannot own a store")
}

func (*fileLock) release() error { return nil }

func singular(os.FileInfo, string) error { return nil }

func syncDirectory(string) error { return nil }
