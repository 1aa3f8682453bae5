package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

func TestVisitorAsksAndOwnerReplies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{})
	visitor := open(t, path, sqlite.Options{})
	ctx := context.Background()
	asked := func(limit int) string {
		t.Helper()
		list, err := s.Requests(ctx, limit)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, r := range list {
			ids = append(ids, r.ID+"="+string(r.Body))
		}
		return strings.Join(ids, " ")
	}
	if got := asked(10); got != "" {
		t.Fatalf("nothing was asked, and there is %s", got)
	}
	for _, r := range []string{"b", "a", "c", "a"} {
		if err := visitor.Ask(ctx, durable.Request{ID: r, Body: []byte(r + r)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := visitor.Ask(ctx, durable.Request{ID: "a", Body: []byte("other")}); err == nil {
		t.Error("one id stands for two requests")
	}
	if got := asked(2); got != "b=bb a=aa" {
		t.Errorf("two at most: %s", got)
	}
	if got := asked(10); got != "b=bb a=aa c=cc" {
		t.Errorf("all: %s", got)
	}
	if _, ok, err := visitor.Answered(ctx, "a"); ok || err != nil {
		t.Errorf("there is a reply already (%v)", err)
	}
	if err := s.Reply(ctx, epoch, "a", []byte("yes")); err != nil {
		t.Fatal(err)
	}
	for range 2 { // reading does not remove it
		if reply, ok, err := visitor.Answered(ctx, "a"); !ok || err != nil || string(reply) != "yes" {
			t.Errorf("the reply is %q (%v)", reply, err)
		}
	}
	if got := asked(10); got != "b=bb c=cc" {
		t.Errorf("after a reply: %s", got)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	next, _ := owned(t, path, sqlite.Options{})
	if list, err := next.Requests(ctx, 10); err != nil || len(list) != 2 {
		t.Errorf("the next owner finds %v (%v)", list, err)
	}
	if _, ok, err := visitor.Answered(ctx, "a"); !ok || err != nil {
		t.Errorf("the reply went with its owner (%v)", err)
	}
}

// A request is seen by the next look, however many looks found nothing, and
// those who ask never move the log.
func TestRequestsAreSeenAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{LogPages: 8})
	visitor := open(t, path, sqlite.Options{})
	ctx := context.Background()
	before := touched(t, path)
	for i := range 50 {
		id := fmt.Sprint(i)
		if list, err := s.Requests(ctx, 10); err != nil || len(list) != 0 {
			t.Fatalf("before %s: %v (%v)", id, list, err)
		}
		if err := visitor.Ask(ctx, durable.Request{ID: id, Body: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
		list, err := s.Requests(ctx, 10)
		if err != nil || len(list) != 1 || list[0].ID != id {
			t.Fatalf("after %s: %v (%v)", id, list, err)
		}
		if i == 0 && touched(t, path) != before {
			t.Error("a visitor moved the log into the file")
		}
		if err := s.Reply(ctx, epoch, id, []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
}

// A visitor may ask while nobody owns the store; who comes next finds it.
func TestAskWithoutOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	visitor := open(t, path, sqlite.Options{})
	ctx := context.Background()
	if err := visitor.Ask(ctx, durable.Request{ID: "a", Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	if err := visitor.Close(); err != nil {
		t.Fatal(err)
	}
	s, _ := owned(t, path, sqlite.Options{})
	if list, err := s.Requests(ctx, 10); err != nil || len(list) != 1 {
		t.Errorf("got %v (%v)", list, err)
	}
}
