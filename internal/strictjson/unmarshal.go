package strictjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Unmarshal reads one document into what v points to. The error is an
// *[Error] with the place in the value.
//
// Structs are read by their json tags, letter for letter; a key that is no
// field is refused, and a field that the document leaves out keeps its value.
// Beside structs it takes pointers, slices, maps with text as keys, text,
// bool, integers, floats, any (as [Node.Value] has it), json.RawMessage and
// what has an UnmarshalJSON, which gets the bytes as they stand. Null is for pointers,
// slices, maps and any. A number must fit its field without loss; the fraction
// of a float64 is rounded. Embedded structs are not looked into.
func Unmarshal(data []byte, l Limits, v any) error {
	n, err := Parse(data, l)
	if err != nil {
		return err
	}
	target := reflect.ValueOf(v)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return &Error{Reason: Mismatch, Message: fmt.Sprintf("cannot read into a %T, only into what a pointer points to", v)}
	}
	r := reader{data}
	if err := r.read(n, target.Elem()); err != nil {
		err.Path = path(n, err.Offset)
		return err.placed(NewIndex(data))
	}
	return nil
}

type reader struct{ data []byte }

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

func (r reader) read(n *Node, v reflect.Value) *Error {
	if v.CanAddr() && v.Addr().Type().Implements(unmarshaler) && v.Kind() != reflect.Pointer {
		return r.method(n, v.Addr().Interface().(json.Unmarshaler))
	}
	if n.Kind == Null {
		return r.null(n, v)
	}
	switch v.Kind() {
	case reflect.Pointer:
		return r.pointer(n, v)
	case reflect.Struct:
		return r.object(n, v)
	case reflect.Map:
		return r.table(n, v)
	case reflect.Slice:
		return r.list(n, v)
	case reflect.Interface:
		return r.any(n, v)
	case reflect.String:
		if n.Kind != String {
			return mismatch(n, "text")
		}
		v.SetString(n.Text)
		return nil
	case reflect.Bool:
		if n.Kind != Bool {
			return mismatch(n, "true or false")
		}
		v.SetBool(n.Bool)
		return nil
	}
	return r.number(n, v)
}

// mismatch says that something else than n was meant to stand there.
func mismatch(n *Node, want string) *Error {
	return problem(Mismatch, n.Offset, fmt.Sprintf("it takes %s, not %s", want, n.Kind), "")
}

func (r reader) null(n *Node, v reflect.Value) *Error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		v.SetZero()
		return nil
	}
	return problem(Mismatch, n.Offset, "it cannot be null", "leave the key out")
}

func (r reader) pointer(n *Node, v reflect.Value) *Error {
	to := reflect.New(v.Type().Elem())
	if err := r.read(n, to.Elem()); err != nil {
		return err
	}
	v.Set(to)
	return nil
}

func (r reader) any(n *Node, v reflect.Value) *Error {
	if v.NumMethod() > 0 {
		return problem(Mismatch, n.Offset, fmt.Sprintf("a %s cannot be read from JSON", v.Type()), "")
	}
	x, err := n.value()
	if err != nil {
		return err
	}
	v.Set(reflect.ValueOf(x))
	return nil
}

func (r reader) list(n *Node, v reflect.Value) *Error {
	if n.Kind != Array {
		return mismatch(n, "a list")
	}
	list := reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items))
	for i := range n.Items {
		if err := r.read(&n.Items[i], list.Index(i)); err != nil {
			return err
		}
	}
	v.Set(list)
	return nil
}

func (r reader) table(n *Node, v reflect.Value) *Error {
	if n.Kind != Object {
		return mismatch(n, "an object")
	}
	t := v.Type()
	if t.Key().Kind() != reflect.String {
		return problem(Mismatch, n.Offset, fmt.Sprintf("a %s cannot be read from JSON", t), "")
	}
	m := reflect.MakeMapWithSize(t, len(n.Members))
	for i := range n.Members {
		value := reflect.New(t.Elem()).Elem()
		if err := r.read(&n.Members[i].Value, value); err != nil {
			return err
		}
		m.SetMapIndex(reflect.ValueOf(n.Members[i].Key).Convert(t.Key()), value)
	}
	v.Set(m)
	return nil
}

func (r reader) object(n *Node, v reflect.Value) *Error {
	if n.Kind != Object {
		return mismatch(n, "an object")
	}
	names, index := fields(v.Type())
	for i := range n.Members {
		m := &n.Members[i]
		at, ok := index[m.Key]
		if !ok {
			hint := ""
			if near := nearest(m.Key, names); near != "" {
				hint = "did you mean " + quote(near) + "?"
			}
			return problem(Mismatch, m.Offset, fmt.Sprintf("there is no key %s here", quote(m.Key)), hint)
		}
		if err := r.read(&m.Value, v.Field(at)); err != nil {
			return err
		}
	}
	return nil
}

// fields returns the keys of a struct, in the order of its fields.
func fields(t reflect.Type) (names []string, index map[string]int) {
	index = map[string]int{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		if !f.IsExported() || tag == "-" {
			continue
		}
		name, _, _ := strings.Cut(tag, ",")
		if name == "" {
			name = f.Name
		}
		names = append(names, name)
		index[name] = i
	}
	return names, index
}

func (r reader) number(n *Node, v reflect.Value) *Error {
	bits := 0
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64:
		bits = v.Type().Bits()
	default:
		return problem(Mismatch, n.Offset, fmt.Sprintf("a %s cannot be read from JSON", v.Type()), "")
	}
	if n.Kind != Number {
		return mismatch(n, "a number")
	}
	whole := !strings.ContainsAny(n.Text, ".eE")
	var err error
	switch {
	case v.CanFloat():
		var f float64
		f, err = strconv.ParseFloat(n.Text, bits)
		if i, bad := strconv.ParseInt(n.Text, 10, 64); err == nil && whole && (bad != nil || f >= 1<<63 || int64(f) != i) {
			err = strconv.ErrRange
		}
		v.SetFloat(f)
	case !whole:
		return problem(Mismatch, n.Offset, "it takes a whole number, not "+clip(n.Text), "")
	case v.CanInt():
		var i int64
		i, err = strconv.ParseInt(n.Text, 10, bits)
		v.SetInt(i)
	default:
		var u uint64
		u, err = strconv.ParseUint(n.Text, 10, bits)
		v.SetUint(u)
	}
	if err != nil {
		return problem(Range, n.Offset, fmt.Sprintf("the number %s does not fit here", clip(n.Text)), "")
	}
	return nil
}

// method calls an UnmarshalJSON and moves its error to its place in the whole
// document.
func (r reader) method(n *Node, u json.Unmarshaler) *Error {
	err := u.UnmarshalJSON(r.data[n.Offset:n.End])
	if err == nil {
		return nil
	}
	e := problem(Mismatch, n.Offset, err.Error(), "")
	if inner, ok := errors.AsType[*Error](err); ok {
		*e = *inner
		e.Offset += n.Offset
	}
	return e
}
