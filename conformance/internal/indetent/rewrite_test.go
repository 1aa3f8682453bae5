package indetent_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/conformance/internal/indetent"
	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// values are the variables of the documents of these tests, as JSON.
var values = map[string]string{
	"zero": `0`, "one": `1`, "half": `0.5`, "none": `null`, "empty": `""`, "word": `"word"`, "yes": `true`, "no": `false`,
	"list": `[1, "b", [3]]`, "bare": `[]`, "order": `{"total": 7, "lines": [{"price": 2}], "a b": 1}`, "sum": `3`,
}

const payload = `{"n": 2, "code": "busy", "deep": {"x": [1]}}`

// Expressions and what they come to are the same in ECMAScript and, rewritten,
// here: a value, or an error.
func TestExpressionsAreTheSame(t *testing.T) {
	for _, source := range []string{
		`1`, `-1`, `0.5`, `1e3`, `'it\'s "so"'`, `"a\nb"`, `[1, 'b', [null]]`, `({a: 1, 'b c': [2]})`, `null`, `undefined`, `true`,
		`one + 1`, `one + half`, `word + '!'`, `'n: ' + one`, `one + ' is n'`, `7 - one * 2`, `7 / 2`, `6 / 2`, `7 % 4`, `2 * (3 + 4)`, `-one`,
		`one == 1`, `one === 1`, `one != 1`, `one !== half`, `word == 'word'`, `none == null`, `none == undefined`, `one === '1'`, `word === 1`, `half < one`, `one >= 1`, `'a' < word`,
		`order.total`, `order['total']`, `order["a b"]`, `order.lines[0].price`, `order.gone`, `order.lines[5]`, `order.gone.further`, `list[0]`, `list.length`, `word.length`, `order.lines.length`, `list[one]`,
		`!one`, `!zero`, `!word`, `!empty`, `!none`, `!list`, `!order.gone`, `!(one && zero)`, `one && word`, `zero || word`, `none && word`, `yes && no`, `yes || no`, `empty || none`, `order.gone || 5`,
		`one ? 'a' : 'b'`, `zero ? 'a' : 'b'`, `empty ? 1 : list ? 2 : 3`, `bare ? 1 : 2`,
		`typeof one`, `typeof half`, `typeof word`, `typeof list`, `typeof order`, `typeof gone`, `typeof order.gone`, `typeof yes`, `typeof gone === 'undefined'`, `typeof one !== 'undefined'`, `'undefined' == typeof _event.sendid`,
		`_event.name`, `_event.data.n`, `_event.data.gone`, `_event.data.deep.x[0]`, `_event.sendid`, `typeof _event.data`, `_event.data.gone.further`, `_event && 1`,
		`'name' in _event`, `'sendid' in _event && 'data' in _event`, `'gone' in _event`, `'total' in order`, `'gone' in order`,
		`list instanceof Array`, `word instanceof Array`, `order instanceof Object`, `Array.isArray(bare)`,
		`[].concat(list, [4])`, `[1].concat(one, word, 2)`, `list.slice(1)`, `word.slice(0, 2)`, `word.slice(-2)`,
		`Math.pow(one + 1, 3)`, `Math.floor(half)`, `Math.abs(-3)`, `JSON.stringify([1, 'b', {a: 1}])`, `JSON.parse('[1]')`, `String(one)`,
		`In('s')`, `!In('t')`, `In('t') || one`, `sum + 1`, `1;`,
		`gone`, `gone + 1`, `gone()`, `return`, `1 +`, `)`, `a b`, `yes and yes`,
		`(function(a, b) { return a + b; })(one, 2)`,
		`(function(a, b) { if (a == null) return 'none'; if (b) { var c = a + 'x'; return c; } else a = String(a); return a.length })(word, zero)`,
		`(function(a) { if (a == null) return 'none'; return a })()`,
		`(function(a, b) { if (a) { return 1 } else b = 5; return b })(zero, 2)`,
	} {
		want, got := inECMAScript(t, source), inDetent(t, source)
		if got != want {
			t.Errorf("%s\nis %s, and as\n%s\nit is %s", source, want, rewritten(t, source), got)
		}
	}
}

// The truth of any value is the same, too.
func TestConditionsAreTheSame(t *testing.T) {
	for _, source := range append(slices.Sorted(maps.Keys(values)), `'foo'`, `''`, `0`, `1`, `half && word`, `zero || empty`, `order.gone`, `order.lines`, `_event`, `_event.data.n`, `_event.sendid`, `undefined`,
		`[]`, `({})`, `list.length`, `bare.length`, `one + 1`, `'' + empty`, `typeof gone`, `return`, `gone`) {
		want, got := inECMAScript(t, `(`+source+`) ? 'taken' : 'not taken'`), "not taken"
		w := play(t, `<transition event="go" cond="`+escaped(source)+`" target="t"/>`)
		if w.Instance("s").Configuration()[0] == "t" {
			got = "taken"
		}
		if strings.Contains(want, "error") {
			want = `"not taken"`
		}
		if want != `"`+got+`"` {
			t.Errorf("the condition %s is %s, and here %s", source, want, got)
		}
	}
}

// inECMAScript evaluates a source with goja.
func inECMAScript(t *testing.T, source string) string {
	t.Helper()
	vm := goja.New()
	for name, v := range values {
		if _, err := vm.RunString("var " + name + " = " + v); err != nil {
			t.Fatal(err)
		}
	}
	_, err := vm.RunString(`var _event = {name: "go", type: "external", sendid: undefined, origin: undefined, origintype: undefined, invokeid: undefined, data: ` + payload + `};
		var In = function(id) { return id == "s" }`)
	if err != nil {
		t.Fatal(err)
	}
	v, err := vm.RunString("(" + source + "\n)")
	if err != nil {
		v, err = vm.RunString(source)
	}
	if err != nil {
		return "an error"
	}
	return show(t, v.Export())
}

// inDetent evaluates a source, rewritten, in a document.
func inDetent(t *testing.T, source string) string {
	t.Helper()
	w := play(t, `<transition event="go"><assign location="out" expr="`+escaped(source)+`"/></transition>
		<transition event="error.execution"><assign location="failed" expr="true"/></transition>`)
	data := w.Instance("s").Data()[""]
	if data["failed"] != nil {
		return "an error"
	}
	return show(t, data["out"])
}

func escaped(source string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "\n", "&#10;").Replace(source)
}

// document has the variables and a state with some content.
func document(content string) string {
	var data strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&data, "<data id=%q>%s</data>", name, escaped(values[name]))
	}
	return `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript"><datamodel><data id="out"/><data id="failed"/>` +
		data.String() + `</datamodel><state id="s">` + content + `</state><state id="t"/></scxml>`
}

// play rewrites a document, starts it and sends it an event.
func play(t *testing.T, content string) *world.World {
	t.Helper()
	text, err := indetent.Rewrite([]byte(document(content)))
	if err != nil {
		t.Fatalf("%s: %v", content, err)
	}
	_, chart, err := scxml.Load("c.scxml", text, scxml.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	w := world.New(world.Options{})
	if _, err := w.Start("s", chart, nil); err != nil {
		t.Fatal(err)
	}
	var data any
	if err := json.Unmarshal([]byte(payload), &data); err != nil {
		t.Fatal(err)
	}
	if err := w.Send("s", statechart.Event{Name: "go", Data: data}); err != nil {
		t.Fatal(err)
	}
	if err := w.Run(); err != nil {
		t.Fatal(err)
	}
	return w
}

// show writes a value as JSON; numbers of both languages are alike.
func show(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// rewritten is an expression as it comes out.
func rewritten(t *testing.T, source string) string {
	t.Helper()
	text, err := indetent.Rewrite([]byte(`<log expr="` + escaped(source) + `"/>`))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Nothing but expressions and the data model changes.
func TestRewriteKeepsTheRest(t *testing.T) {
	const before = `<?xml version="1.0"?>
<!-- cond="a === b" -->
<scxml  xmlns="http://www.w3.org/2005/07/scxml" datamodel = 'ecmascript' name="it's">
  <datamodel><data id="a" expr='"it&apos;s"'/><data id="b">{"x": "a === b"}</data></datamodel>
  <state id="s" ><transition event="e"
      cond="typeof a === 'undefined' &amp;&amp; b.x !== 1" target="s"/>
    <onentry><assign location="b['x']" expr="b.x"/><send event="a" namelist="a b" delayexpr="'1s'"><param name="p" location="b.y"/></send>
      <if cond="In('s')"><log label="a === b" expr="&quot;n&quot; + a"/></if></onentry>
    <invoke><content><scxml version="1.0" datamodel="ecmascript"><final id="f"/></scxml></content></invoke>
    <invoke><content><scxml version="1.0"/></content></invoke>
    <invoke><content><scxml version="1.0" datamodel="null"><state id="k"><transition cond="In('k')"/></state></scxml></content></invoke>
    <transition cond="typeof a === 'undefined'"/>
  </state>
</scxml>
`
	const want = `<?xml version="1.0"?>
<!-- cond="a === b" -->
<scxml  xmlns="http://www.w3.org/2005/07/scxml" datamodel = "detent" name="it's">
  <datamodel><data id="a" expr="'it\'s'"/><data id="b">{"x": "a === b"}</data></datamodel>
  <state id="s" ><transition event="e"
      cond="(a == nil) and (b?.x != 1)" target="s"/>
    <onentry><assign location="b['x']" expr="b?.x"/><send event="a" namelist="a b" delayexpr="'1s'"><param name="p" location="b?.y"/></send>
      <if cond="In('s')"><log label="a === b" expr="text('n', a)"/></if></onentry>
    <invoke><content><scxml version="1.0" datamodel="detent"><final id="f"/></scxml></content></invoke>
    <invoke><content><scxml version="1.0" datamodel="detent"/></content></invoke>
    <invoke><content><scxml version="1.0" datamodel="null"><state id="k"><transition cond="In('k')"/></state></scxml></content></invoke>
    <transition cond="a == nil"/>
  </state>
</scxml>
`
	got, err := indetent.Rewrite([]byte(before))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("it becomes\n%s", got)
	}
}

// What has no equal is said, with its element.
func TestRewriteRefuses(t *testing.T) {
	for content, want := range map[string]string{
		`<script>x = 1</script>`:                            `<script>: it is a statement`,
		`<log expr="function(a) {return a}"/>`:              `<log>: expr="function(a) {return a}": a function: it has no equal`,
		`<log expr="new Date()"/>`:                          `: new: `,
		`<log expr="a = 1"/>`:                               `: an assignment: `,
		`<log expr="a++"/>`:                                 `: an assignment: `,
		`<log expr="/a/"/>`:                                 `: RegExpLiteral: `,
		`<log expr="a.push(1)"/>`:                           `: the method push: `,
		`<log expr="a.concat(1)"/>`:                         `: concat of what may be text: `,
		`<log expr="a instanceof Date"/>`:                   `: instanceof: `,
		`<log expr="1 == '1'"/>`:                            `: == of two kinds`,
		`<log expr="NaN"/>`:                                 `: NaN: `,
		`<log expr="1 &lt;&lt; 2"/>`:                        `: the operator <<: `,
		`<log expr="[1,,2]"/>`:                              `: a hole in a list: `,
		`<log expr="(function() { for (;;) ; })()"/>`:       `: this statement: `,
		`<log expr="(function(a) { b.c = 1 })()"/>`:         `: an assignment to what is not the function's own: `,
		`<transition cond="(function(a, a) { a.b() })()"/>`: `: this statement: `,
	} {
		_, err := indetent.Rewrite([]byte(content))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\nis refused with %v\nnot %s", content, err, want)
		}
	}
	if _, err := indetent.Rewrite([]byte(`<a>&nope;</a><`)); err == nil {
		t.Error("what is no XML is rewritten")
	}
}
