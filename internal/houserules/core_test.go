package houserules

import "testing"

func TestCoreImports(t *testing.T) { obey(t, "core imports", checkCoreImports) }

func TestCoreImportsRefuse(t *testing.T) {
	for imported, why := range coreRefused {
		prove(t, checkCoreImports, proof{imported, map[string]string{
			"statechart/a.go": "package statechart\nimport _ \"" + imported + "\"",
		}, []string{"statechart/a.go:2: statechart/a.go imports " + imported + ": " + why}})
	}
	prove(t, checkCoreImports,
		proof{"not thought of", map[string]string{
			"statechart/a.go": "package statechart\nimport _ \"net/http\"\nimport _ \"example.org/a\"",
		}, []string{"imports net/http, which has no row", "imports example.org/a, which has no row"}},
		proof{"behind a build tag", map[string]string{
			"statechart/a.go": "//go:build invariants\n\npackage statechart\nimport _ \"os\"",
		}, []string{"imports os"}},
		proof{"in a part of the core", map[string]string{
			"statechart/plan/a.go": "package plan\nimport _ \"time\"",
		}, []string{"imports time"}},
		proof{"allowed, or for the arrows to refuse", map[string]string{
			"statechart/a.go":      "package statechart\nimport _ \"sync/atomic\"\nimport _ \"fmt\"\nimport _ \"" + atModule + "host\"",
			"statechart/a_test.go": "package statechart\nimport _ \"time\"",
			"host/a.go":            "package host\nimport _ \"time\"",
		}, nil},
	)
}

func TestCoreFilesRefuse(t *testing.T) {
	before := coreFiles
	t.Cleanup(func() { coreFiles = before })
	coreFiles = []coreFile{{"statechart/typed.go", "reflect", "a sample"}}
	prove(t, checkCoreImports,
		proof{"named", map[string]string{
			"statechart/typed.go": "package statechart\nimport _ \"reflect\"",
		}, nil},
		proof{"another file", map[string]string{
			"statechart/a.go": "package statechart\nimport _ \"reflect\"",
		}, []string{"imports reflect"}},
		proof{"named for another import", map[string]string{
			"statechart/typed.go": "package statechart\nimport _ \"reflect\"\nimport _ \"time\"",
		}, []string{"imports time"}},
		proof{"stale", map[string]string{
			"statechart/typed.go": "package statechart\n",
		}, []string{"statechart/typed.go does not import reflect any more"}},
	)
}

func TestCoreBodies(t *testing.T) { obey(t, "core bodies", checkCoreBodies) }

// body wraps statements into a file of the core.
func body(text string) map[string]string {
	return map[string]string{"statechart/a.go": "package statechart\n" + text}
}

func TestCoreBodiesRefuseMapOrder(t *testing.T) {
	prove(t, checkCoreBodies,
		proof{"a map", body("func f(m map[string]int) { for range m {} }"), []string{"statechart/a.go:2: statechart ranges over a map"}},
		proof{"a named map", body("type set map[int]bool\nfunc f(m set) { for range m {} }"), []string{"ranges over a map"}},
		proof{"an alias of a map", body("type set = map[int]bool\nfunc f(m set) { for range m {} }"), []string{"ranges over a map"}},
		proof{"a field", body("type t struct{ m map[int]int }\nfunc (x *t) f() { for range x.m {} }"), []string{"ranges over a map"}},
		proof{"a type parameter", body("func f[M ~map[int]int](m M) { for range m {} }"), []string{"ranges over a map"}},
		proof{"a type parameter of several", body("func f[M named | map[int]int](m M) { for range m {} }\ntype named map[int]int"), []string{"ranges over a map"}},
		proof{"slices, strings, numbers, sequences", body("func f(a []int, b string, c int, d func(func(int) bool)) { for range a {}; for range b {}; for range c {}; for range d {} }"), nil},
		proof{"a constrained slice", body("func f[S ~[]int](s S) { for range s {} }"), nil},
		proof{"keys as they come", body("import \"maps\"\nfunc f(m map[string]int) { for range maps.Keys(m) {} }"), []string{"uses maps.Keys without slices.Sorted"}},
		proof{"all as they come", body("import \"maps\"\nfunc f(m map[string]int) { for range maps.All(m) {} }"), []string{"uses maps.All"}},
		proof{"keys under another name", body("import m \"maps\"\nvar f = m.Values(map[int]int{})"), []string{"uses maps.Values"}},
		proof{"sorted keys", body("import (\"maps\"; \"slices\")\nfunc f(m map[string]int) { for range slices.Sorted(maps.Keys(m)) {} }"), nil},
		proof{"our own Keys", body("type t struct{}\nfunc (t) Keys() {}\nfunc f(maps t) { maps.Keys() }"), nil},
		proof{"behind a build tag", map[string]string{
			"statechart/a.go": "//go:build invariants\n\npackage statechart\nfunc f(m map[int]int) { for range m {} }",
			"statechart/b.go": "//go:build !invariants\n\npackage statechart\nfunc f(m map[int]int) { for range m {} }",
		}, []string{"statechart/b.go:4: statechart ranges over a map", "statechart/a.go:4: statechart ranges over a map"}},
		proof{"elsewhere, and in tests", map[string]string{
			"host/a.go":            "package host\nfunc f(m map[string]int) { for range m {} }",
			"statechart/a_test.go": "package statechart\nfunc f(m map[string]int) { for range m {} }",
		}, nil},
		proof{"what does not compile", body("func f() { for range m {} }"), []string{"cannot be checked: statechart/a.go:2:22: undefined: m"}},
	)
}

func TestCoreBodiesRefuseConcurrency(t *testing.T) {
	prove(t, checkCoreBodies,
		proof{"a goroutine", body("func f() { go f() }"), []string{"starts a goroutine"}},
		proof{"a channel", body("var c chan int"), []string{"has a channel"}},
		proof{"a send", body("func f[C ~chan int](c C) { c <- 1 }"), []string{"has a channel", "sends on a channel"}},
		proof{"a receive", body("type c = chan int\nfunc f(x c) { <-x }"), []string{"has a channel", "receives from a channel"}},
		proof{"a select", body("func f() { select {} }"), []string{"has a select"}},
	)
}

func TestCoreBodiesRefuseUnsafe(t *testing.T) {
	const conversions = "package statechart\nimport \"unsafe\"\nfunc f(p *int) *uint {\n\tu := unsafe.Pointer(p)\n\t_ = unsafe.Add(u, 1)\n\treturn (*uint)(u)\n}"
	const in, bad = "statechart/a.go:", ": statechart converts an unsafe pointer"
	prove(t, checkCoreBodies,
		proof{"conversions", map[string]string{"statechart/a.go": conversions}, []string{in + "4" + bad, in + "5" + bad, in + "6" + bad}},
		proof{"in the file with a row", map[string]string{"statechart/typed.go": conversions}, nil},
		proof{"carried along", body("import \"unsafe\"\ntype t struct{ p unsafe.Pointer }\nfunc f(x t, g func(unsafe.Pointer)) { if x.p != nil { g(x.p) } }\nvar n = unsafe.Sizeof(t{})"), nil},
	)
}
