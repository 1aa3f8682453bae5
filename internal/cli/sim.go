package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/charttest/transcript"
	"github.com/detent-run/detent/statechart"
)

// simOptions are what a user asks of sim.
type simOptions struct {
	file     string
	input    any
	hasInput bool
	steps    []input // in the order of the command line
	script   string
	children []string
	guards   map[string]bool
	json     bool
}

func (a *app) simCommand() *cobra.Command {
	o := &simOptions{guards: map[string]bool{}}
	c := &cobra.Command{
		Use:                   "sim FILE [--event NAME[=JSON]]... [--script FILE] [--json]",
		DisableFlagsInUseLine: true,
		Short:                 "Drive a chart in memory, event by event",
		Long: `Sim drives a chart in memory, on a clock that moves only when told. Nothing is
called outside: calls stay open until you answer them.

What is done is given as flags, in their order; or line by line on standard
input, in the words that "help" lists; or, on a terminal, at a prompt that shows
what is possible, completes it, and takes back what was done. A transcript says
what is done and what must be seen; sim plays it and shows what differs.

The exit code is 1 when the session failed or the transcript does not hold, and 3
when an event was ignored or refused.`,
		Example: `  detent sim agent.yaml
  detent sim agent.yaml --event 'START={"task": "news"}' --done 'search=["a", "b"]' --advance 5s
  detent sim agent.yaml --script agent.transcript
  detent sim agent.yaml --event START --json   one JSON object a macrostep`,
		Args: files(1), ValidArgsFunction: completeFile,
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("script") && o.script == "" {
				return usage("the flag --script needs a value", valueHint(c.Flags().Lookup("script")))
			}
			o.file = args[0]
			return a.sim(o)
		},
	}
	a.simFlags(c, o)
	return c
}

func (a *app) simFlags(c *cobra.Command, o *simOptions) {
	f := c.Flags()
	f.SortFlags = false
	f.Var(&stepFlag{&o.steps, "send"}, "event", "send an event, with its payload")
	f.Var(&stepFlag{&o.steps, "done"}, "done", "answer an open call with its output")
	f.Var(&stepFlag{&o.steps, "error"}, "error", "answer an open call with an error")
	f.Var(&stepFlag{&o.steps, "unknown"}, "unknown", "say that nobody saw how a call ended")
	f.Var(&stepFlag{&o.steps, "progress"}, "progress", "give news of an open call")
	f.Var(&stepFlag{&o.steps, "as"}, "as", "who sends the events that follow: client (if not said), model, human, session, tool")
	f.Var(&stepFlag{&o.steps, "advance"}, "advance", "let time pass: 500ms, 45s, 15m, 30d, or next for what is due next")
	f.StringVar(&o.script, "script", "", "a transcript `FILE` to play; what differs is shown")
	f.Var((*inputFlag)(o), "input", "what the session starts with")
	f.Var(guardFlag(o.guards), "guard", "what a required guard says here")
	f.StringArrayVar(&o.children, "child", nil, "the `FILE` of a chart that calls of chart:ID start")
	a.fromFlag(c)
	f.BoolVar(&o.json, "json", false, "write one JSON object a macrostep")
	for _, name := range []string{"event", "done", "error", "unknown", "progress", "guard"} {
		c.RegisterFlagCompletionFunc(name, a.completeFromChart(name))
	}
	c.RegisterFlagCompletionFunc("as", cobra.FixedCompletions(transcript.Senders, cobra.ShellCompDirectiveNoFileComp))
	c.RegisterFlagCompletionFunc("advance", cobra.FixedCompletions([]string{"next", "1s", "1m", "1h", "1d"}, cobra.ShellCompDirectiveNoFileComp))
	c.RegisterFlagCompletionFunc("child", completeFiles)
}

func (a *app) sim(o *simOptions) error {
	if o.script != "" && o.hasInput {
		return usage("--input and --script do not go together", "the step start of the transcript says the input")
	}
	s, err := a.simulation(o)
	if err != nil {
		return err
	}
	d := &drive{app: a, sim: s, view: newView(a.out, a.colours), json: o.json}
	var c *console
	if a.asks(o) {
		c = newConsole(&a.env)
		s.guards.ask = func(name string) bool { return d.askGuard(c, name) }
	}
	if o.json {
		d.view = newView(a.err, a.warnings) // only macrosteps are output
	}
	switch {
	case o.script != "":
		err = d.script(o)
	case len(o.steps) > 0:
		err = d.steps(o.steps)
	case c != nil:
		return d.prompt(c)
	default:
		err = d.lines(o.file != "-")
	}
	if err != nil {
		return err
	}
	return d.ending()
}

// asks tells whether there is a user at a terminal to ask.
func (a *app) asks(o *simOptions) bool {
	return a.env.InTerminal && a.env.OutTerminal && !o.json && o.script == "" && o.file != "-"
}

// simulation reads the charts and makes a session that is not started.
func (a *app) simulation(o *simOptions) (*simulation, error) {
	s := &simulation{guards: newGuards(o.guards), begin: o.input, children: map[string]*statechart.Chart{}}
	var missing []string
	var actions []string
	for i, name := range append([]string{o.file}, o.children...) {
		file, chart, err := a.chart(name, s)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			s.chart = chart
			if file.document != nil {
				s.find = a.finder(name)
			}
		} else {
			s.children[file.definition.ID] = chart
		}
		s.guards.names = append(s.guards.names, file.requires.Guards...)
		actions = append(actions, file.requires.Actions...)
		missing = append(missing, childrenOf(&file.definition.Root)...)
	}
	for _, name := range sortedKeys(o.guards) {
		if !slices.Contains(s.guards.names, name) {
			return nil, usage("the chart requires no guard "+plain(name), meant(name, s.guards.names, "required guards"))
		}
	}
	a.sayStandIns(s, a.asks(o), actions, missing)
	return s, nil
}

// sayStandIns says, each in one line, what is not as it would be in production.
func (a *app) sayStandIns(s *simulation, asks bool, actions, children []string) {
	if unset := s.guards.unset(); len(unset) > 0 && !asks {
		a.say("%s no function stands behind the guards here, they say no: %s (--guard NAME=true)", a.warnings.care("note:"), plain(strings.Join(unset, ", ")))
	}
	if len(actions) > 0 {
		a.say("%s no function stands behind the actions here, they do nothing: %s", a.warnings.care("note:"), plain(strings.Join(actions, ", ")))
	}
	var none []string
	for _, id := range children {
		if s.children[id] == nil && !slices.Contains(none, id) {
			none = append(none, id)
		}
	}
	if len(none) > 0 {
		a.say("%s calls of these charts fail, for they are not given: %s (--child FILE)", a.warnings.care("note:"), plain(strings.Join(none, ", ")))
	}
}

// chart reads and compiles a chart with stand-ins for the functions that it
// requires, and what it starts itself. Warnings of the file are shown and do
// not stop it.
func (a *app) chart(name string, sim *simulation) (*loaded, *statechart.Chart, error) {
	s, p := a.read(name)
	if p != nil {
		return nil, nil, p
	}
	file, found, p := a.load(s)
	if p != nil {
		return nil, nil, p
	}
	if file == nil {
		return nil, nil, a.refuse(s, found)
	}
	chart, found := file.compile(standIns(file.requires, sim.guards))
	if chart == nil {
		return nil, nil, a.refuse(s, found)
	}
	children, broken := file.children()
	if broken != nil {
		return nil, nil, a.refuse(s, broken)
	}
	maps.Copy(sim.children, children)
	showDiagnostics(a.err, a.warnings, s.data, found)
	return file, chart, nil
}

// standIns is a registry with what a chart requires: guards that say what
// they are told, actions that do nothing, calls that stay open.
func standIns(requires chartfile.Requires, g *guards) *statechart.Registry {
	r := chartfile.Behaviour()
	for _, guard := range requires.Guards {
		r.Guard(guard, func(*statechart.Scope) (bool, error) { return g.holds(guard), nil })
	}
	for _, action := range requires.Actions {
		r.Action(action, func(*statechart.Scope) error { return nil })
	}
	r.Performer(requires.Performers...)
	return r
}

// childrenOf lists the charts that a state or one below it calls.
func childrenOf(s *statechart.State) []string {
	var ids []string
	for i := range s.Invoke {
		if src, ok := s.Invoke[i].Src.(string); ok {
			if id, ok := strings.CutPrefix(src, "chart:"); ok {
				ids = append(ids, id)
			}
		}
	}
	for i := range s.States {
		ids = append(ids, childrenOf(&s.States[i])...)
	}
	return ids
}
