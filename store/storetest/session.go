package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/detent-run/detent/durable"
)

func journal(t *trial) {
	t.acquire()
	h := begun("one")
	for range 12 {
		t.commit(step(&h))
	}
	c := step(&h)
	h.Sequence++
	c.Head.Sequence = h.Sequence
	c.Journal = append(c.Journal, row(14))
	t.commit(c)
	for _, q := range []struct {
		from  uint64
		limit int
		want  string
	}{
		{1, 100, "1 2 3 4 5 6 7 8 9 10 11 12 13 14"}, {9, 3, "9 10 11"}, {14, 3, "14"}, {15, 3, ""}, {0, 2, "1 2"}, {1, 0, ""},
	} {
		rows, err := t.Store.Journal(context.Background(), "one", q.from, q.limit)
		t.must(err, "journal")
		var got []string
		for _, r := range rows {
			got = append(got, fmt.Sprint(r.Sequence))
			t.same("a row", r, row(r.Sequence))
		}
		t.same(fmt.Sprintf("at most %d rows from %d on", q.limit, q.from), strings.Join(got, " "), q.want)
	}
	if _, err := t.Store.Journal(context.Background(), "none", 1, 1); !errors.Is(err, durable.ErrNotFound) {
		t.fail("the journal of no session: %v", err)
	}
}

func stateAndSince(t *trial) {
	t.acquire()
	t.gone("one")
	h := begun("one")
	t.commit(step(&h))
	t.commit(step(&h))
	sees := func(state string, at uint64, since ...uint64) {
		got := t.load(durable.LoadQuery{Session: "one"})
		var rows []durable.JournalRow
		for _, n := range since {
			rows = append(rows, row(n))
		}
		t.same("state", string(got.State), state)
		t.same("its sequence", got.StateAt, at)
		t.same("rows since", got.Since, rows)
	}
	sees("", 0, 1, 2)
	for _, state := range []string{"third", "fourth"} {
		c := step(&h)
		c.State = []byte(state)
		t.commit(c)
	}
	sees("fourth", 4)
	t.commit(step(&h))
	t.commit(step(&h))
	sees("fourth", 4, 5, 6)
	h.Revision++ // a change of the row alone, with no journal row
	next := h
	t.commit(durable.Change{Session: "one", Before: h.Revision - 1, Head: &next})
	sees("fourth", 4, 5, 6)
}

func rowAlone(t *trial) {
	t.acquire()
	h := begun("one")
	c := step(&h)
	c.State = []byte("whole")
	c.Effects = []durable.EffectRow{{Key: "live", Live: true, Body: []byte("1")}, {Key: "over", Body: []byte("2")}}
	c.Put = []durable.InboxRow{{Position: 7, Body: []byte("7")}}
	t.commit(c)
	t.commit(step(&h))
	want := h
	want.Ready = true // something waits
	got := t.load(durable.LoadQuery{Session: "one", Row: true, Inbox: 5, Effects: []string{"over"}})
	t.same("the row alone", *got, durable.Stored{Head: want})
	if _, err := t.Store.Load(context.Background(), durable.LoadQuery{Session: "none", Row: true}); !errors.Is(err, durable.ErrNotFound) {
		t.fail("the row of no session: %v", err)
	}
}

func inbox(t *trial) {
	t.acquire()
	h := begun("one")
	t.commit(step(&h))
	for _, n := range []uint64{30, 10, 20, 200} {
		t.commit(durable.Change{Session: "one", Put: []durable.InboxRow{{Position: n, Body: fmt.Append(nil, n)}}})
	}
	sees := func(limit int, want string, more bool) {
		got := t.load(durable.LoadQuery{Session: "one", Inbox: limit})
		var list []string
		for _, r := range got.Inbox {
			t.same("a body", string(r.Body), fmt.Sprint(r.Position))
			list = append(list, string(r.Body))
		}
		t.same(fmt.Sprintf("at most %d of the inbox", limit), strings.Join(list, " "), want)
		t.same("more in the inbox", got.MoreInbox, more)
	}
	sees(10, "10 20 30 200", false)
	sees(4, "10 20 30 200", false)
	sees(3, "10 20 30", true)
	sees(0, "", true)
	c := step(&h)
	c.Take = []uint64{20, 10}
	c.Put = []durable.InboxRow{{Position: 40, Body: []byte("40")}}
	t.commit(c)
	sees(10, "30 40 200", false)
	if got := t.load(durable.LoadQuery{Session: "one"}).Head.Revision; got != 2 {
		t.fail("puts alone moved the revision to %d, want 2", got)
	}
}

func ready(t *trial) {
	t.acquire()
	h := begun("one")
	sees := func(when string, want bool) {
		t.same(when+": ready", t.load(durable.LoadQuery{Session: "one"}).Head.Ready, want)
		t.same(when+": picked", t.picked(durable.Filter{Ready: true}) == "one", want)
	}
	put := func(n uint64) { t.commit(durable.Change{Session: "one", Put: []durable.InboxRow{{Position: n}}}) }
	t.commit(step(&h))
	sees("at first", false)
	put(1)
	sees("after a put", true)
	put(2)
	t.commit(step(&h))
	sees("after a step that took nothing", true)
	c := step(&h)
	c.Take = []uint64{1}
	t.commit(c)
	sees("with one of two taken", true)
	c = step(&h)
	c.Take = []uint64{2}
	t.commit(c)
	sees("with all taken", false)
	h.Ready = true
	t.commit(step(&h))
	sees("as the head says", true)
	put(3)
	h.Ready = false
	c = step(&h)
	c.Take = []uint64{3}
	t.commit(c)
	sees("as the head says again", false)
	put(4)
	t.commit(durable.Change{Session: "one", Take: []uint64{4}})
	sees("taken without a step", false)
}

func putToMissing(t *trial) {
	t.acquire()
	h := begun("one")
	t.commit(durable.Change{Session: "none", Put: []durable.InboxRow{{Position: 1, Body: []byte("x")}}}, step(&h))
	t.gone("none")
	t.same("sessions", t.picked(durable.Filter{}), "one")
	late := begun("none")
	t.commit(step(&late))
	t.same("what was dropped", len(t.load(durable.LoadQuery{Session: "none", Inbox: 5}).Inbox), 0)
}

func effects(t *trial) {
	t.acquire()
	h, other := begun("one"), begun("two")
	c, d := step(&h), step(&other)
	c.Effects = []durable.EffectRow{{Key: "c", Live: true, Body: []byte("1")}, {Key: "a", Live: true, Body: []byte("2")}, {Key: "b", Body: []byte("3")}}
	d.Effects = []durable.EffectRow{{Key: "a", Live: true, Body: []byte("of two")}}
	t.commit(c, d)
	sees := func(want string, keys ...string) {
		var got []string
		for _, e := range t.load(durable.LoadQuery{Session: "one", Effects: keys}).Effects {
			got = append(got, fmt.Sprintf("%s=%s,%v", e.Key, e.Body, e.Live))
		}
		t.same(fmt.Sprintf("effects, asked for %q", keys), strings.Join(got, " "), want)
	}
	sees("a=2,true c=1,true")
	sees("a=2,true b=3,false c=1,true", "b", "a", "no such", "b")
	c = step(&h)
	c.Effects = []durable.EffectRow{{Key: "a", Body: []byte("over")}, {Key: "b", Live: true, Body: []byte("again")}, {Key: "c", Live: true, Body: []byte("new")}}
	t.commit(c)
	sees("b=again,true c=new,true")
	sees("a=over,false b=again,true c=new,true", "a")
}

func oddTexts(t *trial) {
	t.acquire()
	odd := []string{"%", "_", "a%b", "a_b", "'", `"quoted"`, "`", `\`, "🦀 crab", "Ünïcode", "line\nline", " ", "*", "--; drop", "\x01", strings.Repeat("long/", 1000)}
	for i, text := range odd {
		h := begun(text)
		h.User, h.Chart, h.ReasonCode, h.Tags, h.Configuration = text, text, text, []string{text, "x"}, []string{text}
		c := step(&h)
		c.Effects = []durable.EffectRow{{Key: text, Live: true, Body: []byte(text)}}
		c.Records = []durable.Record{{Namespace: "n", Session: text, Key: text, Body: []byte(text), Text: text}}
		t.commit(c)
		got := t.load(durable.LoadQuery{Session: text})
		t.same(fmt.Sprintf("head %d", i), got.Head, h)
		t.same(fmt.Sprintf("effects %d", i), got.Effects, c.Effects)
	}
	for i, text := range odd {
		for _, f := range []durable.Filter{{User: text}, {Chart: text}, {ReasonCode: text}, {Tag: text}, {State: text}} {
			t.same(fmt.Sprintf("filter %+v (%d)", f, i), t.picked(f), text)
		}
		list, err := t.Store.Records(context.Background(), durable.RecordQuery{Namespace: "n", Session: text, From: text})
		t.must(err, "records")
		t.same("records", list, []durable.Record{{Namespace: "n", Session: text, Key: text, Body: []byte(text), Text: text}})
	}
}

func bigBodies(t *trial) {
	t.acquire()
	big := bytes.Repeat([]byte("0123456789abcdef"), 4<<20/16)
	h := begun("one")
	c := step(&h)
	c.State, c.Journal[0].Body = big, big
	c.Put = []durable.InboxRow{{Position: 1, Body: big}}
	c.Effects = []durable.EffectRow{{Key: "k", Live: true, Body: big}}
	c.Records = []durable.Record{{Namespace: "n", Session: "one", Key: "k", Body: big}}
	t.commit(c)
	got := t.load(durable.LoadQuery{Session: "one", Inbox: 1})
	rows, err := t.Store.Journal(context.Background(), "one", 1, 1)
	t.must(err, "journal")
	list, err := t.Store.Records(context.Background(), durable.RecordQuery{Namespace: "n", Session: "one"})
	t.must(err, "records")
	if len(got.Inbox) != 1 || len(got.Effects) != 1 || len(rows) != 1 || len(list) != 1 {
		t.fail("4 MiB bodies: some are missing")
	}
	for what, b := range map[string][]byte{"state": got.State, "journal": rows[0].Body, "inbox": got.Inbox[0].Body, "effect": got.Effects[0].Body, "record": list[0].Body} {
		if !bytes.Equal(b, big) {
			t.fail("a body of 4 MiB came back with %d bytes: %s", len(b), what)
		}
	}
}
