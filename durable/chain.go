package durable

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/detent-run/detent/host"
)

// chained returns the hash of a row: over the hash of the one before, which is
// empty for the first, and the row's canonical JSON.
func chained(before string, body []byte) string {
	h := sha256.New()
	h.Write([]byte(before))
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// digest is a short hash for comparing what must be equal.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte{byte(len(p) >> 24), byte(len(p) >> 16), byte(len(p) >> 8), byte(len(p))})
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// digestOf is the digest of a value's canonical JSON.
func digestOf(v any) string {
	b, err := host.Encode(v)
	if err != nil {
		return digest("unreadable", err.Error())
	}
	return digest(string(b))
}
