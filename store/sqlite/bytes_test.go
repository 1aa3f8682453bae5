package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

// E6: every text and body comes back as it went in, also through the columns
// that hold several.
func TestE6AnyBytes(t *testing.T) {
	s, epoch := owned(t, filepath.Join(t.TempDir(), "s.db"), sqlite.Options{})
	ctx := context.Background()
	for i, odd := range []string{"a\x00b", "\x00", "\xff\xfe", "\x1e", "\x1f", "\x1f\x1e0\x1e1", "'; DROP TABLE sessions; --", "%", "é\u0301", "日本", " ", "\x1f\x1f"} {
		h := durable.Head{Session: odd + "s", Format: 1, Chart: odd, Digest: odd, Status: durable.Active, Reason: []byte(odd), ReasonCode: odd, User: odd,
			Tags: []string{odd, "", odd + "2"}, Priority: -3, Parent: odd, ParentKey: odd, Depth: 2, Configuration: []string{odd + ".x", odd + "y"},
			Created: -1, Since: 1 << 60, Waits: true}
		c := advance(&h, 5, []byte(odd))
		c.Head.Hash = odd
		c.State = []byte(odd)
		c.Effects = []durable.EffectRow{{Key: odd, Live: true, Body: []byte(odd)}}
		c.Records = []durable.Record{{Namespace: odd, Session: h.Session, Key: odd, Body: []byte(odd), Text: odd}, {Namespace: odd, Session: h.Session, Key: odd + "e", Body: []byte{}}}
		c.Put = []durable.InboxRow{{Position: uint64(i + 1), Body: []byte(odd)}}
		commit(t, s, epoch, c)

		got, err := s.Load(ctx, durable.LoadQuery{Session: h.Session, Inbox: 5})
		if err != nil {
			t.Fatalf("%q: %v", odd, err)
		}
		want := *c.Head
		want.Ready = true // something waits
		if !reflect.DeepEqual(got.Head, want) || string(got.State) != odd || !reflect.DeepEqual(got.Effects, c.Effects) || !reflect.DeepEqual(got.Inbox, c.Put) {
			t.Errorf("%q: got %+v", odd, got)
		}
		if rows, err := s.Journal(ctx, h.Session, 1, 5); err != nil || !reflect.DeepEqual(rows, c.Journal) {
			t.Errorf("%q: the journal is %+v (%v)", odd, rows, err)
		}
		if r, err := s.Records(ctx, durable.RecordQuery{Namespace: odd, Session: h.Session}); err != nil || !reflect.DeepEqual(r, c.Records) {
			t.Errorf("%q: the records are %+v (%v)", odd, r, err)
		}
		if r, err := s.Records(ctx, durable.RecordQuery{Namespace: odd, Session: h.Session, From: odd, To: odd + "\x00"}); err != nil || len(r) != 1 {
			t.Errorf("%q: the record by its key is %+v (%v)", odd, r, err)
		}
		for name, f := range map[string]durable.Filter{
			"tag": {Tag: odd}, "state": {State: odd}, "leaf": {State: odd + ".x"}, "user": {User: odd}, "chart": {Chart: odd}, "parent": {Parent: odd}, "reason": {ReasonCode: odd},
		} {
			list, err := s.Select(ctx, f)
			if err != nil || len(list) != 1 || list[0].Session != h.Session {
				t.Errorf("%q by %s: %d sessions (%v)", odd, name, len(list), err)
			}
		}
	}
	for _, f := range []durable.Filter{{Tag: "a"}, {State: "日"}, {State: "x"}, {Tag: "_"}, {User: "A"}} {
		if list, err := s.Select(ctx, f); err != nil || len(list) != 0 {
			t.Errorf("%+v: %d sessions (%v)", f, len(list), err)
		}
	}
}

// A search finds all words anywhere in the text, without regard to case.
func TestSearch(t *testing.T) {
	s, epoch := owned(t, filepath.Join(t.TempDir(), "s.db"), sqlite.Options{})
	ctx := context.Background()
	for i, text := range []string{"The Invoice is LATE", "the invoice is paid", "Überweisung späT", ""} {
		h := head(fmt.Sprint(i))
		c := advance(&h, 1, []byte("{}"))
		c.Records = []durable.Record{{Namespace: "notes", Session: h.Session, Key: "k", Body: []byte("{}"), Text: text}, {Namespace: "other", Session: h.Session, Key: "k", Body: []byte("{}"), Text: text}}
		commit(t, s, epoch, c)
	}
	for _, c := range []struct {
		words []string
		limit int
		want  string
	}{
		{[]string{"invoice"}, 0, "01"},
		{[]string{"invoice", "late"}, 0, "0"},
		{[]string{"ÜBERWEISUNG", "spät"}, 0, "2"},
		{[]string{"invoice"}, 1, "0"},
		{[]string{"nothing"}, 0, ""},
	} {
		got := ""
		list, err := s.Records(ctx, durable.RecordQuery{Namespace: "notes", Session: "*", Search: c.words, Limit: c.limit})
		for _, r := range list {
			got += r.Session
		}
		if err != nil || got != c.want {
			t.Errorf("%v: sessions %q (%v), want %q", c.words, got, err, c.want)
		}
	}
}
