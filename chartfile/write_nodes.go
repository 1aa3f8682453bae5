package chartfile

import (
	"reflect"
	"slices"
	"sync"

	"github.com/detent-run/detent/internal/document"
)

func textNode(s string) *document.Node { return &document.Node{Kind: document.String, Text: s} }

func intNode(n int64) *document.Node { return &document.Node{Kind: document.Int, Int: n} }

func boolNode(b bool) *document.Node { return &document.Node{Kind: document.Bool, Bool: b} }

// listNode is a list; empty texts and numbers made none of its items.
func listNode(items []*document.Node) *document.Node {
	return &document.Node{Kind: document.List, Items: items}
}

// textsNode is a list of texts, nil when there are none.
func textsNode(list []string) *document.Node {
	if len(list) == 0 {
		return nil
	}
	n := listNode(nil)
	for _, s := range list {
		n.Items = append(n.Items, textNode(s))
	}
	return n
}

// oneOrManyNode is the item of a list of one, or the list.
func oneOrManyNode(items []*document.Node) *document.Node {
	if len(items) == 1 {
		return items[0]
	}
	return listNode(items)
}

// onOneLine lets a node stand in brackets where the line has room, with all
// that is in it.
func onOneLine(n *document.Node) *document.Node {
	if n != nil {
		n.Flow = true
	}
	return n
}

// levelsOf is how many lists and objects stand inside each other.
func levelsOf(n *document.Node) int {
	deepest := 0
	for _, item := range n.Items {
		deepest = max(deepest, levelsOf(item))
	}
	for _, f := range n.Fields {
		deepest = max(deepest, levelsOf(f.Value))
	}
	if n.Kind == document.List || n.Kind == document.Object {
		return deepest + 1
	}
	return deepest
}

// objectBuilder gathers the fields of an object.
type objectBuilder struct {
	fields []document.Field
	keys   map[string]bool
}

// add adds a field unless n is nil, which stands for what is not said.
func (b *objectBuilder) add(key string, n *document.Node) {
	if n == nil {
		return
	}
	if b.keys == nil {
		b.keys = map[string]bool{}
	}
	b.keys[key] = true
	b.fields = append(b.fields, document.Field{Key: key, Value: n})
}

// addText adds a text unless it is empty.
func (b *objectBuilder) addText(key, s string) {
	if s != "" {
		b.add(key, textNode(s))
	}
}

// addTrue adds true, or nothing.
func (b *objectBuilder) addTrue(key string, yes bool) {
	if yes {
		b.add(key, boolNode(true))
	}
}

// addInt adds a number unless it is zero.
func (b *objectBuilder) addInt(key string, n int64) {
	if n != 0 {
		b.add(key, intNode(n))
	}
}

// has reports whether a key was added.
func (b *objectBuilder) has(key string) bool { return b.keys[key] }

// node is the object with its fields as they were added.
func (b *objectBuilder) node() *document.Node {
	return &document.Node{Kind: document.Object, Fields: b.fields}
}

// optional is the same, nil when nothing was added.
func (b *objectBuilder) optional() *document.Node {
	if len(b.fields) == 0 {
		return nil
	}
	return b.node()
}

// ordered is the object with its keys in the order of the format's type,
// those that it does not have last.
func (b *objectBuilder) ordered(object reflect.Type) *document.Node {
	order := orderOf(object)
	at := func(f document.Field) int {
		if i, ok := order[f.Key]; ok {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(b.fields, func(x, y document.Field) int { return at(x) - at(y) })
	return b.node()
}

var orders sync.Map // of orderOf, by type

// orderOf gives the place of each key of an object of the format.
func orderOf(object reflect.Type) map[string]int {
	if known, ok := orders.Load(object); ok {
		return known.(map[string]int)
	}
	order := map[string]int{}
	for i, k := range keysOf(object) {
		order[k.Key] = i
	}
	orders.Store(object, order)
	return order
}
