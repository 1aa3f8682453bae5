package sqlite

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// local refuses a directory on a network share.
func local(dir string) error {
	volume := filepath.VolumeName(dir)
	if strings.HasPrefix(volume, `\\`) && !strings.HasPrefix(volume, `\\?\`) && !strings.HasPrefix(volume, `\\.\`) {
		return onNetwork(dir, "a share")
	}
	root, err := windows.UTF16PtrFromString(volume + `\`)
	if err == nil && windows.GetDriveType(root) == windows.DRIVE_REMOTE {
		return onNetwork(dir, "a share")
	}
	return nil
}
