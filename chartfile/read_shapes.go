package chartfile

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/detent-run/detent/internal/document"
)

// shapeChecker compares a document with the types of format.go. What does
// not fit is noted and remembered, so that nobody reads it afterwards.
type shapeChecker struct {
	r    *reader
	keys map[reflect.Type][]formatKey // known ones, so that each is listed once
}

// keysOf is the function of that name, remembered.
func (c shapeChecker) keysOf(t reflect.Type) []formatKey {
	if c.keys[t] == nil {
		c.keys[t] = keysOf(t)
	}
	return c.keys[t]
}

// subject is what a shape belongs to, for messages.
type subject struct {
	name  string            // the key, quoted in messages
	at    document.Position // of the key, or of the entry of a list
	enum  []string
	key   formatKey
	in    reflect.Type // the object that the key stands in
	entry bool         // of a list
}

// check compares one node with its shape.
func (c shapeChecker) check(n *document.Node, t reflect.Type, s subject) {
	if c.r.bad[n] || n.Kind == document.Null && !c.mayBeNull(n, t, s) {
		return
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	kinds, inside := c.kinds(n, t, s)
	if kinds == nil || c.require(slices.Contains(kinds, n.Kind), n, t, s) {
		inside()
	}
}

// kinds says of which kinds a node of a shape may be, nil for any, and what
// is to be checked inside.
func (c shapeChecker) kinds(n *document.Node, t reflect.Type, s subject) (kinds []document.Kind, inside func()) {
	switch {
	case t == reflect.TypeFor[anyValue](), t == reflect.TypeFor[anyLiteral]():
		return nil, func() { c.data(n, s.name, "write null if that is meant") }
	case t == reflect.TypeFor[jsonSchema]():
		return []document.Kind{document.Object, document.Bool}, func() { c.data(n, s.name, "write {} for a schema that everything fits") }
	case isLeaf(t):
		return []document.Kind{document.String}, func() { c.text(n, t, s) }
	}
	switch generic(t) {
	case "either", "either3", "oneOrMany":
		return nil, func() { c.alternative(n, t, s) }
	case "keyed":
		return []document.Kind{document.Object}, func() { c.fields(n, t) }
	}
	switch t.Kind() {
	case reflect.Bool:
		return []document.Kind{document.Bool}, func() {}
	case reflect.Int:
		return []document.Kind{document.Int}, func() { c.bounds(n, float64(n.Int), s) }
	case reflect.Float64:
		return []document.Kind{document.Int, document.Float}, func() { c.bounds(n, n.Float+float64(n.Int), s) }
	case reflect.Slice:
		return []document.Kind{document.List}, func() { c.items(n, t.Elem(), s) }
	}
	return []document.Kind{document.Object}, func() { c.object(n, t) }
}

// generic is the name of a generic shape, or "".
func generic(t reflect.Type) string {
	name, _, ok := strings.Cut(t.Name(), "[")
	if !ok {
		return ""
	}
	return name
}

func isLeaf(t reflect.Type) bool {
	_, ok := leaves[t]
	return ok
}

// alternative finds the one of several shapes that a node of this kind is.
func (c shapeChecker) alternative(n *document.Node, t reflect.Type, s subject) {
	for i := range t.NumField() {
		if shape := t.Field(i).Type; takes(shape, n) {
			c.check(n, shape, s)
			return
		}
	}
	c.require(false, n, t, s)
}

// takes reports whether a node of that kind can be of that shape, whatever is
// in it.
func takes(t reflect.Type, n *document.Node) bool {
	switch {
	case t == reflect.TypeFor[anyValue](), t == reflect.TypeFor[anyLiteral]():
		return true
	case t == reflect.TypeFor[promotionObject]():
		_, long := n.Field("value")
		return long
	case isLeaf(t):
		return n.Kind == document.String
	case t.Kind() == reflect.Pointer:
		return takes(t.Elem(), n)
	case t.Kind() == reflect.Slice:
		return n.Kind == document.List
	}
	switch generic(t) {
	case "either", "either3", "oneOrMany":
		for i := range t.NumField() {
			if takes(t.Field(i).Type, n) {
				return true
			}
		}
		return false
	}
	return n.Kind == document.Object && t.Kind() == reflect.Struct
}

// require notes that a node is not of the kind that is wanted.
func (c shapeChecker) require(ok bool, n *document.Node, t reflect.Type, s subject) bool {
	if ok {
		return true
	}
	at := n.Start
	if n.Kind == document.Object || n.Kind == document.List {
		at = s.at
	}
	c.r.refuse(n, CodeWrongType, at, fmt.Sprintf("%s is %s, not %s", quote(s.name), wanted(t), kindOf(n)), cmp.Or(n.Slip, typeHint(n, t, s)))
	return false
}

// wanted says what a shape is.
func wanted(t reflect.Type) string {
	if l, ok := leaves[t]; ok {
		return l.what
	}
	switch {
	case t == reflect.TypeFor[actionForms]():
		return "an action"
	case t.Kind() == reflect.Pointer:
		return wanted(t.Elem())
	}
	switch generic(t) {
	case "either", "either3", "oneOrMany":
		var words []string
		for i := range t.NumField() {
			if w := wanted(t.Field(i).Type); !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
		parts := strings.Split(strings.Join(words, " or "), " or ")
		words = slices.Compact(parts)
		return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// kindOf says what a node is.
func kindOf(n *document.Node) string {
	switch n.Kind {
	case document.Bool:
		return "true or false"
	case document.Int:
		return "a number"
	case document.Float:
		return "a decimal number"
	case document.String:
		return "text"
	case document.List:
		return "a list"
	case document.Object:
		return "an object"
	}
	return "null"
}

// typeHint says how what was probably meant is written.
func typeHint(n *document.Node, t reflect.Type, s subject) string {
	isNumber := n.Kind == document.Int || n.Kind == document.Float
	entry := entryOf(t)
	switch {
	case isNumber && (t == reflect.TypeFor[delayText]() || t == reflect.TypeFor[fixedDelay]()):
		return fmt.Sprintf("a delay says its unit, such as %s", quote(n.Text+"ms"))
	case t == reflect.TypeFor[oneOrMany[invocationObject]]() && n.Kind == document.String:
		return fmt.Sprintf("write %s: {src: %s}", s.name, quote(n.Text))
	case entry != nil && takes(entry, n) && n.Kind == document.String:
		return fmt.Sprintf("put it into a list: %s: [%s]", s.name, n.Text)
	case entry != nil && takes(entry, n):
		return fmt.Sprintf("put it into a list: %s: [ … ]", s.name)
	case generic(t) == "keyed" && n.Kind == document.List && len(n.Items) > 0 && n.Items[0].Kind == document.String:
		return fmt.Sprintf("write %s: {%s: …}", s.name, n.Items[0].Text)
	case t == reflect.TypeFor[jsonSchema]() && slices.Contains(typeWords, n.Text):
		return fmt.Sprintf("write %s: {type: %s}", s.name, n.Text)
	case isLeaf(t) && (isNumber || n.Kind == document.Bool):
		return "put it into quotes: " + quote(n.Text)
	case t.Kind() == reflect.Bool && n.Kind == document.String:
		return "write true or false"
	}
	return ""
}

// entryOf is the shape of a list's entries, where a shape is or can be a list.
func entryOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Slice {
		return t.Elem()
	}
	if generic(t) == "" || generic(t) == "keyed" {
		return nil
	}
	for i := range t.NumField() {
		if f := t.Field(i).Type; f.Kind() == reflect.Slice {
			return f.Elem()
		}
	}
	return nil
}

// text checks a text that means something.
func (c shapeChecker) text(n *document.Node, t reflect.Type, s subject) {
	if len(s.enum) > 0 && !slices.Contains(s.enum, n.Text) {
		hint := nearest(n.Text, s.enum)
		if hint == "" {
			hint = "one of " + strings.Join(s.enum, ", ")
		}
		c.r.refuse(n, codeInvalid, n.Start, fmt.Sprintf("%s is no value of %s", quote(n.Text), s.key.Key), hint)
		return
	}
	switch {
	case strings.TrimSpace(n.Text) == "" && t != reflect.TypeFor[literalText]():
		c.r.refuse(n, CodeBlank, n.Start, fmt.Sprintf("%s is empty text", quote(s.name)), "give it a value, or leave the key out")
	case strings.Contains(n.Text, "${") && fixedLeaves[t] != "":
		c.r.refuse(n, CodeInterpolated, n.At(strings.Index(n.Text, "${")), leaves[t].what+" cannot be computed", fixedLeaves[t])
	case t == reflect.TypeFor[targetText]() && strings.ContainsAny(n.Text, " \t\r\n"):
		c.r.refuse(n, codeInvalidName, n.Start, fmt.Sprintf("the target %s holds white space", quote(n.Text)),
			fmt.Sprintf("several targets are a list: [%s]", strings.Join(strings.Fields(n.Text), ", ")))
	case t == reflect.TypeFor[fixedDelay]() && !isDuration(n.Text):
		c.r.refuse(n, codeInvalid, n.Start, fmt.Sprintf("%s is no duration", quote(n.Text)), durationHint(n.Text))
	}
}

// fixedLeaves are the texts in which nothing is evaluated and ${ cannot be
// meant, with what to do instead.
var fixedLeaves = map[reflect.Type]string{
	reflect.TypeFor[targetText](): "choose between transitions by their guards",
	reflect.TypeFor[eventName]():  "choose between fixed names with if",
	reflect.TypeFor[eventOf]():    "choose between transitions by their guards",
	reflect.TypeFor[nameText]():   "give it a fixed name",
	reflect.TypeFor[toolName]():   "list the tools that may be called",
	reflect.TypeFor[fixedDelay](): "give the duration itself",
	reflect.TypeFor[listedName](): "give it a fixed name",
}

func (c shapeChecker) bounds(n *document.Node, v float64, s subject) {
	least, errLeast := strconv.ParseFloat(s.key.Min, 64)
	most, errMost := strconv.ParseFloat(s.key.Max, 64)
	switch {
	case errLeast == nil && errMost == nil && (v < least || v > most):
		c.r.refuse(n, codeInvalid, n.Start, fmt.Sprintf("%s is from %s to %s, not %s", quote(s.name), s.key.Min, s.key.Max, n.Text), "")
	case errLeast == nil && v < least:
		c.r.refuse(n, codeInvalid, n.Start, fmt.Sprintf("%s is at least %s, not %s", quote(s.name), s.key.Min, n.Text), "")
	}
}

func (c shapeChecker) items(n *document.Node, t reflect.Type, s subject) {
	if len(n.Items) == 0 && s.key.Min != "" && !s.entry {
		c.r.refuse(n, CodeBlank, n.Start, quote(s.name)+" lists nothing", "list at least one, or leave the key out")
	}
	for i, item := range n.Items {
		entry := subject{name: index(s.name, i), at: item.Start, enum: s.enum, key: s.key, entry: true}
		c.check(item, t, entry)
	}
}

// fields checks an object whose keys the author chooses.
func (c shapeChecker) fields(n *document.Node, t reflect.Type) {
	value, _ := t.FieldByName("Value")
	for _, f := range n.Fields {
		c.check(f.Value, value.Type, subject{name: f.Key, at: f.KeyStart, in: t})
	}
}

// object checks an object with known keys.
func (c shapeChecker) object(n *document.Node, t reflect.Type) {
	if t == reflect.TypeFor[actionForms]() {
		if form, ok := c.actionForm(n); ok {
			c.object(n, form)
		}
		return
	}
	keys := c.keysOf(t)
	for _, f := range n.Fields {
		i := slices.IndexFunc(keys, func(k formatKey) bool { return k.Key == f.Key })
		switch {
		case i >= 0:
			c.check(f.Value, keys[i].Type, subject{name: f.Key, at: f.KeyStart, enum: keys[i].Enum, key: keys[i], in: t})
		case t == reflect.TypeFor[fileObject]() && strings.HasPrefix(f.Key, "x-"):
		case c.r.full():
			c.r.flawed[n] = true
		default:
			hint := keyHint(f.Key, t, keys)
			c.r.note(CodeUnknownKey, f.KeyStart, fmt.Sprintf("%s is no key of %s", quote(f.Key), objectName(t)), hint)
			c.r.mean(n, hint)
			if misleads(hint, t) {
				c.r.flawed[n] = true
			}
		}
	}
	for _, k := range keys {
		if _, given := n.Field(k.Key); k.Required && !given && !c.r.meant[n][k.Key] {
			c.r.note(codeMissing, n.Start, fmt.Sprintf("%s needs %s", objectName(t), quote(k.Key)), "")
			c.r.flawed[n] = c.r.flawed[n] || t != reflect.TypeFor[fileObject]()
		}
	}
}

// misleads reports whether a key that is none, with the hint at what was
// meant, makes other things seem wrong: of a state those that say its kind.
func misleads(hint string, t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[guardObject]():
		return true // a key is what kind of guard it is
	case reflect.TypeFor[fileObject](), reflect.TypeFor[stateObject]():
	default:
		return strings.HasPrefix(hint, "did you mean")
	}
	return slices.ContainsFunc([]string{"type", "initial", "states", "history", "target"}, func(key string) bool {
		return hint == "did you mean "+quote(key)+"?" || strings.HasPrefix(hint, "write "+key+":")
	})
}

// actionForm finds the one form that an action has.
func (c shapeChecker) actionForm(n *document.Node) (reflect.Type, bool) {
	forms := reflect.TypeFor[actionForms]()
	var found []string
	var form reflect.Type
	var all []string
	for i := range forms.NumField() {
		t := forms.Field(i).Type
		first := c.keysOf(t)[0].Key
		all = append(all, first)
		_, has := n.Field(first)
		if first == "do" && slices.Contains(found, "foreach") {
			continue
		}
		if has {
			found = append(found, first)
			form = t
		}
	}
	switch {
	case len(n.Fields) == 0:
		c.r.refuse(n, codeAction, n.Start, "an empty object does nothing", "an action is one of "+strings.Join(all, ", "))
	case len(found) == 0:
		hint := nearest(n.Fields[0].Key, all)
		if hint == "" {
			hint = "an action is one of " + strings.Join(all, ", ")
		}
		c.r.refuse(n, codeAction, n.Fields[0].KeyStart, fmt.Sprintf("%s is no action", quote(n.Fields[0].Key)), hint)
	case len(found) > 1:
		c.r.refuse(n, codeAction, n.Start, fmt.Sprintf("an action does one thing; this says %s", strings.Join(found, " and ")), "make an entry of the list of each")
	default:
		return form, true
	}
	return nil, false
}

// data checks that nothing in data is blank.
func (c shapeChecker) data(n *document.Node, name, hint string) {
	for i, item := range n.Items {
		c.filled(item, index(name, i), hint, item.Start)
		c.data(item, index(name, i), hint)
	}
	for _, f := range n.Fields {
		c.filled(f.Value, f.Key, hint, f.KeyStart)
		c.data(f.Value, f.Key, hint)
	}
}

func (c shapeChecker) filled(n *document.Node, name, hint string, at document.Position) {
	if n.Blank && !c.r.saidBetween(at, n.Start) {
		c.r.refuse(n, CodeBlank, at, fmt.Sprintf("%s has no value", quote(name)), cmp.Or(n.Slip, hint))
	}
}

// mayBeNull reports whether nothing, or null, may stand for a shape.
func (c shapeChecker) mayBeNull(n *document.Node, t reflect.Type, s subject) bool {
	isData := t == reflect.TypeFor[anyValue]() || t == reflect.TypeFor[anyLiteral]() || generic(t) == "either" && t.Field(1).Type == reflect.TypeFor[anyValue]()
	if isData && !n.Blank {
		return true
	}
	if c.r.saidBetween(s.at, n.Start) {
		c.r.bad[n] = true // a tag or an alias stands there
		return false
	}
	message, hint := fmt.Sprintf("%s has no value", quote(s.name)), "give it a value, or leave the key out"
	if s.entry {
		hint = "give it a value, or take the entry out"
	}
	if !n.Blank {
		message = fmt.Sprintf("%s is null, which is no value here", quote(s.name))
	}
	switch {
	case isData && s.key.Required:
		hint = "give it a value"
	case isData:
		hint = "write null if that is meant"
	case t == reflect.TypeFor[transitions]() && s.in != nil && generic(s.in) == "keyed":
		hint = fmt.Sprintf("an event is forbidden by %s: {}", s.name)
	case s.in != nil && generic(s.in) == "keyed" && generic(t) == "":
		hint = fmt.Sprintf("write %s: {}", s.name)
	}
	c.r.refuse(n, CodeBlank, s.at, message, cmp.Or(n.Slip, hint))
	return false
}
