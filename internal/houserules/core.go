package houserules

import (
	"slices"
	"strings"
)

// core is what the step is made of: the rules about it hold for each of these
// packages, and they may import one another. The reader of JSON and the measure
// behind "did you mean" stand apart from statechart because every other edge
// uses them too (ADR 0006).
var core = []string{"statechart/...", "internal/strictjson", "internal/edits"}

// coreImports is what the core may import, with the reason.
var coreImports = map[string]string{
	"bytes":           "values",
	"cmp":             "values",
	"crypto/sha256":   "digests",
	"encoding/base64": "values",
	"encoding/binary": "values",
	"encoding/hex":    "values",
	"encoding/json":   "snapshots; writes maps in the order of their keys",
	"errors":          "errors",
	"fmt":             "messages at compile time; prints maps in the order of their keys",
	"hash/fnv":        "tables; the same sum on each run",
	"io":              "io.EOF and the interfaces; opens nothing",
	"iter":            "sequences; ranging over a function starts no goroutine",
	"maps":            "copies; its Keys, Values and All only sorted, see checkCoreBodies",
	"math":            "values",
	"math/big":        "exact numbers",
	"math/bits":       "sets of states",
	"slices":          "values",
	"sort":            "values",
	"strconv":         "values",
	"strings":         "values",
	"sync/atomic":     "publishes plans without a lock",
	"unicode":         "values",
	"unicode/utf8":    "values",
	"unicode/utf16":   "values",
	"unsafe":          "carries the pointer to a typed context; turned back only in coreFiles, see convertsUnsafe",
}

// coreRefused says why the step cannot have what people reach for first. What
// is in neither table is refused too, with less to say.
var coreRefused = map[string]string{
	"context":      "the core waits for nothing",
	"hash/maphash": "its sums differ on each run",
	"io/fs":        "the core reads no files",
	"log":          "the trace says what happened",
	"log/slog":     "the trace says what happened",
	"math/rand":    "randomness enters with the event",
	"math/rand/v2": "randomness enters with the event",
	"net":          "the core performs nothing",
	"os":           "the core reads nothing outside its arguments",
	"reflect":      "only in files with a row in coreFiles",
	"sync":         "an instance has one owner; plans are published by an atomic pointer",
	"time":         "the time enters with the event",
}

// coreFile lets one file of the core import one more package or, for unsafe,
// convert pointers.
type coreFile struct{ file, imports, reason string }

// coreFiles is meant to stay short. A row that nothing needs is a finding.
var coreFiles = []coreFile{
	{"internal/strictjson/unmarshal.go", "reflect", "fills Go structs; a field is found by its tag, never by the order of a map"},
	{"statechart/typed.go", "unsafe", "a typed context reaches its functions as one pointer, without an allocation"},
}

// checkCoreImports keeps the clock, chance and the outside out of the core.
func checkCoreImports(h *house) []finding {
	var found []finding
	used := map[coreFile]bool{}
	for _, p := range h.packages {
		if !coversAny(core, p.path) {
			continue
		}
		for _, s := range p.product() {
			for i, imported := range s.imports() {
				if f := (coreFileRow(s.path, imported)); f != (coreFile{}) {
					used[f] = true
				} else if coreImports[imported] == "" && !strings.HasPrefix(imported, mainPath+"/") {
					found = append(found, finding{s.path, h.place(s.syntax.Imports[i].Pos()), "imports " + imported + refusal(imported)})
				}
			}
		}
	}
	return append(found, staleCoreFiles(h, used)...)
}

func coreFileRow(file, imported string) coreFile {
	for _, f := range coreFiles {
		if f.file == file && f.imports == imported {
			return f
		}
	}
	return coreFile{}
}

func refusal(imported string) string {
	if why := coreRefused[imported]; why != "" {
		return ": " + why
	}
	return ", which has no row in internal/houserules/core.go"
}

// staleCoreFiles reports rows about files that exist and do not need them.
func staleCoreFiles(h *house, used map[coreFile]bool) []finding {
	var found []finding
	for _, f := range coreFiles {
		if !used[f] && slices.Contains(h.files, f.file) {
			found = append(found, finding{f.file, "internal/houserules/core.go", "does not import " + f.imports + " any more; remove its row"})
		}
	}
	return found
}
