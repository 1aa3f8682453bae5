package durable

// authority is the engine's clock: the wall clock, floored by the latest time
// that was ever committed. When the wall clock jumps back, it goes on from
// where it was at the wall clock's pace, so that timers neither fire again nor
// freeze (T1, T5). The engine's lock guards it.
type authority struct {
	last, wall int64
}

// maxPace is how far the clock goes on in one reading while the wall clock is
// behind it: a larger step is a jump of the wall clock, not time.
const maxPace = 2000

func (a *authority) now(wall int64) int64 {
	switch {
	case wall >= a.last:
		a.last = wall
	case wall > a.wall:
		a.last += min(wall-a.wall, maxPace)
	}
	a.wall = wall
	return a.last
}

// now reads the engine's clock. The engine's lock is held.
func (e *Engine) now() int64 { return e.clock.now(e.runtime.Now()) }
