package memory

import (
	"iter"
	"slices"
	"sort"
)

// blockSize bounds what one insertion moves.
const blockSize = 512

// ordered is a sorted set: blocks of sorted values, one after the other. With
// a million values an insertion moves a few hundred.
type ordered[T any] struct {
	compare func(a, b T) int
	blocks  [][]T
}

// seek finds the first value that is not less than v.
func (o *ordered[T]) seek(v T) (block, at int, found bool) {
	block = sort.Search(len(o.blocks), func(i int) bool {
		b := o.blocks[i]
		return o.compare(b[len(b)-1], v) >= 0
	})
	if block == len(o.blocks) {
		return block, 0, false
	}
	at, found = slices.BinarySearchFunc(o.blocks[block], v, o.compare)
	return block, at, found
}

func (o *ordered[T]) insert(v T) {
	block, at, found := o.seek(v)
	switch {
	case found:
		return
	case block == len(o.blocks) && block > 0:
		block, at = block-1, len(o.blocks[block-1])
	case block == len(o.blocks):
		o.blocks = append(o.blocks, nil)
	}
	b := slices.Insert(o.blocks[block], at, v)
	o.blocks[block] = b
	if len(b) > blockSize {
		half := len(b) / 2
		if at == len(b)-1 {
			half = at // values that come in order leave full blocks behind
		}
		o.blocks[block] = b[:half:half]
		o.blocks = slices.Insert(o.blocks, block+1, slices.Clone(b[half:]))
	}
}

func (o *ordered[T]) remove(v T) {
	block, at, found := o.seek(v)
	if !found {
		return
	}
	o.blocks[block] = slices.Delete(o.blocks[block], at, at+1)
	if len(o.blocks[block]) == 0 {
		o.blocks = slices.Delete(o.blocks, block, block+1)
	}
}

// from gives the values that are not less than v, in order.
func (o *ordered[T]) from(v T) iter.Seq[T] {
	return func(yield func(T) bool) {
		block, at, _ := o.seek(v)
		for ; block < len(o.blocks); block, at = block+1, 0 {
			for _, x := range o.blocks[block][at:] {
				if !yield(x) {
					return
				}
			}
		}
	}
}
