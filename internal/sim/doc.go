// Package sim runs the whole engine in a world of its own: one goroutine at a
// time, chosen by a seed, on a clock that only moves when nothing else can. A
// run is the same for the same seed, so what goes wrong once can be looked at
// again.
package sim
