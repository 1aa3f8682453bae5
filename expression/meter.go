package expression

import (
	"math"
	"math/bits"

	"github.com/detent-run/detent/statechart"
)

// meter is where work is paid for.
type meter = *statechart.Scope

// The prices. All of it is paid before the work is done. A unit buys at most
// 64 bytes of memory, so a million cannot take more than 64 MiB; each part
// of an expression costs one besides.
const (
	bytesPerUnit = 8 // of text read or written
	perObject    = 8 // an object, whatever is in it
	perEntry     = 4 // a field of an object that is made
	perList      = 1 // a list, whatever is in it
	perJSON      = 8 // a value of JSON that is read, with what reading takes
	most         = math.MaxInt64 >> 8
)

// textCost is what n bytes of text cost.
func textCost(n int) int64 { return (int64(n) + bytesPerUnit - 1) / bytesPerUnit }

// chargeText pays for n bytes of text.
func chargeText(m meter, n int) error {
	if n == 0 {
		return nil
	}
	return m.Charge(textCost(n))
}

// chargeList pays for a list of n elements.
func chargeList(m meter, n int) error { return m.Charge(int64(n) + perList) }

// chargeObject pays for an object of n fields.
func chargeObject(m meter, n int) error { return m.Charge(perObject + perEntry*int64(n)) }

// times multiplies without running over.
func times(a, b int64) int64 {
	if a < 0 || b < 0 {
		return most
	}
	high, low := bits.Mul64(uint64(a), uint64(b))
	if high > 0 || low > most {
		return most
	}
	return int64(low)
}
