package scxml

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/detent-run/detent/statechart"
)

const head = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" `

func readText(t *testing.T, text string) (*Document, error) {
	t.Helper()
	return Read(fstest.MapFS{"doc.scxml": {Data: []byte(text)}}, "doc.scxml")
}

// startText reads, compiles and starts a document.
func startText(t *testing.T, text string) *statechart.Instance {
	t.Helper()
	d, err := readText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	chart, _, err := d.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return chart.Instance(nil)
}

func wantActive(t *testing.T, in *statechart.Instance, want ...string) {
	t.Helper()
	if got := in.Configuration(); !slices.Equal(got, want) {
		t.Errorf("active are %v, want %v", got, want)
	}
}

func TestReadsStates(t *testing.T) {
	in := startText(t, head+`initial="b2 c2">
	  <parallel id="p">
	    <state id="b"><state id="b1"/><state id="b2"><transition event="e f.*" target="h"/></state><history id="h"><transition target="b1"/></history></state>
	    <state id="c"><initial><transition target="c1"/></initial><state id="c1"/><state id="c2"/></state>
	  </parallel></scxml>`)
	wantActive(t, in, "p.b.b2", "p.c.c2")
	in.Send(statechart.Event{Name: "f.g"})
	wantActive(t, in, "p.b.b1", "p.c.c2")
}

func TestReadsActions(t *testing.T) {
	in := startText(t, head+`datamodel="ecmascript">
	  <datamodel><data id="n" expr="0"/><data id="broken" expr="nothing.at.all"/><data id="list">[1, 2, 3]</data></datamodel>
	  <state id="a">
	    <onentry>
	      <foreach array="list" item="each" index="i"><assign location="n" expr="n + each * i"/></foreach>
	      <if cond="n == 0"><raise event="zero"/><elseif cond="n == 8"/><raise event="eight"/><else/><raise event="other"/></if>
	    </onentry>
	    <onentry><assign location="undeclared" expr="1"/><raise event="skipped"/></onentry>
	    <transition event="eight" cond="typeof broken === 'undefined' &amp;&amp; In('a')" target="b"/>
	    <transition event="*" cond="_event.name != 'error.execution'" target="wrong"/>
	  </state>
	  <state id="b"><transition event="error.execution" target="c"/></state>
	  <state id="c"/><state id="wrong"/></scxml>`)
	wantActive(t, in, "c")
}

func TestReadsSends(t *testing.T) {
	in := startText(t, head+`datamodel="ecmascript"><datamodel><data id="x" expr="7"/><data id="where"/></datamodel>
	  <state id="a"><onentry>
	    <send event="plain" namelist="x"><param name="y" expr="x + 1"/></send>
	    <send event="late" delay=".5s" idlocation="where"/>
	    <send event="up" target="#_parent"><content>some   text</content></send>
	    <cancel sendidexpr="where"/>
	    <send event="never" target="nonsense"/>
	  </onentry><transition event="error.execution" target="b"/></state><state id="b"/></scxml>`)
	wantActive(t, in, "b")
	effects := in.Effects()
	if len(effects) != 4 {
		t.Fatalf("effects are %+v", effects)
	}
	if data, _ := effects[0].Data.(map[string]any); data["x"] != int64(7) || data["y"] != int64(8) {
		t.Errorf("plain carries %v", effects[0].Data)
	}
	if effects[1].Type != statechart.EffectSchedule || effects[1].Due != 500 || effects[3].Type != statechart.EffectUnschedule {
		t.Errorf("late is %+v, then %+v", effects[1], effects[3])
	}
	if effects[2].To != "parent" || effects[2].Data != "some text" {
		t.Errorf("up is %+v", effects[2])
	}
}

func TestRefuses(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"no XML":         {"<scxml", "unexpected EOF"},
		"another root":   {"<html/>", "the root element"},
		"unknown target": {head + `><state id="a"><transition event="e" target="nowhere"/></state></scxml>`, `no state has the id "nowhere"`},
		"equal ids":      {head + `><state id="a"/><state id="a"/></scxml>`, `two states have the id "a"`},
		"a script":       {head + `><state id="a"><onentry><script>x()</script></onentry></state></scxml>`, "<script> in line 1"},
		"another element": {head + `><state id="a"><onentry><x:beep xmlns:x="urn:x"/></onentry></state></scxml>`,
			"urn:x beep"},
		"late binding": {head + ` binding="late"><state id="a"/></scxml>`, "late binding"},
		"a new name":   {head + `><state id="a"><onentry><send eventexpr="x"/></onentry></state></scxml>`, "not constant"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := readText(t, test.text)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			if HasScript(err) != (name == "a script") {
				t.Errorf("HasScript is %v", HasScript(err))
			}
		})
	}
}
