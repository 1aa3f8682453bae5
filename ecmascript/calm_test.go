package ecmascript

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func TestCalm(t *testing.T) {
	for source, want := range map[string]bool{
		"a == 1": true, "_event.data.n > list[0]": true, "In('a') && !b": true, `a ? 'x' : "y"`: true, "typeof (a)": true, "[a, b][0]": true,
		"x in a": true, "- -a": true, "a ?? b": true, "0x1f": true, "1e3": true, "a?.b": true, "": true, "a >= -1": true, "(a)": true,
		"++a": false, "a --": false, "f()": false, "f ()": false, "f\n()": false, "In(a)(b)": false, "a.b('x')": false, "a?.(1)": false,
		"a[0](1)": false, "a = 1": false, "a += 1": false, "a >>>= 1": false, "a ??= 1": false, "a => 1": false, "`${a}`": false, "/a/": false,
		`'\''`: false, "a // b": false, "new Array": false, "delete a.b": false, "this": false, "a; b": false, "{}": false, "@": false,
		"'open": false, "function () {}": false, `\u0061`: false,
	} {
		if got := calm(source); got != want {
			t.Errorf("calm(%q) is %v", source, got)
		}
	}
}

var (
	seedFlag    = flag.Uint64("seed", uint64(time.Now().UnixNano()), "the seed of random tests")
	sourcesFlag = flag.Int("sources", 1000, "how many random sources TestCalmChangesNothing tries")
)

// parts of sources, some of which change something.
var parts = strings.Fields(`a b list f _event In Array Object Math JSON Symbol undefined null globalThis prototype length constructor toString
	__proto__ name data n 0 1 2.5 'x' "y" . . . . ?. [ ] [ ] ( ) ( ) , + - * % ! ~ == === != < >= && || ?? ? : typeof void in instanceof
	++ -- = += => delete new { } / eval`)

// After an expression that is calm, the engine is as it was.
func TestCalmChangesNothing(t *testing.T) {
	t.Logf("-seed %d -sources %d", *seedFlag, *sourcesFlag)
	random := rand.New(rand.NewPCG(*seedFlag, 0))
	engines := &engines{limits: Limits{Memory: 64 << 20}}
	defer engines.close()
	before := look(t, engines)
	var tried []string
	for tries := 0; tries < *sourcesFlag; {
		source := ""
		for range 1 + random.IntN(7) {
			source += parts[random.IntN(len(parts))] + []string{"", " "}[random.IntN(2)]
		}
		if !calm(source) {
			continue
		}
		tries++
		tried = append(tried, source)
		if _, err := engines.answer(asked(t, source)); err != nil {
			t.Fatalf("%q: %v", source, err)
		}
		if len(tried) < 500 && tries < *sourcesFlag {
			continue
		}
		if after := look(t, engines); after != before {
			t.Fatalf("one of these changes the engine: %q", tried)
		}
		tried = nil
	}
}

// What is not calm does change it: the look is sharp.
func TestLookSeesChanges(t *testing.T) {
	for _, source := range []string{"--Array.prototype.x", "Math.PI2 = 1", "delete JSON.parse", "(Object.prototype.f = () => 1, 1)", "x = Object.freeze(Math)"} {
		engines := &engines{limits: Limits{Memory: 64 << 20}}
		before := look(t, engines)
		if _, err := engines.answer(asked(t, source)); err != nil {
			t.Fatal(err)
		}
		if look(t, engines) == before {
			t.Errorf("%s is not seen", source)
		}
		engines.close()
	}
}

// look describes all that can be reached from the global object.
func look(t *testing.T, engines *engines) string {
	t.Helper()
	out, err := engines.answer(asked(t, `(function () {
		var seen = new Set(), text = "";
		(function walk(o) {
			if (o === null || typeof o !== "object" && typeof o !== "function" || seen.has(o)) return;
			seen.add(o);
			text += Object.isExtensible(o);
			for (var key of Reflect.ownKeys(o)) {
				var d = Object.getOwnPropertyDescriptor(o, key);
				text += String(key) + typeof d.value + d.writable + d.configurable + (Object(d.value) === d.value ? "" : String(d.value));
				walk(d.value); walk(d.get); walk(d.set);
			}
			walk(Object.getPrototypeOf(o));
		})(globalThis);
		return [seen.size, text];
	})()`))
	if err != nil || !strings.HasPrefix(string(out), `{"value":[`) {
		t.Fatalf("looking gives %s, %v", out, err)
	}
	return string(out)
}

// asked is a request for an expression after which the engine is used again.
func asked(t *testing.T, source string) request {
	t.Helper()
	w := writer{b: append([]byte(`{"again":true,"functions":false,"globals":{},"kind":"expression","active":["a"],`), requestLimits...)}
	w.b = appendField(w.b, "source", source)
	w.b = append(w.b, `,"variables":`...)
	err := w.value(map[string]any{"a": map[string]any{"b": int64(1)}, "b": "text", "list": []any{int64(1)}, "f": nil})
	w.b = append(w.b, `,"system":{"session":"s","name":"n","processors":{},"event":{"name":"e","type":"external","data":{"n":1}}}}`...)
	if err != nil {
		t.Fatal(err)
	}
	return request{evaluateAgain, w.b}
}
