package crash

import (
	"fmt"
	"maps"
	"math/rand/v2"
)

// fate is what becomes of what was written and not synced.
type fate string

const (
	dropped fate = "dropped"
	kept    fate = "kept"
	torn    fate = "torn" // each sector of 512 bytes, each name: kept or not
)

const sector = 512

// contents is a file: what is surely on the disk, and what may be.
type contents struct {
	synced   []byte
	unsynced []numbered
}

type numbered struct {
	n int
	op
}

// disk is a folder as the recorded calls make it.
type disk struct {
	n      int
	names  map[string]*contents // now
	surely map[string]*contents // at the last sync of the folder
	acks   map[string]int64
	tool   []byte
}

func newDisk() *disk {
	return &disk{names: map[string]*contents{}, surely: map[string]*contents{}, acks: map[string]int64{}}
}

// apply does the next recorded call.
func (d *disk) apply(o op) error {
	n := d.n
	d.n++
	switch o.kind {
	case opAck:
		var session, id string
		var sequence int64
		if _, err := fmt.Sscanf(string(o.data), "ack %s %s %d\n", &session, &id, &sequence); err != nil {
			return fmt.Errorf("%q: %w", o.data, err)
		}
		d.acks[session+"/"+id] = sequence
	case opTool:
		d.tool = append(d.tool, o.data...)
	case opLink:
		d.names[o.to] = d.names[o.file]
	case opRename:
		d.names[o.to] = d.names[o.file]
		delete(d.names, o.file)
	case opUnlink:
		delete(d.names, o.file)
	case opSync:
		d.sync(o)
	default:
		f := d.names[o.file]
		if f == nil {
			f = &contents{}
			d.names[o.file] = f
		}
		f.unsynced = append(f.unsynced, numbered{n, o})
	}
	return nil
}

// sync makes durable what was written before it began.
func (d *disk) sync(o op) {
	if o.file == "." {
		d.surely = maps.Clone(d.names)
		return
	}
	f := d.names[o.file]
	if f == nil {
		return
	}
	rest := f.unsynced[:0:0]
	for _, w := range f.unsynced {
		if w.n < o.began {
			f.synced = w.onto(f.synced, func(int64) bool { return true })
		} else {
			rest = append(rest, w)
		}
	}
	f.unsynced = rest
}

// onto returns b after the call, as far as its sectors are kept.
func (o op) onto(b []byte, kept func(sector int64) bool) []byte {
	if o.kind == opTruncate {
		if !kept(0) {
			return b
		}
		return resized(b, o.at)
	}
	for at := o.at; at < o.at+int64(len(o.data)); {
		end := min((at/sector+1)*sector, o.at+int64(len(o.data)))
		if kept(at / sector) {
			if int64(len(b)) < end {
				b = resized(b, end)
			}
			copy(b[at:end], o.data[at-o.at:end-o.at])
		}
		at = end
	}
	return b
}

// resized never writes into what b shares.
func resized(b []byte, size int64) []byte {
	if size <= int64(len(b)) {
		return b[:size:size]
	}
	return append(b[:len(b):len(b)], make([]byte, size-int64(len(b)))...)
}

// cut is what the files hold when the power goes now.
func (d *disk) cut(f fate, r *rand.Rand) map[string][]byte {
	names := d.names
	if f == dropped || f == torn && r.IntN(2) == 0 {
		names = d.surely
	}
	out := map[string][]byte{}
	for _, name := range []string{"store.db", "store.db-wal"} {
		c := names[name]
		if c == nil {
			continue
		}
		b := append([]byte(nil), c.synced...)
		for _, w := range c.unsynced {
			whole, lost := r.IntN(3) == 0, r.IntN(3) == 0
			b = w.onto(b, func(int64) bool {
				switch {
				case f != torn:
					return f == kept
				case whole || lost:
					return whole
				}
				return r.IntN(2) == 0
			})
		}
		out[name] = b
	}
	out["tool"] = append([]byte(nil), d.tool...)
	return out
}
