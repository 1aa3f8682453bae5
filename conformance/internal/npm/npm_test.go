package npm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entry is one member of a tarball made for a test.
type entry struct {
	name string
	kind byte
	text string
}

func tarball(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for _, e := range entries {
		header := &tar.Header{Name: e.name, Typeflag: e.kind, Mode: 0o644, Size: int64(len(e.text))}
		if e.kind == tar.TypeSymlink {
			header.Linkname, header.Size = e.text, 0
		}
		if err := archive.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if e.kind == tar.TypeReg {
			if _, err := archive.Write([]byte(e.text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// cached puts a tarball where Fetch keeps it, so that no registry is asked.
func cached(t *testing.T, data []byte) (Package, string) {
	t.Helper()
	sum := sha512.Sum512(data)
	p := Package{Name: "@a/b", Version: "1.0.0", Integrity: "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
	cache := t.TempDir()
	if err := os.WriteFile(filepath.Join(cache, "a-b-1.0.0.tgz"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return p, cache
}

func TestFetchRepairsTheFolder(t *testing.T) {
	p, cache := cached(t, tarball(t, entry{"package/test/a.txt", tar.TypeReg, "alpha"}, entry{"package/b.txt", tar.TypeReg, "beta"}))
	damage := map[string]func(folder string) error{
		"nothing":     func(string) error { return nil },
		"a changed":   func(f string) error { return os.WriteFile(filepath.Join(f, "test", "a.txt"), []byte("alphA"), 0o644) },
		"a missing":   func(f string) error { return os.Remove(filepath.Join(f, "test", "a.txt")) },
		"one more":    func(f string) error { return os.WriteFile(filepath.Join(f, "c.txt"), nil, 0o644) },
		"all missing": os.RemoveAll,
	}
	for name, harm := range damage {
		t.Run(name, func(t *testing.T) {
			if _, err := p.Fetch(context.Background(), cache); err != nil {
				t.Fatal(err)
			}
			folder := filepath.Join(cache, "a-b-1.0.0")
			if err := harm(folder); err != nil {
				t.Fatal(err)
			}
			files, err := p.Fetch(context.Background(), cache)
			if err != nil {
				t.Fatal(err)
			}
			got, err := fs.ReadFile(files, "test/a.txt")
			if err != nil || string(got) != "alpha" {
				t.Errorf("test/a.txt is %q, %v", got, err)
			}
			if _, err := os.Stat(filepath.Join(folder, "c.txt")); err == nil {
				t.Error("c.txt is still there")
			}
		})
	}
}

func TestFetchRefusesAnotherIntegrity(t *testing.T) {
	p := Package{Name: "x", Version: "1", Integrity: "sha512-AAAA"}
	if err := p.verify([]byte("anything")); err == nil || !strings.Contains(err.Error(), "pinned is sha512-AAAA") {
		t.Errorf("got %v", err)
	}
}

func TestFetchRefusesNamesThatLeadOut(t *testing.T) {
	for _, bad := range []entry{
		{"package/../../evil", tar.TypeReg, "x"},
		{"../evil", tar.TypeReg, "x"},
		{"/etc/evil", tar.TypeReg, "x"},
		{`package/..\evil`, tar.TypeReg, "x"},
		{"package/c:evil", tar.TypeReg, "x"},
		{"package/link", tar.TypeSymlink, "/etc"},
	} {
		p, cache := cached(t, tarball(t, bad))
		if _, err := p.Fetch(context.Background(), cache); err == nil {
			t.Errorf("%s was unpacked", bad.name)
		}
		left, err := os.ReadDir(cache)
		if err != nil || len(left) != 1 {
			t.Errorf("%s left %v, %v", bad.name, left, err)
		}
	}
}
