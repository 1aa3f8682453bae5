package durable

// ids tells, without a read, that a session has not seen an event's id. It may
// err in one way only: an id that it takes for a known one is looked up in the
// store. It is a Bloom filter of parts, each twice as large as the one before.
type ids struct {
	parts [][]uint64
	left  int // how many ids the last part still has room for
	// whole: every id of the session is in here. Otherwise looks counts what
	// was asked since the session was read, and none can be told.
	whole bool
	looks int
}

const (
	// idsFirst and idsLast are the sizes of the first and the last part, in
	// words; past the last, more and more ids are looked up. A session of
	// 30 events costs 64 bytes, one of 15,000 and more 32 KiB.
	idsFirst, idsLast = 8, 2048
	// idsBits is how many bits of a part are for each id: of new ids one in
	// 400 is looked up all the same, for each part that is full.
	idsBits = 16
	// idsPatience is how many ids are looked up one by one after a session was
	// read, before all of them are, and idsMost how many these may be.
	idsPatience, idsMost = 4, 1000
)

// add notes an id.
func (f *ids) add(id string) {
	if f.left == 0 {
		switch n := len(f.parts); {
		case n == 0:
			f.grow(idsFirst)
		case len(f.parts[n-1]) < idsLast:
			f.grow(2 * len(f.parts[n-1]))
		}
	}
	f.left = max(f.left-1, 0)
	part := f.parts[len(f.parts)-1]
	at, step := idHash(id)
	for range 4 {
		at += step
		bit := at % uint64(64*len(part))
		part[bit/64] |= 1 << (bit % 64)
	}
}

func (f *ids) grow(words int) {
	f.parts = append(f.parts, make([]uint64, words))
	f.left = 64 * words / idsBits
}

// fresh reports that the session has certainly not seen the id.
func (f *ids) fresh(id string) bool {
	if !f.whole {
		return false
	}
	first, step := idHash(id)
	for _, part := range f.parts {
		at, seen := first, true
		for range 4 {
			at += step
			bit := at % uint64(64*len(part))
			seen = seen && part[bit/64]&(1<<(bit%64)) != 0
		}
		if seen {
			return false
		}
	}
	return true
}

// idHash gives two numbers that depend on every byte and on nothing else, so
// that a run under a seed can be played again: FNV-1a, mixed once more.
func idHash(id string) (at, step uint64) {
	at = 14695981039346656037
	for i := range len(id) {
		at = (at ^ uint64(id[i])) * 1099511628211
	}
	step = (at ^ at>>32) * 0x9e3779b97f4a7c15
	return at, step ^ step>>29 | 1
}

// seenBefore returns the record of an event's id, nil if there is none.
func (t *turn) seenBefore(id string) ([]byte, error) {
	f := &t.s.ids
	if !f.whole {
		if f.looks++; f.looks > idsPatience {
			if err := t.readIDs(); err != nil {
				return nil, err
			}
		}
	}
	if f.fresh(id) {
		return nil, nil
	}
	return t.record(SpaceDedupe, id)
}

// readIDs notes all ids of the session, unless they are too many.
func (t *turn) readIDs() error {
	f := &t.s.ids
	f.looks = -1 << 30 // not again before the session is read again
	list, err := t.e.store.Records(t.e.context, RecordQuery{Namespace: SpaceDedupe, Session: t.s.id, Limit: idsMost})
	if err != nil || len(list) == idsMost {
		return err
	}
	for _, r := range list {
		f.add(r.Key)
	}
	for _, r := range t.own.Records { // of this turn, not stored yet
		if r.Namespace == SpaceDedupe {
			f.add(r.Key)
		}
	}
	f.whole = true
	return nil
}
