package storetest

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/detent-run/detent/durable"
)

func due(t *trial) {
	t.acquire()
	at := map[string]int64{"a": 30, "b": 10, "c": 20, "d": 10, "e": 0, "f": 1 << 50}
	heads := map[string]*durable.Head{}
	for _, id := range []string{"f", "d", "e", "a", "b", "c"} {
		h := begun(id)
		h.Due = at[id]
		heads[id] = &h
		t.commit(step(&h))
	}
	sees := func(through int64, limit int, want string) {
		list, err := t.Store.Due(context.Background(), through, limit)
		t.must(err, "due")
		var got []string
		for _, d := range list {
			got = append(got, fmt.Sprintf("%s@%d", d.Session, d.At))
		}
		t.same(fmt.Sprintf("at most %d due through %d", limit, through), strings.Join(got, " "), want)
	}
	sees(9, 10, "")
	sees(10, 10, "b@10 d@10")
	sees(29, 10, "b@10 d@10 c@20")
	sees(30, 3, "b@10 d@10 c@20")
	sees(math.MaxInt64, 10, "b@10 d@10 c@20 a@30 f@1125899906842624")
	heads["b"].Due, heads["d"].Due, heads["e"].Due = 40, 0, 5
	t.commit(step(heads["b"]), step(heads["d"]), step(heads["e"]))
	t.commit(durable.Change{Session: "c", Before: 1, Delete: true})
	sees(100, 10, "e@5 a@30 b@40")
}

func selects(t *trial) {
	t.acquire()
	for i, id := range []string{"a", "b", "c", "d"} {
		h := begun(id)
		h.Updated = int64(i+1) * 10
		h.Tags = []string{"all"}
		if i > 1 {
			h.Chart, h.Digest, h.User, h.Tags, h.Parent, h.ReasonCode = "gate", "other", "bob", []string{"red", "all"}, "mother", "asked"
			h.Status, h.Configuration, h.Ready, h.Waits = durable.Parked, []string{"x.y", "z"}, true, true
		}
		t.commit(step(&h))
	}
	for _, c := range []struct {
		filter durable.Filter
		want   string
	}{
		{durable.Filter{}, "a b c d"}, {durable.Filter{Chart: "door"}, "a b"}, {durable.Filter{Chart: "gate"}, "c d"}, {durable.Filter{Digest: "other"}, "c d"},
		{durable.Filter{User: "bob"}, "c d"}, {durable.Filter{Tag: "red"}, "c d"}, {durable.Filter{Tag: "all"}, "a b c d"}, {durable.Filter{Tag: "re"}, ""},
		{durable.Filter{Parent: "mother"}, "c d"}, {durable.Filter{ReasonCode: "asked"}, "c d"}, {durable.Filter{Status: durable.Parked}, "c d"},
		{durable.Filter{Status: durable.Active}, "a b"}, {durable.Filter{State: "x"}, "c d"}, {durable.Filter{Ready: true}, "c d"}, {durable.Filter{Waits: true}, "c d"},
		{durable.Filter{UpdatedFrom: 20}, "b c d"}, {durable.Filter{UpdatedTo: 20}, "a"}, {durable.Filter{UpdatedFrom: 20, UpdatedTo: 40}, "b c"},
		{durable.Filter{After: "b"}, "c d"}, {durable.Filter{After: "aa"}, "b c d"}, {durable.Filter{Limit: 3}, "a b c"},
		{durable.Filter{Chart: "gate", User: "bob", Tag: "red", Status: durable.Parked, State: "z", Ready: true, Waits: true, UpdatedFrom: 35}, "d"},
		{durable.Filter{Parent: "mother", Ready: true, After: "c"}, "d"}, {durable.Filter{Chart: "door", User: "bob"}, ""}, {durable.Filter{User: "BOB"}, ""},
	} {
		t.same(fmt.Sprintf("filter %+v", c.filter), t.picked(c.filter), c.want)
	}
}

func pages(t *trial) {
	t.acquire()
	var changes []durable.Change
	for i := range 250 {
		h := begun(fmt.Sprintf("s%03d", i))
		changes = append(changes, step(&h))
	}
	t.commit(changes...)
	seen, after := 0, ""
	for _, want := range []int{100, 100, 50, 0} { // 100 is what a zero limit means
		heads, err := t.Store.Select(context.Background(), durable.Filter{After: after})
		t.must(err, "select")
		t.same("sessions of a page after "+after, len(heads), want)
		for _, h := range heads {
			t.same("a session", h.Session, fmt.Sprintf("s%03d", seen))
			after = h.Session
			seen++
		}
	}
}

// statePaths: a state is active when a leaf of it is, and "a" is no part of
// "ab".
func statePaths(t *trial) {
	t.acquire()
	for _, s := range []struct{ id, leaves string }{{"1", "a"}, {"2", "a.b"}, {"3", "ab"}, {"4", "x a.b.c"}, {"5", "x.a"}, {"6", ""}, {"7", "a%"}} {
		h := begun(s.id)
		h.Configuration = strings.Fields(s.leaves)
		t.commit(step(&h))
	}
	for _, c := range []struct{ state, want string }{
		{"a", "1 2 4"}, {"a.b", "2 4"}, {"a.b.c", "4"}, {"ab", "3"}, {"x", "4 5"}, {"x.a", "5"}, {"b", ""}, {"a.", ""}, {"a%", "7"}, {"_", ""}, {"A", ""},
	} {
		t.same("in the state "+c.state, t.picked(durable.Filter{State: c.state}), c.want)
	}
}

// found gives the records that a query finds, as session/key=body.
func (t *trial) found(q durable.RecordQuery) string {
	list, err := t.Store.Records(context.Background(), q)
	t.must(err, "records")
	var out []string
	for _, r := range list {
		out = append(out, fmt.Sprintf("%s/%s=%s", r.Session, r.Key, r.Body))
	}
	return strings.Join(out, " ")
}

func records(t *trial) {
	t.acquire()
	h := begun("s")
	c := step(&h)
	for _, k := range []string{"c", "a", "e", "B", "d"} {
		c.Records = append(c.Records, durable.Record{Namespace: "n", Session: "s", Key: k, Body: []byte(k)})
	}
	c.Records = append(c.Records, durable.Record{Namespace: "n2", Session: "s", Key: "a", Body: []byte("other")}, durable.Record{Namespace: "n", Key: "a", Body: []byte("shared")})
	t.commit(c)
	t.commit(durable.Change{Records: []durable.Record{{Namespace: "n", Key: "b", Body: []byte("of none")}}})
	in := durable.RecordQuery{Namespace: "n", Session: "s"}
	sees := func(want string, change func(*durable.RecordQuery)) {
		q := in
		change(&q)
		t.same(fmt.Sprintf("records of %+v", q), t.found(q), want)
	}
	sees("s/B=B s/a=a s/c=c s/d=d s/e=e", func(*durable.RecordQuery) {})
	sees("s/c=c s/d=d s/e=e", func(q *durable.RecordQuery) { q.From = "c" })
	sees("s/c=c s/d=d", func(q *durable.RecordQuery) { q.From, q.To = "b", "e" })
	sees("s/e=e s/d=d", func(q *durable.RecordQuery) { q.Reverse, q.Limit = true, 2 })
	sees("s/d=d s/c=c", func(q *durable.RecordQuery) { q.From, q.To, q.Reverse = "c", "e", true })
	sees("s/B=B s/a=a", func(q *durable.RecordQuery) { q.Limit = 2 })
	sees("/a=shared /b=of none", func(q *durable.RecordQuery) { q.Session = "" })
	sees("s/a=other", func(q *durable.RecordQuery) { q.Namespace = "n2" })
	sees("", func(q *durable.RecordQuery) { q.Session = "none" })
	c = step(&h)
	c.Records = []durable.Record{{Namespace: "n", Session: "s", Key: "a", Body: []byte("new")}, {Namespace: "n", Session: "s", Key: "d"},
		{Namespace: "n", Session: "s", Key: "B", Body: []byte{}}, {Namespace: "n", Session: "s", Key: "no such"}}
	t.commit(c)
	sees("s/B= s/a=new s/c=c s/e=e", func(*durable.RecordQuery) {})
}

func search(t *trial) {
	t.acquire()
	for _, id := range []string{"s", "t"} {
		h := begun(id)
		c := step(&h)
		for i, text := range []string{"The quick Brown fox", "a brown dog", "", "100% sure_", "Éclair"} {
			c.Records = append(c.Records, durable.Record{Namespace: "n", Session: id, Key: fmt.Sprint(i), Body: []byte("b"), Text: text})
		}
		c.Records = append(c.Records, durable.Record{Namespace: "other", Session: id, Key: "0", Body: []byte("b"), Text: "brown"})
		t.commit(c)
	}
	for _, c := range []struct {
		session string
		words   []string
		limit   int
		reverse bool
		want    string
	}{
		{"s", []string{"brown"}, 0, false, "s/0=b s/1=b"}, {"s", []string{"BROWN", "quick"}, 0, false, "s/0=b"}, {"s", []string{"brown", "cat"}, 0, false, ""},
		{"s", []string{"%"}, 0, false, "s/3=b"}, {"s", []string{"_"}, 0, false, "s/3=b"}, {"s", []string{"éclair"}, 0, false, "s/4=b"},
		{"*", []string{"brown"}, 0, false, "s/0=b s/1=b t/0=b t/1=b"}, {"*", []string{"brown"}, 3, false, "s/0=b s/1=b t/0=b"},
		{"*", []string{"brown"}, 1, true, "t/1=b"}, {"*", []string{"dog"}, 0, false, "s/1=b t/1=b"},
	} {
		q := durable.RecordQuery{Namespace: "n", Session: c.session, Search: c.words, Limit: c.limit, Reverse: c.reverse}
		t.same(fmt.Sprintf("search %+v", q), t.found(q), c.want)
	}
}
