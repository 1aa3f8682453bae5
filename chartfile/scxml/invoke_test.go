package scxml_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile/scxml"
)

// Invocations: what a parent logs of its children.
func TestInvocations(t *testing.T) {
	reports := document("", `<datamodel><data id="n" expr="0"/><data id="m" expr="7"/></datamodel><final id="f"><donedata><param name="n" expr="n"/><param name="m" expr="m"/></donedata></final>`)
	inside := strings.Replace(reports, ` xmlns="http://www.w3.org/2005/07/scxml"`, "", 1)
	echo := document("", `<state id="e"><transition event="*"><send eventexpr="'echo.' + _event.name" target="#_parent"><param name="got" expr="_event?.data"/></send></transition></state>`)
	o := scxml.Options{Files: files(map[string]string{
		"reports.scxml": reports, "echo.scxml": echo,
		"deep/first.scxml":  document("", `<state id="a"><invoke src="second.scxml"/><transition event="done.invoke" target="f"/></state><final id="f"><donedata><content>first</content></donedata></final>`),
		"deep/second.scxml": document("", `<final id="f"/>`),
	})}
	for _, c := range []struct {
		name, invoke string
		children     []string
		events       []string
		logs         string
	}{
		{"a document in the document", `<invoke id="i"><param name="n" expr="x"/><content>` + inside + `</content></invoke>`, []string{"door_1"}, nil, `["done.invoke.i",{"m":7,"n":1}]`},
		{"a document as text", `<invoke id="i" namelist="n"><content><![CDATA[` + reports + `]]></content></invoke>`, []string{"door_1"}, nil, `["done.invoke.i",{"m":7,"n":5}]`},
		{"a document in a file", `<invoke id="i" src="file:reports.scxml" type="http://www.w3.org/TR/scxml/"/>`, []string{"reports"}, nil, `["done.invoke.i",{"m":7,"n":0}]`},
		{"a document in a folder", `<invoke id="i" src="deep/first.scxml"/>`, []string{"first", "second"}, nil, `["done.invoke.i","first"]`},
		{"one file twice", `<invoke id="i" src="reports.scxml"/><invoke id="k" src="reports.scxml"/>`, []string{"reports"}, nil, `["done.invoke.i",{"m":7,"n":0}] ["done.invoke.k",{"m":7,"n":0}]`},
		{"a document that is computed", `<invoke id="i"><content expr="text"/></invoke>`, nil, nil, `["done.invoke.i",null]`},
		{"an id that is stored", `<invoke idlocation="x"><content>` + inside + `</content></invoke>`, []string{"door_1"}, nil, `["done.invoke.a.1",{"m":7,"n":0}]`},
		{"events passed on", `<invoke id="i" src="echo.scxml" autoforward="true"/>`, []string{"echo"}, []string{"hello"}, `["hello",null] ["echo.hello",{"got":null}] ["echo.echo.hello",{"got":{"got":null}}]`},
		{"finalize", `<invoke id="i"><content>` + inside + `</content><finalize><assign location="x" expr="_event.data.m"/><log expr="x"/></finalize></invoke>`, []string{"door_1"}, nil, `7 ["done.invoke.i",{"m":7,"n":0}]`},
		{"a type that there is not", `<invoke id="i" type="urn:x" src="anything"/>`, nil, nil, `["error.execution","no process of the kind \"urn:x\" can be started"]`},
		{"an argument that is wrong", `<invoke id="i" src="reports.scxml"><param name="n" expr="nothing"/></invoke>`, []string{"reports"}, nil, `["error.execution","there is no variable \"nothing\" here"]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := document("", `<datamodel><data id="x" expr="1"/><data id="n" expr="5"/><data id="text"><scxml><final/></scxml></data></datamodel>
				<state id="a">`+c.invoke+`<onexit><raise event="left"/></onexit><transition event="error"><log expr="[_event.name, _event.data.message]"/></transition>
				<transition event="echo.echo" target="b"><log expr="[_event.name, _event?.data]"/></transition><transition event="*"><log expr="[_event.name, _event?.data]"/></transition></state><state id="b"/>`)
			doc, _ := scxml.Read("door.scxml", []byte(text), o)
			if got := slices.Sorted(maps.Keys(doc.Children)); !slices.Equal(got, c.children) {
				t.Errorf("the children are %v, want %v", got, c.children)
			}
			w := start(t, text, o)
			send(t, w, c.events...)
			if got := logged(t, w); got != c.logs {
				t.Errorf("logged is %s, want %s", got, c.logs)
			}
		})
	}
}

// A document may invoke itself, and two may invoke each other.
func TestDocumentsInvokeEachOther(t *testing.T) {
	call := func(src string) string {
		return document("", `<state id="wait"><transition event="go" target="a"/></state><state id="a"><invoke src="`+src+`"/></state>`)
	}
	o := scxml.Options{Files: files(map[string]string{"door.scxml": call("gate.scxml"), "gate.scxml": call("door.scxml"), "self.scxml": call("self.scxml")})}
	for start, want := range map[string][]string{"gate.scxml": {"door_2", "gate"}, "self.scxml": {"self"}} {
		doc, found := scxml.Read("door.scxml", []byte(call(start)), o)
		if len(found) > 0 {
			t.Fatal(found)
		}
		if got := slices.Sorted(maps.Keys(doc.Children)); !slices.Equal(got, want) {
			t.Errorf("%s: the children are %v, want %v", start, got, want)
		}
		for id, child := range doc.Children {
			if _, found := child.Compile(nil); len(found) > 0 || len(child.Children) == 0 {
				t.Errorf("%s: %v, with the children %v", id, found, child.Children)
			}
		}
	}
}
