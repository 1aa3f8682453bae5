package chartgen

import (
	"reflect"

	"github.com/detent-run/detent/statechart"
)

// Shrink returns the smallest case it finds for which fails still holds. It
// is greedy: it drops script steps, list elements and fields, one at a time
// and again from the start, until nothing more can go. fails must say no to
// charts that do not compile.
func Shrink(c Case, fails func(Case) bool) Case {
	for again := true; again; {
		again = false
		for i := len(c.Script) - 1; i >= 0; i-- {
			smaller := c
			smaller.Script = append(append([]Op{}, c.Script[:i]...), c.Script[i+1:]...)
			if fails(smaller) {
				c, again = smaller, true
			}
		}
		for i := 0; ; i++ {
			smaller := c
			smaller.Definition = clone(c.Definition)
			cut := cutter{at: i}
			if cut.value(reflect.ValueOf(&smaller.Definition).Elem()); !cut.done {
				break
			}
			if fails(smaller) {
				c, again = smaller, true
				i-- // the next cut stands at the same place now
			}
		}
	}
	return c
}

// cutter makes the cut number at of a definition: each optional field that is
// set, and each element of a list, is one cut.
type cutter struct {
	at   int
	done bool
}

// here counts one place and reports whether it is the one to cut.
func (c *cutter) here() bool {
	c.at--
	c.done = c.done || c.at < 0
	return c.at == -1
}

func (c *cutter) value(v reflect.Value) {
	if c.done {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			c.field(v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice:
		for i := 0; i < v.Len() && !c.done; i++ {
			if c.here() {
				v.Set(reflect.AppendSlice(v.Slice3(0, i, i), v.Slice(i+1, v.Len())))
				return
			}
			c.value(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			c.value(v.Elem())
		}
	}
}

// field cuts a whole field first, then what is inside it.
func (c *cutter) field(name string, v reflect.Value) {
	if c.done || v.IsZero() || name == "Name" {
		return
	}
	if c.here() {
		v.Set(reflect.Zero(v.Type()))
		return
	}
	c.value(v)
}

// clone copies a definition deeply, but for payloads, which nothing changes.
func clone(d statechart.Definition) statechart.Definition {
	return deep(reflect.ValueOf(d)).Interface().(statechart.Definition)
}

func deep(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(deep(v.Field(i)))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(deep(v.Index(i)))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(deep(v.Elem()))
		}
	}
	return out
}
