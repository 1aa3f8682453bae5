package npm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// maxTotal bounds the content of a tarball, so that a small one cannot fill
// the disk.
const maxTotal = 64 << 20

// read returns the files of an npm tarball by slash-separated name, without
// the folder that all of them lie in. Anything that is no plain file or
// folder, or whose name leads elsewhere, makes it fail.
func read(tarball []byte) (map[string][]byte, error) {
	zipped, err := gzip.NewReader(bytes.NewReader(tarball))
	if err != nil {
		return nil, err
	}
	archive := tar.NewReader(io.LimitReader(zipped, maxTotal))
	files := map[string][]byte{}
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if header.Typeflag == tar.TypeDir {
			continue
		}
		if header.Typeflag != tar.TypeReg {
			return nil, fmt.Errorf("%q is neither file nor folder", header.Name)
		}
		if !safe(header.Name) {
			return nil, fmt.Errorf("the name %q leads out of the package", header.Name)
		}
		_, name, _ := strings.Cut(header.Name, "/")
		if files[name], err = io.ReadAll(archive); err != nil {
			return nil, fmt.Errorf("%s: %w", header.Name, err)
		}
	}
}

// safe reports whether a name in an archive stays inside it on every system.
func safe(name string) bool {
	return filepath.IsLocal(filepath.FromSlash(name)) && path.Clean(name) == name &&
		strings.Contains(name, "/") && !strings.ContainsAny(name, `\:`)
}

// unpack makes folder hold exactly files. A folder that does so already is
// left alone; any other is replaced in one rename, so that tests which run at
// the same time never see half of it.
func unpack(files map[string][]byte, folder string) error {
	if intact(files, folder) {
		return nil
	}
	scratch, err := os.MkdirTemp(filepath.Dir(folder), "unpack-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if err := write(files, scratch); err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	err = os.Rename(scratch, folder)
	if err != nil && intact(files, folder) {
		return nil // another process was quicker
	}
	return err
}

// write puts files below folder. os.Root refuses names and links that lead
// out of it, whatever read let pass.
func write(files map[string][]byte, folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	for name, data := range files {
		if dir := path.Dir(name); dir != "." {
			if err := root.MkdirAll(dir, 0o755); err != nil {
				return err
			}
		}
		if err := root.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// intact reports whether folder holds exactly files.
func intact(files map[string][]byte, folder string) bool {
	count := 0
	err := filepath.WalkDir(folder, func(p string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, p)
		if err != nil {
			return err
		}
		want, known := files[filepath.ToSlash(name)]
		got, err := os.ReadFile(p)
		if err != nil || !known || !bytes.Equal(got, want) {
			return errors.New("differs")
		}
		count++
		return nil
	})
	return err == nil && count == len(files)
}
