package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

// retention is what detent compact keeps. An empty age keeps all.
type retention struct {
	journal, dedupe, sessions string
	keep                      uint64
	shrink, dryRun, json      bool
}

func (a *app) compactCommand() *cobra.Command {
	var p location
	var r retention
	c := &cobra.Command{Use: "compact [--journal AGE] [--keep N] [--dedupe AGE] [--sessions AGE] [--shrink] [--dry-run]", DisableFlagsInUseLine: true,
		Short: "Remove from a store what is old, so that it does not grow for ever",
		Long: `Compact removes rows of journals and ended calls that are older than --journal, ids
of events that are older than --dedupe, and, only if --sessions says so, sessions
that are over for so long. What a session needs to go on always stays, and the
chain of hashes goes on from where it was cut: detent verify still holds. No
session runs meanwhile.`,
		Example: `  detent compact --dry-run                     what would go
  detent compact --journal 30d --sessions 90d
  detent compact --journal 7d --keep 100 --shrink`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return a.compact(&p, r) }}
	p.flags(c)
	flags := c.Flags()
	flags.StringVar(&r.journal, "journal", "30d", "rows of journals and ended calls that are older than `AGE` go; all keeps them")
	flags.Uint64Var(&r.keep, "keep", 0, "a session's newest rows that stay, however old: a `NUMBER`")
	flags.StringVar(&r.dedupe, "dedupe", "30d", "ids of events that are older than `AGE` go: sent again, such an event counts as new; all keeps them")
	flags.StringVar(&r.sessions, "sessions", "all", "sessions that are over for longer than `AGE` go with everything; all keeps them")
	flags.BoolVar(&r.shrink, "shrink", false, "give free space back to the disk; needs the file's size once more meanwhile")
	flags.BoolVar(&r.dryRun, "dry-run", false, "count what would go, and remove nothing")
	flags.BoolVar(&r.json, "json", false, "one JSON object")
	return c
}

// options are what a store takes, at a time.
func (r *retention) options(now time.Time) (sqlite.CompactOptions, *problem) {
	o := sqlite.CompactOptions{Keep: r.keep, Shrink: r.shrink, Rehearse: r.dryRun}
	for _, f := range []struct {
		flag, age string
		before    *int64
	}{{"journal", r.journal, &o.Journal}, {"dedupe", r.dedupe, &o.Dedupe}, {"sessions", r.sessions, &o.Sessions}} {
		if f.age == "all" {
			continue
		}
		ms, bad := parseTime(f.age)
		if bad != nil || f.age == "next" {
			return o, usage("--"+f.flag+" is no age: "+plain(f.age), "write 15m, 72h or 30d, or all")
		}
		*f.before = max(1, now.UnixMilli()-ms)
	}
	return o, nil
}

func (a *app) compact(p *location, r retention) error {
	o, bad := r.options(time.Now())
	if bad != nil {
		return bad
	}
	if bad := a.find(p); bad != nil {
		return bad
	}
	if bad := a.readable(p.db, false); bad != nil {
		return bad
	}
	store, err := sqlite.Open(p.db, sqlite.Options{MustExist: true})
	if err != nil {
		return told(err)
	}
	defer store.Close()
	ctx := context.Background()
	if _, err := store.Acquire(ctx); errors.Is(err, durable.ErrOwned) {
		return failure("another process owns "+plain(p.db)+", and only the owner may compact it", "end detent work or detent run, compact, and start it again")
	} else if err != nil {
		return told(err)
	}
	did, err := store.Compact(ctx, o)
	if err != nil {
		return told(err)
	}
	a.compacted(p, r, did)
	return nil
}

// compacted says what went.
func (a *app) compacted(p *location, r retention, did sqlite.Compacted) {
	if r.json {
		fmt.Fprintln(a.out, compact.text(object{{"store", p.db}, {"dryRun", r.dryRun}, {"rows", did.Journal}, {"calls", did.Effects}, {"ids", did.Dedupe},
			{"sessions", did.Sessions}, {"before", did.Before}, {"after", did.After}}))
		return
	}
	verb := "removed"
	if r.dryRun {
		verb = "would remove"
	}
	fmt.Fprintf(a.out, "%s %s, %s, %s and %s\n", verb, counted(did.Journal, "journal row"), counted(did.Effects, "ended call"),
		counted(did.Dedupe, "event id"), counted(did.Sessions, "session"))
	if r.dryRun {
		fmt.Fprintf(a.out, "%s has %s\n", plain(p.db), bytesText(did.Before))
		return
	}
	fmt.Fprintf(a.out, "%s had %s and has %s\n", plain(p.db), bytesText(did.Before), bytesText(did.After))
	if !r.shrink && did.Journal+did.Effects+did.Dedupe+did.Sessions > 0 {
		a.hint("the free space is used again; --shrink gives it back to the disk")
	}
}

// counted is a number of things.
func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// bytesText is a size for people.
func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return counted(n, "byte")
}
