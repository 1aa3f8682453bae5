package cli

import (
	"context"
	"errors"
	"fmt"
	"os/user"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
)

// sessionArgs are the arguments of a command that works on one session.
func sessionArgs(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return usage(fmt.Sprintf("detent %s needs %s", c.Name(), what), "detent ps lists the sessions")
	}
}

// me is who acts, for the record.
func me(by string) string {
	if by != "" {
		return by
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "terminal"
}

// act opens the store, does f on it and closes it.
func (a *app) act(p *location, f func(ctx context.Context, h *home) error) error {
	ctx := context.Background()
	h, err := a.ours(ctx, p, a.fileCharts("", nil, nil), "", false)
	if err != nil {
		return err
	}
	defer h.close()
	return told(f(ctx, h))
}

// look opens the store for reading, does f and closes it.
func (a *app) look(p *location, f func(ctx context.Context, h *home) error) error {
	h, err := a.theirs(p)
	if err != nil {
		return err
	}
	defer h.close()
	return told(f(context.Background(), h))
}

func (a *app) sessionCommands() []*cobra.Command {
	return []*cobra.Command{a.runCommand(), a.resumeCommand(), a.workCommand(), a.sendCommand(), a.psCommand(), a.showCommand(), a.logCommand(),
		a.verbCommand("suspend", "Stop a session where it is; it keeps its place and costs nothing", func(ctx context.Context, h *home, id, by, why string) error {
			return h.Suspend(ctx, id, durable.Suspension{Reason: why, By: by})
		}),
		a.verbCommand("cancel", "End a session; its exit actions run and its calls are taken back", func(ctx context.Context, h *home, id, by, _ string) error {
			return h.Cancel(ctx, id, by)
		}),
		a.verbCommand("retry", "Let a parked or failed session try again what stopped it", func(ctx context.Context, h *home, id, by, _ string) error {
			return h.Retry(ctx, id, by)
		}),
		a.verbCommand("delete", "Remove a session with everything stored of it", func(ctx context.Context, h *home, id, by, _ string) error {
			return h.Delete(ctx, id, by)
		}),
		a.pendingCommand(), a.answerCommand(), a.settleCommand(), a.exportCommand(), a.importCommand(), a.verifyCommand(), a.backupCommand(),
		a.compactCommand(), a.doctorCommand()}
}

// verbCommand is a command that does one thing to one session.
func (a *app) verbCommand(name, short string, do func(ctx context.Context, h *home, id, by, why string) error) *cobra.Command {
	var p location
	var by, why string
	c := &cobra.Command{Use: name + " ID", DisableFlagsInUseLine: true, Short: short, Long: short + ".", Args: sessionArgs(1, "the id of a session"),
		RunE: func(_ *cobra.Command, args []string) error {
			p.hold = holdCalls
			return a.act(&p, func(ctx context.Context, h *home) error {
				if err := do(ctx, h, args[0], me(by), why); err != nil {
					return err
				}
				if v, err := h.Get(ctx, args[0]); err == nil {
					a.say("%s is %s, in %s", plain(args[0]), v.Status, leaves(v.Configuration))
					a.leave(ctx, h, args[0], &p)
				} else {
					a.say("%s is gone", plain(args[0]))
				}
				return nil
			})
		}}
	p.flags(c)
	c.Flags().StringVar(&by, "by", "", "the `NAME` of who asks, for the record")
	if name == "suspend" {
		c.Flags().StringVar(&why, "reason", "", "why: `TEXT` for the record")
	}
	return c
}

func (a *app) resumeCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{Use: "resume ID [--event NAME[=JSON]]... [--until STATE]", DisableFlagsInUseLine: true,
		Short: "Go on with a session: after a crash, Ctrl-C, or a suspension",
		Long: `Resume goes on with a session at the very states where it was, with its data,
its timers and what it waits for, and shows every step from there on. A parked
session tries again what stopped it. Of a session that has ended it shows how.`,
		Example: `  detent resume note
  detent resume note --event go --until waiting`,
		Args: sessionArgs(1, "the id of a session"),
		RunE: func(_ *cobra.Command, args []string) error { return a.resume(args[0], f) }}
	f.flags(c)
	c.Flags().Var(&stepFlag{&f.events, "send"}, "event", "send this event")
	c.Flags().StringVar(&f.until, "until", "", "end when this `STATE` is active")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON object a row, and one for the outcome")
	return c
}

func (a *app) resume(id string, f runFlags) error {
	return a.act(&f.location, func(ctx context.Context, h *home) error {
		v, err := h.Get(ctx, id)
		if err != nil {
			return err
		}
		follow := &follower{a: a, home: h, session: id, next: v.Sequence + 1, begun: v.Created, until: f.until, json: f.json}
		switch {
		case v.Status.Over():
			return a.ended(h, follow, f.location, v, nil)
		case v.Status == durable.Suspended:
			err = h.Resume(ctx, id, me(""))
		case v.Status == durable.Parked:
			err = h.Retry(ctx, id, me(""))
			if e := (*statechart.Error)(nil); errors.As(err, &e) && e.Code == durable.CodeNotRepeatable {
				return a.ended(h, follow, f.location, v, nil) // parked as before
			}
		}
		if err != nil {
			return err
		}
		if !f.json {
			a.say("session %s of %s goes on in %s", a.warnings.strong(plain(id)), plain(v.Chart), leaves(v.Configuration))
		}
		return a.carry(h, follow, f.location, f.events)
	})
}

func (a *app) workCommand() *cobra.Command {
	var p location
	c := &cobra.Command{Use: "work", DisableFlagsInUseLine: true, Short: "Carry every session of a store until Ctrl-C",
		Long: `Work owns a store and carries all its sessions: timers fire, calls are made, and other
commands hand it their events. While another process owns the store it stands by,
and takes over when that ends. It ends with Ctrl-C.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return a.work(p) }}
	p.flags(c)
	return c
}

func (a *app) work(p location) error {
	h, err := a.ours(context.Background(), &p, a.fileCharts("", nil, nil), "", true)
	if err != nil {
		return err
	}
	defer h.close()
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	i := a.onInterrupt(stop, func() {})
	defer i.stop()
	if h.owner() == nil {
		a.say("another process owns %s; this one takes over when it ends", plain(p.db))
		select {
		case <-ctx.Done():
			return exit(exitInterrupted)
		case <-h.taken:
		}
	}
	engine := h.owner()
	a.say("working on %s; Ctrl-C ends it", plain(p.db))
	select {
	case <-ctx.Done():
		h.drain(context.Background())
		a.say("ended; what was running goes on with the next detent work")
		return exit(exitInterrupted)
	case <-engine.Failed():
		return told(engine.Err())
	}
}

func (a *app) sendCommand() *cobra.Command {
	var p location
	var key, wait, from, by string
	var asJSON bool
	c := &cobra.Command{Use: "send ID EVENT[=JSON] [--key K] [--wait accepted|committed|settled|end|STATE]", DisableFlagsInUseLine: true,
		Short: "Give a session an event, and say what became of it",
		Long: `Send gives a session an event. With --key the same event can be sent again safely:
it is taken once, and the answer is the first one's.

It waits until the event is stored (accepted), taken (committed), all that follows
from it is done (settled), the session is over (end), or is in a state. The last
three make the session's own calls meanwhile; otherwise who carries the session
does: detent resume, or detent work. An event that is not taken is exit code 3.`,
		Example: `  detent send note go
  detent send note 'pay={"amount": 3}' --key invoice-7
  detent send note go --wait end`,
		Args: sessionArgs(2, "the id of a session and an event"),
		RunE: func(_ *cobra.Command, args []string) error {
			var list []input
			if err := (&stepFlag{&list, "send"}).Set(args[1]); err != nil {
				return err
			}
			p.hold = holdOthers(args[0])
			if wait == "accepted" || wait == "committed" {
				p.hold = holdCalls
			}
			return a.act(&p, func(ctx context.Context, h *home) error {
				var answer durable.Answer
				err := a.waited("waits until "+plain(args[0])+" is "+plain(awaited(wait))+"; Ctrl-C ends the waiting, the event stays", func() (err error) {
					answer, err = h.Send(ctx, durable.Event{Session: args[0], Name: list[0].name, Data: list[0].data, ID: key, From: from, By: by, Until: untilOf(wait)})
					return err
				})
				if err != nil {
					return err
				}
				ended := a.answered(answer, p.where(), asJSON)
				a.leave(ctx, h, args[0], &p)
				return ended
			})
		}}
	p.flags(c)
	c.Flags().StringVar(&key, "key", "", "the event's own `ID`, to send it again safely")
	c.Flags().StringVar(&wait, "wait", "committed", "`WHAT` to wait for: accepted, committed, settled, end or a state")
	c.Flags().StringVar(&from, "from", "client", "the `KIND` of sender: client, human, model, session or tool")
	c.Flags().StringVar(&by, "by", "", "the `NAME` of who sends, for the record")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return c
}

// awaited is how a session is that --wait waits for.
func awaited(text string) string {
	switch text {
	case "accepted", "committed", "settled":
		return text
	case "", "end":
		return "over"
	}
	return "in " + text
}

func untilOf(text string) durable.Until {
	if u, ok := durable.NamedUntil(text); ok || text == "" {
		return u
	}
	return durable.InState(text)
}

// answered says what became of an event. One that was not taken is exit code 3.
func (a *app) answered(answer durable.Answer, where string, asJSON bool) error {
	outcome := answer.Outcome.String()
	if answer.Queued {
		outcome = "queued"
	}
	if asJSON {
		fmt.Fprintln(a.out, compact.text(object{{"session", answer.Session}, {"position", answer.Position}, {"sequence", answer.Sequence}, {"outcome", outcome},
			{"duplicate", answer.Duplicate}, {"status", string(answer.Status)}, {"configuration", answer.Configuration}, {"reason", generic(answer.Reason)}}))
	} else {
		line := outcome
		if answer.Duplicate {
			line += " (it was sent before)"
		}
		if answer.Reason != nil {
			line += ": " + plain(answer.Reason.Message)
		}
		fmt.Fprintf(a.out, "%s; %s is %s, in %s\n", line, plain(answer.Session), answer.Status, leaves(answer.Configuration))
	}
	if answer.Outcome == statechart.Refused || answer.Outcome == statechart.Ignored && !answer.Queued {
		if !asJSON {
			a.hint("%s", nextHint(answer, where))
		}
		return exit(exitNotTaken)
	}
	return nil
}

func (a *app) psCommand() *cobra.Command {
	var p location
	var f durable.Filter
	var status string
	var asJSON bool
	c := &cobra.Command{Use: "ps", DisableFlagsInUseLine: true, Short: "List the sessions of a store", Long: "Ps lists sessions by id: where each stands, and since when.", Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if f.Limit < 1 || f.Limit > 10_000 {
				return usage("a page of ps has from 1 to 10000 sessions", "--after ID shows the next page")
			}
			if !slices.Contains(statuses, status) && status != "" {
				return usage("there is no status "+plain(status), meant(status, statuses, "statuses"))
			}
			f.Status = durable.Status(status)
			return a.look(&p, func(ctx context.Context, h *home) error { return a.ps(ctx, h, f, &p, asJSON) })
		}}
	p.flags(c)
	c.Flags().StringVar(&status, "status", "", "only those of this `STATUS`")
	c.Flags().StringVar(&f.Chart, "chart", "", "only those of this `CHART`")
	c.Flags().StringVar(&f.State, "state", "", "only those in this `STATE`")
	c.Flags().StringVar(&f.User, "user", "", "only those of this `USER`")
	c.Flags().StringVar(&f.Tag, "tag", "", "only those with this `TAG`")
	c.Flags().StringVar(&f.After, "after", "", "the page after this `ID`")
	c.Flags().IntVar(&f.Limit, "limit", 100, "how many at most: a `NUMBER`, up to 10000")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a session")
	return c
}

// statuses are those that a session can have.
var statuses = []string{string(durable.Active), string(durable.Suspended), string(durable.Parked), string(durable.Completed),
	string(durable.Cancelled), string(durable.Failed), string(durable.Expired)}

func (a *app) ps(ctx context.Context, h *home, f durable.Filter, p *location, asJSON bool) error {
	heads, err := h.List(ctx, f)
	if err != nil {
		return err
	}
	if len(heads) == 0 && !asJSON {
		if (f == durable.Filter{Limit: f.Limit}) {
			a.say("there are no sessions in %s", plain(p.db))
		} else {
			a.say("there are none like that in %s", plain(p.db))
		}
	}
	for _, s := range heads {
		if asJSON {
			fmt.Fprintln(a.out, compact.text(object{{"session", s.Session}, {"chart", s.Chart}, {"status", string(s.Status)}, {"sequence", s.Sequence},
				{"configuration", s.Configuration}, {"since", s.Since}, {"user", s.User}, {"parent", s.Parent}}))
			continue
		}
		fmt.Fprintf(a.out, "%s  %s  %s  %s  %s\n", padded(plain(s.Session), 24), padded(string(s.Status), 10), padded(plain(s.Chart), 16),
			time.UnixMilli(s.Since).Format("2006-01-02 15:04:05"), leaves(s.Configuration))
	}
	if len(heads) == f.Limit && !asJSON {
		a.say("there may be more: --after %s", plain(heads[len(heads)-1].Session))
	}
	return nil
}

func (a *app) showCommand() *cobra.Command {
	var p location
	c := &cobra.Command{Use: "show ID", DisableFlagsInUseLine: true, Short: "Show where a session stands, as JSON",
		Long: "Show writes a session as JSON: its configuration, its data, its timers, the outside\ncalls that have not ended, and what waits for a person.", Args: sessionArgs(1, "the id of a session"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.look(&p, func(ctx context.Context, h *home) error {
				v, err := h.Get(ctx, args[0])
				if err != nil {
					return err
				}
				body, err := shown(&v)
				if err != nil {
					return err
				}
				fmt.Fprintf(a.out, "%s\n", body)
				return nil
			})
		}}
	p.flags(c)
	return c
}

func (a *app) logCommand() *cobra.Command {
	var p location
	var from uint64
	var keep, asJSON bool
	often := newOften()
	c := &cobra.Command{Use: "log ID [--from N] [--follow] [--often STATE=N] [--json]", DisableFlagsInUseLine: true, Short: "Show the journal of a session",
		Long: "Log shows every row of a session's journal: what came in, what became of it, and\nwhere that led. It warns of states that were entered too often.", Args: sessionArgs(1, "the id of a session"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.look(&p, func(ctx context.Context, h *home) error {
				f := &follower{a: a, home: h, session: args[0], next: max(from, 1), json: asJSON, often: often}
				defer often.warn(a)
				v, err := h.Get(ctx, args[0])
				if err != nil {
					return err
				}
				f.begun = v.Created
				if !keep {
					return f.rows(ctx)
				}
				_, err = f.follow(ctx)
				return err
			})
		}}
	p.flags(c)
	c.Flags().Uint64Var(&from, "from", 1, "the `NUMBER` of the first row to show")
	c.Flags().BoolVar(&keep, "follow", false, "go on with the rows that come")
	c.Flags().Var(often, "often", "warn when a state was entered more often: `STATE=N`, repeatable")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a row")
	return c
}
