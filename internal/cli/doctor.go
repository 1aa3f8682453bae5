package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

func (a *app) doctorCommand() *cobra.Command {
	var p location
	var asJSON bool
	c := &cobra.Command{Use: "doctor [--json]", DisableFlagsInUseLine: true, Short: "Look whether a store is well: its file, and every session's journal",
		Long: `Doctor checks the file of a store and verifies every session's journal. It says how
large things are, who owns the store, what waits longest, and what each session
that needs somebody needs. It changes nothing.`, Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			return a.look(&p, func(ctx context.Context, h *home) error { return a.doctor(ctx, h, &p, asJSON) })
		}}
	p.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return c
}

// examined is what doctor found.
type examined struct {
	stats    sqlite.Stats
	owned    bool
	space    int64 // free on the disk, -1 where that is not known
	wrong    []string
	needs    []need
	sessions int
	longest  waiting
}

// need is a session that waits for somebody.
type need struct{ session, status, why, todo string }

// waiting is the oldest event that no session has taken.
type waiting struct {
	session string
	queued  int
	since   int64
}

func (a *app) doctor(ctx context.Context, h *home, p *location, asJSON bool) error {
	e := examined{space: freeSpace(filepath.Dir(h.store.Path()))}
	var err error
	if e.stats, err = h.store.Stats(ctx); err != nil {
		return err
	}
	if e.owned, err = h.store.Owned(); err != nil {
		return err
	}
	found, err := h.store.Check(ctx)
	if err != nil {
		return err
	}
	for _, f := range found {
		e.wrong = append(e.wrong, strings.TrimPrefix(f.Session+": ", ": ")+f.What)
	}
	if err := e.each(ctx, h, p); err != nil {
		return err
	}
	if asJSON {
		fmt.Fprintln(a.out, compact.text(e.object()))
	} else {
		a.examined(&e, p)
	}
	if len(e.wrong) > 0 {
		return exit(exitFailed)
	}
	return nil
}

// each goes through all sessions.
func (e *examined) each(ctx context.Context, h *home, p *location) error {
	const page = 1000
	for after := ""; ; {
		heads, err := h.List(ctx, durable.Filter{After: after, Limit: page})
		if err != nil {
			return err
		}
		for _, s := range heads {
			after = s.Session
			e.sessions++
			v, err := h.Verify(ctx, s.Session)
			if err != nil {
				v.Problems = append(v.Problems, err.Error())
			}
			for _, w := range v.Problems {
				e.wrong = append(e.wrong, s.Session+": "+w)
			}
			if s.Status == durable.Parked || s.Status == durable.Failed {
				e.needs = append(e.needs, needOf(&s, p))
			}
			e.queue(ctx, h, &s)
		}
		if len(heads) < page {
			return nil
		}
	}
}

// queue looks whether a session's events wait longer than all others'. Those
// of a session that somebody suspended wait for its resume.
func (e *examined) queue(ctx context.Context, h *home, s *durable.Head) {
	if !s.Ready || s.Status.Over() {
		return
	}
	v, err := h.Get(ctx, s.Session)
	if err != nil || v.Queued == 0 || e.longest.session != "" && s.Updated >= e.longest.since {
		return
	}
	e.longest = waiting{s.Session, v.Queued, s.Updated}
}

// needOf says what to do for a session that stands.
func needOf(s *durable.Head, p *location) need {
	n := need{session: s.Session, status: string(s.Status)}
	if standing, err := statechart.ReadJSON(s.Reason); err == nil {
		fields, _ := standing.(map[string]any)
		why, _ := fields["why"].(map[string]any)
		n.why, _ = why["message"].(string)
	}
	if n.why == "" {
		n.why = s.ReasonCode
	}
	at := s.Session + p.where()
	settle := "detent settle " + s.Session + " CALL" + p.where()
	switch s.ReasonCode {
	case "unknown_outcome", "unknown":
		n.todo = settle + " says what became of the call; detent show " + at + " names it"
	case string(durable.CodeDamaged):
		n.todo = "detent verify " + at + " says where; restore a backup, or detent delete " + at
	case string(durable.CodeNoChart):
		n.todo = "detent run FILE" + p.where() + " brings its chart back; then detent resume " + at + " goes on with it"
	default:
		n.todo = "detent show " + at + " says more; detent retry " + at + " tries again"
	}
	return n
}

func (e *examined) object() object {
	counts := object{}
	for _, c := range e.stats.Sessions {
		counts = append(counts, member{string(c.Status), c.Count})
	}
	needs := []object{}
	for _, n := range e.needs {
		needs = append(needs, object{{"session", n.session}, {"status", n.status}, {"why", n.why}, {"todo", n.todo}})
	}
	var oldest any
	if q := e.longest; q.session != "" {
		oldest = object{{"session", q.session}, {"queued", q.queued}, {"since", q.since}}
	}
	wrong := e.wrong
	if wrong == nil {
		wrong = []string{}
	}
	st := e.stats
	return object{{"store", st.Path}, {"well", len(wrong) == 0}, {"owned", e.owned}, {"format", st.Format}, {"bodies", st.Bodies}, {"sqlite", st.SQLite},
		{"bytes", st.Bytes}, {"free", st.Free}, {"log", st.Log}, {"space", e.space}, {"owners", st.Epoch}, {"clock", st.Clock}, {"sessions", counts},
		{"queued", st.Queued}, {"effects", st.Effects}, {"due", st.Due}, {"requests", st.Requests}, {"oldest", oldest}, {"needs", needs}, {"wrong", wrong}}
}

// examined shows what was found to people.
func (a *app) examined(e *examined, p *location) {
	row := func(name, format string, args ...any) {
		fmt.Fprintf(a.out, "%s %s\n", a.colours.strong(padded(name, 10)), fmt.Sprintf(format, args...))
	}
	st := e.stats
	row("store", "%s, format %d.%d, SQLite %s", plain(st.Path), st.Format, st.Bodies, st.SQLite)
	owner := "nobody owns it now"
	if e.owned {
		owner = "a process owns it and carries its sessions"
	}
	row("owner", "%s; it had %s so far", owner, counted(int64(st.Epoch), "owner"))
	size := fmt.Sprintf("%s, of which %s are free; its log has %s", bytesText(st.Bytes), bytesText(st.Free), bytesText(st.Log))
	if e.space >= 0 {
		size += "; the disk has room for " + bytesText(e.space)
	}
	row("size", "%s", size)
	var counts []string
	for _, c := range st.Sessions {
		counts = append(counts, fmt.Sprintf("%d %s", c.Count, c.Status))
	}
	if len(counts) == 0 {
		counts = []string{"none"}
	}
	row("sessions", "%s", strings.Join(counts, ", "))
	row("waiting", "%s, %s, %s and %s", counted(st.Queued, "event"), counted(st.Effects, "call"), counted(st.Due, "timer"), counted(st.Requests, "request"))
	if q := e.longest; q.session != "" {
		row("oldest", "%s of %s, untouched since %s", counted(int64(q.queued), "event"), plain(q.session), time.UnixMilli(q.since).Format("2006-01-02 15:04:05"))
	}
	for _, n := range e.needs {
		row(n.status, "%s: %s", plain(n.session), plain(n.why))
		fmt.Fprintf(a.out, "%10s %s\n", "", a.colours.faint(plain(n.todo)))
	}
	for _, w := range e.wrong {
		a.say("%s %s", a.warnings.bad("wrong:"), plain(w))
	}
	if len(e.wrong) == 0 {
		fmt.Fprintf(a.out, "%s is well: %s, every journal whole\n", plain(p.db), counted(int64(e.sessions), "session"))
		return
	}
	a.hint("nothing was changed; restore a backup of the store, or delete the sessions that are damaged")
}
