package measure

import "runtime"

// Heap returns the bytes of heap that each of n values from create keeps
// alive; n must be large enough to drown what the runtime does on the side. A value
// that owns goroutines holds stacks besides, which are not seen here.
func Heap(n int, create func() any) float64 {
	kept := make([]any, n)
	before := inUse()
	for i := range kept {
		kept[i] = create()
	}
	after := inUse()
	runtime.KeepAlive(kept)
	return (float64(after) - float64(before)) / float64(n)
}

// inUse returns the bytes of live objects. Two collections, because the
// first may only queue finalizers.
func inUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
