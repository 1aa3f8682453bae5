package statechart

import "math/bits"

// set is a set of state numbers, 64 to the word. All sets of one chart have
// the same length.
type set []uint64

func newSet(states int) set { return make(set, (states+63)/64) }

func (s set) has(i int32) bool { return s[uint32(i)/64]>>(uint32(i)%64)&1 == 1 }
func (s set) add(i int32)      { s[uint32(i)/64] |= 1 << (uint32(i) % 64) }
func (s set) remove(i int32)   { s[uint32(i)/64] &^= 1 << (uint32(i) % 64) }
func (s set) clear()           { clear(s) }

// next returns the first member that is i or above, or -1.
func (s set) next(i int32) int32 {
	w := int(uint32(i) / 64)
	if w >= len(s) {
		return -1
	}
	x := s[w] >> (uint32(i) % 64) << (uint32(i) % 64)
	for x == 0 {
		if w++; w == len(s) {
			return -1
		}
		x = s[w]
	}
	return int32(w*64 + bits.TrailingZeros64(x))
}

// previous returns the last member that is i or below, or -1.
func (s set) previous(i int32) int32 {
	if i < 0 {
		return -1
	}
	w := int(uint32(i) / 64)
	shift := 63 - uint32(i)%64
	x := s[w] << shift >> shift
	for x == 0 {
		if w--; w < 0 {
			return -1
		}
		x = s[w]
	}
	return int32(w*64 + 63 - bits.LeadingZeros64(x))
}

// any reports whether a member lies in from..to, both included.
func (s set) any(from, to int32) bool {
	n := s.next(from)
	return n >= 0 && n <= to
}
