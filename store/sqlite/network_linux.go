package sqlite

import "golang.org/x/sys/unix"

// networks are the file systems whose locks or shared memory do not reach the
// other machines, by the number that the kernel gives them.
var networks = map[uint32]string{
	unix.NFS_SUPER_MAGIC:  "NFS",
	unix.SMB_SUPER_MAGIC:  "SMB",
	unix.SMB2_SUPER_MAGIC: "SMB",
	unix.CIFS_SUPER_MAGIC: "CIFS",
	unix.AFS_FS_MAGIC:     "AFS",
	unix.AFS_SUPER_MAGIC:  "AFS",
	unix.CODA_SUPER_MAGIC: "Coda",
	unix.CEPH_SUPER_MAGIC: "Ceph",
	unix.V9FS_MAGIC:       "9P",
	0x0bd00bd0:            "Lustre",
	0x01161970:            "GFS2",
	0x7461636f:            "OCFS2",
	0x47504653:            "GPFS",
	0x19830326:            "BeeGFS",
	0x564c:                "NCP",
}

// local refuses a directory on a network file system.
func local(dir string) error {
	var at unix.Statfs_t
	if err := unix.Statfs(dir, &at); err != nil {
		return nil // what cannot be asked is not refused
	}
	return localType(dir, uint32(at.Type))
}

func localType(dir string, kind uint32) error {
	if name, ok := networks[kind]; ok {
		return onNetwork(dir, name)
	}
	return nil
}
