package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
)

// The exit codes of commands that run sessions.
const (
	exitParked      = 4
	exitInterrupted = 130
)

type runFlags struct {
	location
	events      []input
	sets        []string
	until, id   string
	user, input string
	priority    int
	json        bool
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:                   "run FILE [--event NAME[=JSON]]... [--set NAME=VALUE]... [--until STATE] [flags]",
		DisableFlagsInUseLine: true,
		Short:                 "Run a chart, durably",
		Long: `Run starts a session of a chart and shows every step once it is stored. What it
has done survives the process: killed at any moment, it goes on with detent resume.
It ends with the session, or when the session is in the state of --until.`,
		Example: `  detent run agent.yaml --event 'start={"task":"x"}'
  detent run agent.yaml --until waiting --id today
  detent resume today                            after a crash, or Ctrl-C`,
		Args:              files(1),
		ValidArgsFunction: completeFile,
		RunE:              func(_ *cobra.Command, args []string) error { return a.run(args[0], f) },
	}
	f.flags(c)
	flags := c.Flags()
	flags.Var(&stepFlag{&f.events, "send"}, "event", "send this event once the session has started")
	flags.StringArrayVar(&f.sets, "set", nil, "set a field of the input: `NAME=VALUE`, where VALUE is JSON or text")
	flags.StringVar(&f.input, "input", "", "the whole input as `JSON`")
	flags.StringVar(&f.until, "until", "", "end when this `STATE` is active")
	flags.StringVar(&f.id, "id", "", "the session's `NAME`; one is drawn unless given")
	flags.StringVar(&f.user, "user", "", "the `NAME` of whom the session belongs to")
	flags.IntVar(&f.priority, "priority", 0, "a `NUMBER`; who has a higher one gets first what is scarce")
	flags.BoolVar(&f.json, "json", false, "one JSON object a row, and one for the outcome")
	a.fromFlag(c)
	return c
}

func (a *app) run(name string, f runFlags) error {
	s, p := a.read(name)
	if p != nil {
		return p
	}
	chart, kept, err := a.compileSource(s)
	if err != nil {
		return err
	}
	definition := chart.Definition()
	input, p := inputOf(f)
	if p == nil {
		p = knownState(&definition, f.until)
	}
	if p != nil {
		return p
	}
	ctx := context.Background()
	h, err := a.ours(ctx, &f.location, a.fileCharts(name, chart, kept), name, true)
	if err != nil {
		return err
	}
	defer h.close()
	answer, err := h.Start(ctx, durable.Start{ID: f.id, Chart: definition.ID, Input: input, User: f.user, Priority: f.priority})
	if err != nil {
		return notStarted(told(err), err, f, definition.Input)
	}
	if answer.Duplicate {
		return notTaken("there is a session "+plain(answer.Session)+" already", "detent resume "+plain(answer.Session)+f.where()+" goes on with it")
	}
	if !f.json {
		a.say("session %s of %s in %s", a.warnings.strong(plain(answer.Session)), plain(definition.ID), plain(f.db))
		if h.owner() == nil {
			a.say("%s", a.warnings.faint("another process owns the store and runs the session; this one follows it"))
		}
	}
	return a.carry(h, &follower{a: a, home: h, session: answer.Session, next: 1, until: f.until, json: f.json}, f.location, f.events)
}

// knownState refuses a state to wait for that the chart does not have.
func knownState(def *statechart.Definition, path string) *problem {
	if path == "" {
		return nil
	}
	var paths []string
	var walk func(above string, states []statechart.State)
	walk = func(above string, states []statechart.State) {
		for i := range states {
			paths = append(paths, above+states[i].Name)
			walk(above+states[i].Name+".", states[i].States)
		}
	}
	walk("", def.Root.States)
	if slices.Contains(paths, path) {
		return nil
	}
	return usage("the chart has no state "+plain(path), meant(path, paths, "states"))
}

// notStarted adds to why a session was not started what to do about it here.
func notStarted(shown, err error, f runFlags, schema any) error {
	var e *statechart.Error
	var p *problem
	switch {
	case !errors.As(err, &e) || !errors.As(shown, &p):
	case e.Code == statechart.CodeInput && schema != nil:
		p.hint = fmt.Sprintf("it takes %s: --input '%s'", takes(schema), spaced.text(payloadOf(schema)))
	case e.Code == durable.CodeSessionExists:
		p.hint = "detent resume " + f.id + f.where() + " goes on with it; a new one needs another --id"
	}
	return shown
}

// where is what a further command line needs to find the same store.
func (p *location) where() string {
	out := ""
	if p.db != defaultStore && !p.named {
		out += " --db " + p.db
	}
	if p.config != "" {
		out += " --config " + p.config
	}
	return out
}

// inputOf builds the input of a session.
func inputOf(f runFlags) (any, *problem) {
	var input any
	if f.input != "" {
		v, p := parsePayload("the input", f.input)
		if p != nil {
			return nil, p
		}
		input = v
	}
	for _, set := range f.sets {
		name, text, ok := strings.Cut(set, "=")
		if !ok || name == "" {
			return nil, usage("--set needs NAME=VALUE, not "+plain(set), `for example: --set customer=c-17`)
		}
		fields, isObject := input.(map[string]any)
		switch {
		case input == nil:
			fields = map[string]any{}
			input = fields
		case !isObject:
			return nil, usage("--set sets fields, and the input is no object", "give the whole input with --input")
		}
		if v, p := parsePayload("the value", text); p == nil {
			fields[name] = v
		} else {
			fields[name] = text
		}
	}
	return input, nil
}

// carry sends the events and follows the session until it ends or Ctrl-C does.
func (a *app) carry(h *home, f *follower, p location, events []input) error {
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	interrupted := a.onInterrupt(stop, func() { a.goOn(f.session, p) })
	defer interrupted.stop()
	over := func(v durable.View, err error) error {
		if err != nil && errors.Is(context.Cause(ctx), errInterrupted) {
			err = errInterrupted // whatever was cut off by it
		}
		return a.ended(h, f, p, v, err)
	}
	for _, e := range events {
		answer, err := h.Send(ctx, durable.Event{Session: f.session, Name: e.name, Data: e.data})
		if err == nil {
			err = f.rows(ctx)
		}
		if err != nil {
			return over(durable.View{}, err)
		}
		if answer.Outcome == statechart.Refused {
			bad := notTaken(fmt.Sprintf("%s was refused: %s", plain(e.name), plain(answer.Reason.Message)), nextHint(answer, p.where()))
			if answer.Status == durable.Active {
				bad.more = []string{"the session stands; detent resume " + f.session + p.where() + " goes on with it"}
			}
			return bad
		}
		if answer.Outcome == statechart.Ignored && !answer.Queued {
			a.say("%s was ignored in %s; %s", plain(e.name), leaves(answer.Configuration), plain(nextHint(answer, p.where())))
		}
	}
	v, err := f.follow(ctx)
	if err == nil && v.Status == durable.Active {
		asked(ctx, h, f.session)
	}
	return over(v, err)
}

func nextHint(a durable.Answer, where string) string {
	var names []string
	for _, e := range a.Next() {
		names = append(names, e.Name)
	}
	if len(names) == 0 {
		return "detent show " + a.Session + where + " says where it stands"
	}
	return "it takes " + strings.Join(atMost(maxListed, names), ", ")
}

// ended says how a run ended and gives the exit code.
func (a *app) ended(h *home, f *follower, p location, v durable.View, err error) error {
	if errors.Is(err, errInterrupted) {
		return a.interrupted(h, f, p)
	}
	if err != nil {
		return told(err)
	}
	if f.json {
		fmt.Fprintln(a.out, compact.text(object{{"session", f.session}, {"status", string(v.Status)}, {"configuration", v.Configuration},
			{"sequence", v.Sequence}, {"output", v.Output}, {"reason", generic(v.Reason)}}))
	}
	again := "detent resume " + f.session + p.where()
	switch v.Status {
	case durable.Completed, durable.Active:
		if !f.json {
			a.say("%s", a.endLine(v))
		}
		return nil
	case durable.Suspended:
		a.say("the session is suspended; %s goes on with it", again)
		return exit(exitInterrupted)
	case durable.Parked:
		bad := failure("the session is parked: "+plain(reasonText(v)), parkedHint(&v, p.where()))
		bad.exit = exitParked
		return bad
	}
	return failure("the session is "+string(v.Status)+": "+plain(reasonText(v)), "detent log "+f.session+p.where()+" shows how it came to that")
}

// parkedHint says what to do for a parked session: settle what nobody saw the
// end of, otherwise try again.
func parkedHint(v *durable.View, where string) string {
	for _, e := range v.Effects {
		if e.Stands == "unknown" {
			return "find out whether it happened, then: detent settle " + v.Session + " " + e.ID + where + " --done JSON, --failed or --again"
		}
	}
	return "detent show " + v.Session + where + " says more; detent retry " + v.Session + where + " tries again"
}

func reasonText(v durable.View) string {
	if v.Reason == nil {
		return "it ended in " + leaves(v.Configuration)
	}
	return v.Reason.Message
}

func (a *app) endLine(v durable.View) string {
	line := "the session is in " + leaves(v.Configuration)
	if v.Status == durable.Completed {
		line = "the session is completed, in " + leaves(v.Configuration)
	}
	if v.Output != nil {
		line += ", with " + clip(plain(spaced.text(v.Output)), maxShown)
	}
	return line
}

var errInterrupted = errors.New("interrupted")

// interruption listens for Ctrl-C: the first ends what goes on, the second
// the process.
type interruption struct {
	signals chan os.Signal
	over    chan struct{}
	count   atomic.Int32
}

func (a *app) onInterrupt(first context.CancelCauseFunc, second func()) *interruption {
	i := &interruption{signals: make(chan os.Signal, 2), over: make(chan struct{})}
	signal.Notify(i.signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for {
			select {
			case <-i.over:
				return
			case <-i.signals:
				if i.count.Add(1) > 1 {
					second()
					os.Exit(exitInterrupted) // what is stored is stored
				}
				first(errInterrupted)
			}
		}
	}()
	return i
}

func (i *interruption) stop() {
	signal.Stop(i.signals)
	close(i.over)
}

// interrupted brings the session to rest and says how to go on. What another
// process runs is left alone.
func (a *app) interrupted(h *home, f *follower, p location) error {
	ctx := context.Background()
	if engine := h.owner(); engine != nil {
		a.say("ending: no call starts any more, those that run have 10 s; Ctrl-C again stops at once")
		h.drain(ctx)
		if err := engine.Suspend(ctx, f.session, durable.Suspension{Reason: "interrupted", By: "terminal"}); err != nil {
			a.say("the session could not be suspended: %s", err.Error())
		}
		f.rows(ctx)
	}
	a.goOn(f.session, p)
	return exit(exitInterrupted)
}

// goOn prints the command that goes on with a session.
func (a *app) goOn(session string, p location) {
	a.say("go on with: detent resume %s%s", plain(session), p.where())
}
