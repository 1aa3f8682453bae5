package durable

import (
	"crypto/sha256"
	"encoding/binary"
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
	var b []byte
	for _, p := range parts {
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(p))), p...)
	}
	return digestOver(b)
}

// digestOver is the digest of parts that stand in b, each behind its length in
// four bytes.
func digestOver(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:16])
}

// digestOf is the digest of a value's canonical JSON.
func digestOf(v any) string {
	b, err := host.Encode(v)
	if err != nil {
		return digest("unreadable", err.Error())
	}
	return digest(string(b))
}
