package sqlite

import (
	"encoding/binary"
	"strings"

	"github.com/detent-run/detent/durable"
)

// separator stands around every entry of a column that holds several texts, so
// that an entry is found by what stands between two.
const separator = "\x1f"

var escape = strings.NewReplacer("\x1e", "\x1e0", separator, "\x1e1")

var unescape = strings.NewReplacer("\x1e0", "\x1e", "\x1e1", separator)

func escaped(s string) string {
	if strings.ContainsAny(s, "\x1e\x1f") {
		return escape.Replace(s)
	}
	return s
}

// joined is the column of a list: "" for an empty one.
func joined(list []string) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(separator)
	for _, s := range list {
		b.WriteString(escaped(s))
		b.WriteString(separator)
	}
	return b.String()
}

// split takes a column apart; false if it is none.
func split(column string) (list []string, ok bool) {
	if column == "" {
		return nil, true
	}
	if len(column) < 2 || column[:1] != separator || column[len(column)-1:] != separator {
		return nil, false
	}
	list = strings.Split(column[1:len(column)-1], separator)
	for i, s := range list {
		list[i] = unescape.Replace(s)
	}
	return list, true
}

// headVersion numbers the layout of the head's blob.
const headVersion = 1

// packHead writes what of a head has no column of its own.
func packHead(h *durable.Head) []byte {
	b := make([]byte, 0, 128+len(h.Reason)+len(h.ParentKey))
	flags := uint64(0)
	if h.Ready {
		flags |= 1
	}
	if h.Reason != nil {
		flags |= 2
	}
	b = append(b, headVersion)
	b = binary.AppendUvarint(b, flags)
	b = binary.AppendUvarint(b, h.Sequence)
	for _, n := range []int64{int64(h.Format), int64(h.Priority), int64(h.Depth), h.Created, h.Since} {
		b = binary.AppendVarint(b, n)
	}
	for _, s := range []string{h.Hash, h.ParentKey, string(h.Reason)} {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	return b
}

// packed reads what packHead wrote; bad is set by the first thing that cannot
// be.
type packed struct {
	rest []byte
	bad  bool
}

func (p *packed) unsigned() uint64 {
	n, width := binary.Uvarint(p.rest)
	return n * p.take(width)
}

func (p *packed) signed() int64 {
	n, width := binary.Varint(p.rest)
	return n * int64(p.take(width))
}

// take moves on by the width of a number; 0 if there was none.
func (p *packed) take(width int) uint64 {
	if width <= 0 {
		p.bad, p.rest = true, nil
		return 0
	}
	p.rest = p.rest[width:]
	return 1
}

func (p *packed) bytes() []byte {
	n := p.unsigned()
	if p.bad || n > uint64(len(p.rest)) {
		p.bad, p.rest = true, nil
		return nil
	}
	b := p.rest[:n:n]
	p.rest = p.rest[n:]
	return b
}

// unpackHead reads the blob into h and reports whether it could be read.
func unpackHead(b []byte, h *durable.Head) bool {
	if len(b) == 0 || b[0] != headVersion {
		return false
	}
	p := packed{rest: b[1:]}
	flags := p.unsigned()
	h.Ready = flags&1 != 0
	h.Sequence = p.unsigned()
	h.Format, h.Priority, h.Depth = int(p.signed()), int(p.signed()), int(p.signed())
	h.Created, h.Since = p.signed(), p.signed()
	h.Hash, h.ParentKey = string(p.bytes()), string(p.bytes())
	if reason := p.bytes(); flags&2 != 0 {
		h.Reason = append([]byte{}, reason...)
	}
	return !p.bad && len(p.rest) == 0
}
