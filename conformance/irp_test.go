package conformance

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/detent-run/detent/internal/world"
)

// The sizes of the W3C's lists in the package.
const (
	mandatory = 160
	sayable   = 156
	optional  = 20
)

// notInDetent are the mandatory documents that no language of expressions
// alone can say, with why.
var notInDetent = map[string]string{
	"test302.txml.scxml": "a script",
	"test303.txml.scxml": "a script",
	"test304.txml.scxml": "a script",
	"test436.txml.scxml": "the null data model",
}

// runIRP runs documents and returns how many of them end in "pass".
func runIRP(t *testing.T, suite string, files fs.FS, names []string, as reader, options world.Options) (passed int) {
	t.Helper()
	misses := map[string]string{}
	for _, name := range names {
		d, err := as.open(files, name)
		if err == nil {
			err = verdict(d, options)
		}
		if err != nil {
			misses[name] = err.Error()
			continue
		}
		passed++
	}
	report(t, suite, misses)
	compare(t, suite, misses)
	return passed
}

// runMandatory runs the W3C's mandatory documents unmodified.
func runMandatory(t *testing.T, files fs.FS, as reader, options world.Options) string {
	list := irpDocuments(t, files)
	if len(list.mandatory) != mandatory {
		t.Errorf("the manifest names %d mandatory automated documents, want %d", len(list.mandatory), mandatory)
	}
	return fmt.Sprintf("irp-unmodified %d/%d", runIRP(t, "irp-unmodified", files, list.mandatory, as, options), len(list.mandatory))
}

// runOptional runs the optional documents of the ECMAScript data model. The
// other optional ones need the Basic HTTP event processor.
func runOptional(t *testing.T, files fs.FS, as reader, options world.Options) string {
	list := irpDocuments(t, files)
	if len(list.ecmascript) != optional {
		t.Errorf("the manifest names %d optional documents of ECMAScript, want %d", len(list.ecmascript), optional)
	}
	return fmt.Sprintf("irp-optional %d/%d", runIRP(t, "irp-optional", files, list.ecmascript, as, options), len(list.ecmascript))
}

// runInDetent runs the mandatory documents rewritten in Detent's expression
// language.
func runInDetent(t *testing.T, files fs.FS, as reader, options world.Options) string {
	list := irpDocuments(t, files)
	names := slices.DeleteFunc(list.mandatory, func(name string) bool { return notInDetent[name] != "" })
	if len(names) != sayable {
		t.Errorf("there are %d documents to rewrite, want %d", len(names), sayable)
	}
	return fmt.Sprintf("irp-detent %d/%d", runIRP(t, "irp-detent", files, names, as, options), len(names))
}

// Test 288 of the newest list is not in the package. What it asserts: without
// an expression, an assignment takes its value from its children.
func TestAssert288(t *testing.T) {
	const text = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
  <datamodel><data id="list" expr="null"/></datamodel>
  <state id="waiting">
    <onentry><assign location="list">[4, 5, 6]</assign></onentry>
    <transition cond="list.length == 3 &amp;&amp; list[2] == 6" target="pass"/>
    <transition target="fail"/>
  </state>
  <final id="pass"/>
  <final id="fail"/>
</scxml>`
	for name, as := range map[string]reader{"ecmascript": asTheyAre, "detent": inDetent} {
		d, err := as.read(fstest.MapFS{}, "own288.scxml", []byte(text))
		if err == nil {
			err = verdict(d, world.Options{Reload: true})
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	wrong := strings.Replace(text, "[4, 5, 6]", "[4, 5]", 1)
	d, err := asTheyAre.read(fstest.MapFS{}, "own288.scxml", []byte(wrong))
	if err != nil {
		t.Fatal(err)
	}
	if verdict(d, world.Options{}) == nil {
		t.Error("another value passes as well")
	}
}
