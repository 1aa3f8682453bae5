package scxml_test

import (
	"testing"

	"github.com/detent-run/detent/chartfile/scxml"
)

// What documents do: the log of a session and where it comes to rest after
// its events.
func TestDocumentsRun(t *testing.T) {
	for _, c := range []struct {
		name, attributes, content string
		events                    []string
		logs                      string
		active                    []string
	}{
		{name: "the first child is entered", content: `<state id="a"><state id="a1"/><state id="a2"/></state><state id="b"/>`, active: []string{"a.a1"}},
		{name: "several initials", attributes: `initial="b2 c2"`, content: `<state id="a"/><parallel id="p"><state id="b"><state id="b1"/><state id="b2"/></state>
			<state id="c"><state id="c1"/><state id="c2"/></state></parallel>`, active: []string{"p.b.b2", "p.c.c2"}},
		{name: "ids with dots and states without ids", content: `<state id="a.b"><transition event="go" target="c.d.e"/></state><state><state id="c.d"><state id="c.d.e"/></state></state>`,
			events: []string{"go"}, active: []string{"_state_1.c·d.c·d·e"}},
		{name: "a history that comes first", content: `<state id="a"><history id="h"><transition target="a2"/></history><state id="a1"/><state id="a2"/></state>`, active: []string{"a.a1"}},
		{name: "white space and line ends", content: "<state><onentry><log label='a\r\n\tb&#10;c'/><assign location='x'><t>\r\n</t></assign><log expr='x'/></onentry></state><datamodel><data id='x'/></datamodel>",
			logs: `"a  b\nc" "\u003ct xmlns=\"http://www.w3.org/2005/07/scxml\"\u003e\n\u003c/t\u003e"`, active: []string{"_state_1"}},
		{name: "XML with prefixes", attributes: `xmlns:p="u"`, content: `<datamodel><data id="x"><p:a/><p:b p:c=""><p:d/><e xmlns=""/></p:b></data></datamodel><state id="a"><onentry><log expr="x"/></onentry></state>`,
			logs: `"\u003cp:a xmlns:p=\"u\"/\u003e\u003cp:b xmlns:p=\"u\" p:c=\"\"\u003e\u003cp:d/\u003e\u003ce xmlns=\"\"/\u003e\u003c/p:b\u003e"`, active: []string{"a"}},
		{name: "ids that differ in a dot", content: `<state id="a.b"><transition target="a·b"/></state><state id="a·b"/>`, active: []string{"a·b·2"}},
		{name: "initial and history with actions", content: `<state id="a"><onentry><log expr="1"/></onentry><initial><transition target="h"><log expr="2"/></transition></initial>
			<history id="h"><transition target="a1"><log expr="3"/></transition></history><state id="a1"><onentry><log expr="4"/></onentry></state><state id="a2"/>
			<transition event="next" target="a2"/><transition event="leave" target="b"/></state><state id="b"><transition event="back" target="h"/></state>`,
			events: []string{"next", "leave", "back"}, logs: "1 2 3 4 1 1", active: []string{"a.a2"}},
		{name: "deep history", content: `<state id="a"><history id="h" type="deep"><transition target="a11"/></history><state id="a1"><state id="a11"><transition event="next" target="a12"/></state><state id="a12"/></state>
			<transition event="leave" target="b"/></state><state id="b"><transition event="back" target="h"/></state>`, events: []string{"next", "leave", "back"}, active: []string{"a.a1.a12"}},
		{name: "external and internal transitions", content: `<state id="a"><onexit><log expr="'out'"/></onexit><transition event="in" type="internal" target="a2"/><transition event="ex" target="a1"/>
			<state id="a1"/><state id="a2"/></state>`, events: []string{"in", "ex"}, logs: `"out"`, active: []string{"a.a1"}},
		{name: "descriptors", content: `<state id="a"><transition event="x door.opened. y.*" target="b"/></state><state id="b"><transition event="*" target="c"/></state><state id="c"/>`,
			events: []string{"door", "door.opened.wide", "z"}, active: []string{"c"}},
		{name: "blocks of their own", content: `<state id="a"><onentry><log expr="1"/><assign location="nowhere" expr="1"/><log expr="2"/></onentry><onentry><log expr="3"/></onentry>
			<transition event="error.execution" target="b"/></state><state id="b"/>`, logs: "1 3", active: []string{"b"}},
		{name: "labels", content: `<state id="a"><onentry><log label="n" expr="1 + 1"/><log label="only"/><log/></onentry></state>`, logs: `{"n":2} "only" ""`, active: []string{"a"}},
		{name: "if", content: `<datamodel><data id="n" expr="2"/></datamodel><state id="a"><onentry>
			<if cond="n == 1"><log expr="1"/><elseif cond="n == 2"/><log expr="2"/><log expr="n"/><else/><log expr="3"/></if>
			<if cond="n == 3"><elseif cond="n == 4"/><log expr="4"/><else/><log expr="5"/></if></onentry></state>`, logs: "2 2 5", active: []string{"a"}},
		{name: "foreach declares what nobody does", content: `<state id="a"><onentry><foreach array="['a', 'b']" item="x" index="i"><log expr="[i, x]"/></foreach><log expr="x"/></onentry></state>`,
			logs: `[0,"a"] [1,"b"] "b"`, active: []string{"a"}},
		{name: "a foreach that is wrong", content: `<state id="a"><onentry><foreach array="[1]" item="'x'"/><log expr="1"/></onentry><transition event="error.execution" target="b"/></state><state id="b"/>`,
			active: []string{"b"}},
		{name: "a condition that is wrong", content: `<state id="a"><transition cond="nothing &gt; 1" target="c"/><transition cond="" target="c"/><transition event="error.execution" target="b"/></state><state id="b"/><state id="c"/>`,
			active: []string{"b"}},
		{name: "early binding", content: `<state id="a"><onentry><log expr="late"/></onentry><transition event="next" target="b"/></state><state id="b"><datamodel><data id="late" expr="1"/></datamodel></state>`,
			logs: "1", active: []string{"a"}},
		{name: "late binding", attributes: `binding="late"`, content: `<state id="a"><onentry><log expr="late"/></onentry><transition event="next" target="b"/></state>
			<state id="b"><datamodel><data id="late" expr="1"/></datamodel><onentry><log expr="late"/></onentry></state>`, events: []string{"next"}, logs: "null 1", active: []string{"b"}},
		{name: "content of data", content: `<datamodel><data id="list"> [1, 2.5, "x"] </data><data id="text">two
			words</data><data id="mark"><![CDATA[ <b/> ]]></data><data id="none"/></datamodel>
			<state id="a"><onentry><log expr="list"/><log expr="text"/><log expr="mark"/><log expr="none"/></onentry></state>`, logs: `[1,2.5,"x"] "two words" "\u003cb/\u003e" null`, active: []string{"a"}},
		{name: "a value that is wrong", content: `<datamodel><data id="x" expr="1 +"/><data id="y" expr="2"/></datamodel><state id="a"><onentry><log expr="[x, y]"/></onentry>
			<transition event="error.execution" target="b"/></state><state id="b"/>`, logs: "[null,2]", active: []string{"b"}},
		{name: "assign", content: `<datamodel><data id="x">{"n": 1}</data></datamodel><state id="a"><onentry><assign location=" x.n " expr="x.n + 1"/><log expr="x"/>
			<assign location="x">[true]</assign><log expr="x"/></onentry></state>`, logs: `{"n":2} [true]`, active: []string{"a"}},
		{name: "donedata", content: `<state id="a"><state id="a1"><transition target="a2"/></state><final id="a2"><donedata><param name="n" expr="1"/><param name="n" expr="2"/><param name="m" expr="3"/><param name="n" expr="4"/></donedata></final>
			<transition event="done.state.a" target="b"><log expr="_event.data"/></transition></state><state id="b"/>`, logs: `{"m":3,"n":[1,2,4]}`, active: []string{"b"}},
		{name: "donedata that is wrong", content: `<state id="a"><transition event="error.execution"><log expr="'error'"/></transition><state id="a1"><transition target="a2"/></state><final id="a2"><donedata><param name="n" location="nowhere"/></donedata></final>
			<transition event="done.state.a" target="b"><log expr="_event?.data == nil"/></transition></state><state id="b"/>`, logs: `"error" true`, active: []string{"b"}},
		{name: "In", content: `<parallel id="p"><state id="a"><transition event="e" cond="In('b2')" target="a2"/></state><state id="a2"/><state id="b"><state id="b1"><transition event="f" target="b2"/></state><state id="b2"/></state></parallel>`,
			events: []string{"e", "f"}, active: []string{"p.a", "p.a2", "p.b.b2"}},
		{name: "without values", attributes: `datamodel="null"`, content: `<parallel id="p"><state id="a"><state id="a1"><transition event="e" cond=" In ( &quot;b2&quot; ) " target="a2"/><transition event="e" cond="In('nowhere')" target="a3"/></state><state id="a2"/><state id="a3"/></state>
			<state id="b"><state id="b1"><transition event="f" target="b2"/></state><state id="b2"/></state></parallel>`, events: []string{"e", "f", "e"}, active: []string{"p.a.a2", "p.b.b2"}},
		{name: "a log without values", attributes: `datamodel="null"`, content: `<state id="a"><onentry><log label="x" expr="1"/></onentry><transition event="error.execution" target="b"/></state><state id="b"/>`, active: []string{"b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := start(t, document(c.attributes, c.content), scxml.Options{})
			send(t, w, c.events...)
			active(t, w, c.active...)
			if got := logged(t, w); got != c.logs {
				t.Errorf("logged is %s, want %s", got, c.logs)
			}
		})
	}
}

// Sends: what comes, when, and what fails.
func TestSends(t *testing.T) {
	for _, c := range []struct{ name, actions, logs string }{
		{"an event and its values", `<send eventexpr="'got' + '.it'" namelist="x y"><param name="x" expr="3"/><param name="z" location="y"/></send>`, `["got.it",{"x":[1,3],"y":2,"z":2}]`},
		{"content", `<send event="got"><content>some
			text</content></send><send event="got"><content expr="x + 1"/></send><send event="got"><content/></send>`, `["got","some text"] ["got",2] ["got",null]`},
		{"XML as content", `<send event="got"><content><door xmlns=""><lock n="&quot;1&quot;"/>a &amp; b</door></content></send>`, `["got","\u003cdoor xmlns=\"\"\u003e\u003clock n=\"\u0026quot;1\u0026quot;\"/\u003ea \u0026amp; b\u003c/door\u003e"]`},
		{"no values at all", `<send event="got" namelist=""/>`, `["got",null]`},
		{"internal before external", `<send event="got.outside"/><send event="got.inside" target="#_internal"/><raise event="got.raised"/>`, `["got.inside",null] ["got.raised",null] ["got.outside",null]`},
		{"delays", `<send event="got.late" delay=".5s"/><send event="got.soon" delayexpr="'10ms'"/><send event="got.now" delay="0s"/>`, `["got.now",null] ["got.soon",null] ["got.late",null]`},
		{"ids", `<send event="got.never" id="one" delay="1s"/><cancel sendid="one"/><send event="got.neither" idlocation="x" delay="1s"/><cancel sendidexpr="x"/><send event="got.end" delay="2s"/>`, `["got.end",null]`},
		{"a target that is none", `<send event="got" target="nonsense"/><raise event="got.after"/>`, `["error.execution"]`},
		{"a processor that there is not", `<send event="got" type="urn:x"/><raise event="got.after"/>`, `["error.execution"]`},
		{"nothing but a processor", `<send type="urn:x"><content>x</content></send>`, `["error.execution"]`},
		{"a delay that is none", `<send event="got" delay="soon"/>`, `["error.execution"]`},
		{"a value that is wrong", `<send event="got"><param name="x" expr="nothing"/></send>`, `["error.execution"]`},
		{"nobody there", `<send event="got" target="#_scxml_nobody"/><raise event="got.after"/>`, `["error.communication"] ["got.after",null]`},
		{"processors of SCXML", `<send event="got" type="scxml"/><send event="got" typeexpr="'http://www.w3.org/TR/scxml/#SCXMLEventProcessor'" targetexpr="'#_internal'"/>`, `["got",null] ["got",null]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := start(t, document("", `<datamodel><data id="x" expr="1"/><data id="y" expr="2"/></datamodel><state id="a"><onentry>`+c.actions+`</onentry>
				<transition event="got"><log expr="[_event.name, _event?.data]"/></transition><transition event="error"><log expr="[_event.name]"/></transition></state>`), scxml.Options{})
			for range 3 {
				if _, err := w.AdvanceToNext(); err != nil {
					t.Fatal(err)
				}
			}
			if got := logged(t, w); got != c.logs {
				t.Errorf("logged is %s, want %s", got, c.logs)
			}
		})
	}
}
