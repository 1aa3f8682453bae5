package strictjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/detent-run/detent/internal/strictjson"
)

// What is read is what encoding/json reads, and what is written again reads
// the same. What is refused has a place.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`null`, `{"a": [1, -0.5e+3, "\ud83d\ude00\n"], "b": {}}`, `[[[]]]`, `{"a":1,"a":2}`, `"\u0000"`, "\"\xff\"", `[1,]`, ` 12 `, `1E400`, `"\ud800\ud800"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		limits := strictjson.Limits{Bytes: 1 << 16, Depth: 100}
		n, err := strictjson.Parse(data, limits)
		if err != nil {
			e, ok := errors.AsType[*strictjson.Error](err)
			if !ok || e.Line < 1 || e.Column < 1 || e.Offset > len(data) || e.Message == "" {
				t.Fatalf("refused without a place: %#v", err)
			}
			if n != nil {
				t.Fatal("a node beside an error")
			}
			strictjson.ParseAll(data, limits)
			return
		}
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		var want any
		if err := d.Decode(&want); err != nil {
			t.Fatalf("encoding/json refuses it: %v", err)
		}
		if got := literally(n); !reflect.DeepEqual(got, want) {
			t.Fatalf("read as %#v, by encoding/json as %#v", got, want)
		}
		v, err := n.Value()
		if again, _ := n.Value(); err == nil && !reflect.DeepEqual(v, again) {
			t.Fatalf("%#v, and then %#v", v, again)
		}
	})
}

// literally is the value with its numbers as they are written.
func literally(n *strictjson.Node) any {
	switch n.Kind {
	case strictjson.Bool:
		return n.Bool
	case strictjson.Number:
		return json.Number(n.Text)
	case strictjson.String:
		return n.Text
	case strictjson.Array:
		list := []any{}
		for i := range n.Items {
			list = append(list, literally(&n.Items[i]))
		}
		return list
	case strictjson.Object:
		m := map[string]any{}
		for _, member := range n.Members {
			m[member.Key] = literally(&member.Value)
		}
		return m
	}
	return nil
}
