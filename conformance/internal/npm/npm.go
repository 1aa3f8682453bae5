// Package npm fetches one package of the npm registry by the npm client,
// pinned to the integrity of its tarball, and keeps it unpacked in a folder.
package npm

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Package names one version of one package.
type Package struct {
	Name    string
	Version string
	// Integrity is "sha512-" and the base64 hash of the tarball.
	Integrity string
}

// ErrUnavailable is wrapped by the errors of Fetch which say that the
// package cannot be had here and now: there is no npm client or no registry.
// A tarball of another integrity is not among them.
var ErrUnavailable = errors.New("not available")

// Fetch returns the package's files. They are kept below cache: the tarball,
// whose integrity is verified at each call, and a folder with its content,
// which is unpacked again when anything in it differs.
func (p Package) Fetch(ctx context.Context, cache string) (fs.FS, error) {
	cache, err := filepath.Abs(cache)
	if err != nil {
		return nil, err
	}
	tarball := filepath.Join(cache, p.file()+".tgz")
	data, err := os.ReadFile(tarball)
	if err != nil || p.verify(data) != nil {
		if data, err = p.download(ctx, cache); err != nil {
			return nil, err
		}
		if err := os.WriteFile(tarball, data, 0o644); err != nil {
			return nil, err
		}
	}
	files, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("tarball of %s: %w", p, err)
	}
	folder := filepath.Join(cache, p.file())
	if err := unpack(files, folder); err != nil {
		return nil, fmt.Errorf("unpack %s: %w", p, err)
	}
	return os.DirFS(folder), nil
}

// String is the package as npm names it.
func (p Package) String() string { return p.Name + "@" + p.Version }

func (p Package) file() string {
	return strings.NewReplacer("@", "", "/", "-").Replace(p.Name) + "-" + p.Version
}

// verify compares a tarball with the pinned integrity.
func (p Package) verify(data []byte) error {
	sum := sha512.Sum512(data)
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum[:]); got != p.Integrity {
		return fmt.Errorf("%s has integrity %s, pinned is %s", p, got, p.Integrity)
	}
	return nil
}

// download packs the tarball by the npm client and verifies it.
func (p Package) download(ctx context.Context, cache string) ([]byte, error) {
	client, err := exec.LookPath("npm")
	if err != nil {
		return nil, fmt.Errorf("%s is %w: there is no npm client on the path", p, ErrUnavailable)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp(cache, "pack-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	var complaint bytes.Buffer
	pack := exec.CommandContext(ctx, client, "pack", p.String(), "--pack-destination", scratch, "--loglevel", "error")
	pack.Dir, pack.Stderr = scratch, &complaint
	if err := pack.Run(); err != nil {
		return nil, fmt.Errorf("%s is %w: npm pack: %v: %s", p, ErrUnavailable, err, oneLine(complaint.String()))
	}
	found, err := filepath.Glob(filepath.Join(scratch, "*.tgz"))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("npm pack %s left %d tarballs", p, len(found))
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		return nil, err
	}
	return data, p.verify(data)
}

// oneLine shortens what the client says to a part of an error's text.
func oneLine(s string) string {
	const enough = 300
	s = strings.Join(strings.Fields(s), " ")
	return s[:min(len(s), enough)]
}
