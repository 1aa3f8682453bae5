package scxml_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/statechart"
)

const open = `<scxml xmlns="http://www.w3.org/2005/07/scxml" datamodel="detent">`

// Each limit: at it, one above, a hundred times as much. What is refused is
// refused with its code, and without much work.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(n int) string
		most int
		code statechart.Code
	}{
		{"bytes", func(n int) string {
			end := "--><state/></scxml>"
			return open + "<!--" + strings.Repeat("x", n-len(open)-len("<!--")-len(end)) + end
		}, 1 << 20, chartfile.CodeTooLarge},
		{"nesting", func(n int) string {
			return open + strings.Repeat("<state>", n-1) + strings.Repeat("</state>", n-1) + "</scxml>"
		}, 64, chartfile.CodeTooLarge},
		{"elements", func(n int) string {
			return open + "<datamodel><data id='x'>" + strings.Repeat("<a/>", n-4) + "</data></datamodel><state/></scxml>"
		}, 100_000, chartfile.CodeTooLarge},
		{"attributes", func(n int) string {
			return `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:x="urn:x"` + numbered(` x:a%d=""`, n-2) + "><state/></scxml>"
		}, 256, chartfile.CodeTooLarge},
		{"bytes of a name", func(n int) string {
			return `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:x="urn:x" x:` + strings.Repeat("n", n-2) + `=""><state/></scxml>`
		}, 1_000, chartfile.CodeTooLarge},
		{"bytes of a path", func(n int) string {
			return open + `<state id="` + strings.Repeat("a", n-2) + `"><state id="b"/></state></scxml>`
		}, 1_000, statechart.CodeLimit},
		{"states", func(n int) string { return open + numbered(`<state id="s%d"/>`, n-1) + "</scxml>" }, 10_000, statechart.CodeLimit},
		{"branches", func(n int) string {
			return open + `<state><onentry><if cond="true">` + numbered(`<elseif cond="1 == %d"/>`, n) + "</if></onentry></state></scxml>"
		}, 100, statechart.CodeLimit},
		{"branches of several", func(n int) string {
			one := `<if cond="true">` + numbered(`<elseif cond="1 == %d"/>`, n) + "</if>"
			return open + `<state><onentry>` + one + one + "</onentry></state></scxml>"
		}, 100, statechart.CodeLimit},
		{"documents", func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, `<state id="a%d"><invoke><content><scxml><state/></scxml></content></invoke></state>`, i)
			}
			return open + b.String() + "</scxml>"
		}, 256, chartfile.CodeTooLarge},
		{"variables", func(n int) string {
			return open + "<datamodel>" + numbered(`<data id="x%d"/>`, n) + "</datamodel><state/></scxml>"
		}, 1_000, statechart.CodeLimit},
	} {
		t.Run(c.name, func(t *testing.T) {
			if found := check("door.scxml", []byte(c.make(c.most)), scxml.Options{}); found.Errors() {
				t.Errorf("at the limit: %v", found[:min(len(found), 5)])
			}
			for _, n := range []int{c.most + 1, 100 * c.most} {
				found, used := costly(c.make(n))
				if !hasCode(found, c.code) && !hasCode(found, chartfile.CodeTooLarge) {
					t.Errorf("%d: %v", n, found[:min(len(found), 5)])
				}
				if used > 128<<20 {
					t.Errorf("%d: %d MiB were allocated", n, used>>20)
				}
			}
		})
	}
}

// What a hint compares is bounded for the document: the first of many wrong
// names get a near one, the last do not.
func TestHintsAreBounded(t *testing.T) {
	text := open + numbered(`<state id="state-%04d-of-many"/>`, 1_000) + "<state>" + numbered(`<transition event="e" target="state-%04d-of-mony"/>`, 50) + "</state></scxml>"
	found := check("door.scxml", []byte(text), scxml.Options{})
	if n := len(found); n != 50 {
		t.Fatalf("%d things are said", n)
	}
	if first, last := found[0].Hint, found[49].Hint; first != `did you mean "state-0000-of-many"?` || last != "a target is the id of a state" {
		t.Errorf("the hints are %s and %s", first, last)
	}
}

// costly checks a document and tells how many bytes that allocated.
func costly(text string) (chartfile.Diagnostics, uint64) {
	data := []byte(text)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	found := check("door.scxml", data, scxml.Options{})
	runtime.ReadMemStats(&after)
	return found, after.TotalAlloc - before.TotalAlloc
}

func hasCode(found chartfile.Diagnostics, code statechart.Code) bool {
	for _, d := range found {
		if d.Code == code {
			return true
		}
	}
	return false
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// Documents that are made to cost much, and cost little.
func TestBombs(t *testing.T) {
	lol := `<!DOCTYPE lolz [<!ENTITY a0 "lol">`
	for i := 1; i < 10; i++ {
		lol += fmt.Sprintf(`<!ENTITY a%d "%s">`, i, strings.Repeat(fmt.Sprintf("&a%d;", i-1), 10))
	}
	spaces := strings.Repeat("<x:a "+numbered(`xmlns:p%d="u" `, 250)+">", 40)
	for name, c := range map[string]struct {
		text string
		code statechart.Code
		most int // MiB; the race detector's own can be as much again
	}{
		"a billion laughs":         {lol + "]>" + open + `<state id="&a9;"/></scxml>`, chartfile.CodeXML, 1},
		"one long entity, often":   {`<!DOCTYPE x [<!ENTITY a "` + strings.Repeat("a", 100_000) + `">]>` + open + strings.Repeat("&a;", 100_000) + "</scxml>", chartfile.CodeXML, 4},
		"unknown entities":         {open + `<state id="` + strings.Repeat("&a;", 300_000) + `"/></scxml>`, chartfile.CodeXML, 64},
		"nesting that never ends":  {open + strings.Repeat("<state>", 140_000), chartfile.CodeTooLarge, 8},
		"nesting in data":          {open + `<datamodel><data id="x">` + strings.Repeat("<a>", 300_000), chartfile.CodeTooLarge, 8},
		"lists in lists":           {open + `<datamodel><data id="x">` + strings.Repeat("[", 500_000) + `</data></datamodel><state/></scxml>`, statechart.CodeInvalid, 32},
		"small pieces of text":     {open + `<state>` + strings.Repeat("a<!---->", 130_000) + `</state></scxml>`, statechart.CodeNotAllowed, 64},
		"many unknown targets":     {open + `<state><transition event="e" target="` + strings.Repeat("a ", 500_000) + `"/></state></scxml>`, statechart.CodeUnknownState, 64},
		"a long namelist":          {open + `<state><onentry><send event="e" namelist="` + numbered("a%d ", 140_000) + `"/></onentry></state></scxml>`, statechart.CodeInvalid, 256},
		"many unknown elements":    {open + strings.Repeat("<a/>", 90_000) + "</scxml>", chartfile.CodeUnknownElement, 128},
		"many namespaces":          {`<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:x="u">` + numbered(`<b xmlns="%d"/>`, 50_000) + "<state/></scxml>", chartfile.CodeNamespace, 128},
		"many prefixes":            {`<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:x="u" datamodel="detent"><datamodel><data id="d">` + spaces + numbered(`<x:b xmlns:q="%d"/>`, 25_000) + strings.Repeat("</x:a>", 40) + "</data></datamodel><state/></scxml>", "", 128},
		"ids that become one name": {open + same(14) + "</scxml>", statechart.CodeLimit, 128},
		"references":               {open + `<state><onentry><log label="` + strings.Repeat("&#97;", 200_000) + `"/></onentry></state></scxml>`, "", 64},
		"expressions that fail":    {open + "<state><onentry>" + numbered(`<log expr="a%d +"/>`, 40_000) + "</onentry></state></scxml>", statechart.CodeExpression, 1024},
	} {
		t.Run(name, func(t *testing.T) {
			found, used := costly(c.text)
			if c.code != "" && !hasCode(found, c.code) || c.code == "" && len(found) > 0 || len(found) > 1_001 {
				t.Errorf("%d diagnostics: %v", len(found), found[:min(len(found), 3)])
			}
			if used > uint64(c.most)<<20 {
				t.Errorf("%d MiB were allocated", used>>20)
			}
		})
	}
}

// same is states whose ids differ in n places that names do not keep.
func same(n int) string {
	var b strings.Builder
	for i := range 1 << n {
		id := "a"
		for bit := range n {
			id += string([]rune{'.', '·'}[i>>bit&1])
		}
		b.WriteString(`<state id="` + id + `"/>`)
	}
	return b.String()
}
