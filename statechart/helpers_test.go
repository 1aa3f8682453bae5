package statechart_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/chartgen/prefix"
	"github.com/detent-run/detent/statechart"
)

// Short names for what the definitions in tests are made of.
type (
	Definition = statechart.Definition
	State      = statechart.State
	Transition = statechart.Transition
	Timed      = statechart.Timed
	Invocation = statechart.Invocation
	Variable   = statechart.Variable
	Promotion  = statechart.Promotion
	Condition  = statechart.Condition
	Action     = statechart.Action
	Expression = statechart.Expression
	Instance   = statechart.Instance
	Event      = statechart.Event
	Delivery   = statechart.Delivery
	Scope      = statechart.Scope
	Registry   = statechart.Registry
)

// when is a guard written in the tests' language.
func when(source string) Condition { return Condition{Expression: Expression(source)} }

// guarded is on with a guard in the tests' language.
func guarded(event, guard, target string, actions ...Action) Transition {
	return Transition{Event: event, Guard: when(guard), Target: target, Actions: actions}
}

// shut is a guard that never holds.
var shut = when("false")

// assign writes variables: a name, then its value, and so on.
func assign(namesAndValues ...any) Action {
	a := Action{Assign: []Variable{}}
	for i := 0; i < len(namesAndValues); i += 2 {
		a.Assign = append(a.Assign, Variable{Name: namesAndValues[i].(string), Value: namesAndValues[i+1]})
	}
	return a
}

// vars declares variables: a name, then its initial value, and so on.
func vars(namesAndValues ...any) []Variable { return assign(namesAndValues...).Assign }

// fails is an action that always fails.
var fails = Action{Log: Expression("(fail)")}

// spoken returns a registry with the tests' language.
func spoken() *Registry {
	r := statechart.NewRegistry()
	r.Language(prefix.Language{})
	return r
}

// compile compiles a definition that must be right. Its expressions are in
// the tests' language unless a registry is given.
func compile(t testing.TB, d Definition, registry ...*Registry) *statechart.Chart {
	t.Helper()
	reg := spoken()
	if len(registry) > 0 {
		reg = registry[0]
	}
	if d.ID == "" {
		d.ID = "c"
	}
	c, err := statechart.Compile(d, reg)
	if err != nil {
		t.Fatalf("compile:\n%v", err)
	}
	return c
}

// start compiles a chart and starts an instance of the session "s".
func start(t testing.TB, d Definition, registry ...*Registry) *Instance {
	t.Helper()
	in := &Instance{}
	compile(t, d, registry...).Start(in, statechart.Start{Session: "s"})
	return in
}

// root starts an instance of a chart "c" of which only the root is given.
func root(t testing.TB, s State, registry ...*Registry) *Instance {
	t.Helper()
	return start(t, Definition{Root: s}, registry...)
}

// inScxml is root for the scxml dialect.
func inScxml(t testing.TB, s State) *Instance {
	t.Helper()
	return start(t, Definition{Dialect: "scxml", Root: s})
}

// told sends an event by name and says what became of it, with the reason's
// code if there is one.
func told(in *Instance, name string) string { return result(in.Send(Event{Name: name})) }

func result(r statechart.Result) string {
	if r.Reason == nil {
		return r.Outcome.String()
	}
	return r.Outcome.String() + " " + string(r.Reason.Code)
}

// wantTold sends an event and compares what became of it.
func wantTold(t *testing.T, in *Instance, name, want string) {
	t.Helper()
	if got := told(in, name); got != want {
		t.Errorf("%s in %q is %s, want %s", name, in.Configuration(), got, want)
	}
}

// asked renders the effects of the last step, one after the other.
func asked(in *Instance) string { return rendered(in.Effects()) }

func rendered(effects []statechart.Effect) string {
	var out []string
	for _, e := range effects {
		out = append(out, render(e))
	}
	return strings.Join(out, "; ")
}

// render writes an effect with what its type is about.
func render(e statechart.Effect) string {
	text := string(e.Type)
	switch e.Type {
	case statechart.EffectInvoke, statechart.EffectDo:
		text += " " + e.Source.ID + " " + e.Call.Src
	case statechart.EffectStop:
		text += " " + e.Source.ID
	case statechart.EffectSend:
		text += " " + e.Event + " to " + e.To
	case statechart.EffectSchedule:
		text += fmt.Sprintf(" %s at %d", e.Event, e.Due)
	case statechart.EffectUnschedule, statechart.EffectEmit:
		text += " " + e.Event
	case statechart.EffectAppend, statechart.EffectEnd:
		text += " " + e.Name
	case statechart.EffectWarn:
		return text + " " + e.Event
	case statechart.EffectLog:
		return fmt.Sprintf("%s %v", text, e.Data)
	}
	if e.Data != nil {
		text += " " + compact(e.Data)
	}
	return text
}

// compact writes a value as JSON.
func compact(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// wantAsked compares the effects of the last step.
func wantAsked(t *testing.T, in *Instance, want ...string) {
	t.Helper()
	if got, want := asked(in), strings.Join(want, "; "); got != want {
		t.Errorf("asked for\n%s\nwant\n%s", got, want)
	}
}

// wantVar compares a variable of an active state ("" is the root).
func wantVar(t *testing.T, in *Instance, state, name string, want any) {
	t.Helper()
	if got := in.Data()[state][name]; !reflect.DeepEqual(got, want) {
		t.Errorf("%s of %q is %v (%T), want %v (%T)", name, state, got, got, want, want)
	}
}

// wantScopes compares which active states have data.
func wantScopes(t *testing.T, in *Instance, want ...string) {
	t.Helper()
	got := []string{}
	for path := range in.Data() {
		got = append(got, path)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("there are scopes of %q, want %q", got, want)
	}
}

// wantStatus compares the session's status, and its reason's code.
func wantStatus(t *testing.T, in *Instance, want statechart.Status, code statechart.Code) {
	t.Helper()
	if in.Status() != want {
		t.Errorf("the status is %q, want %q", in.Status(), want)
	}
	switch r := in.Reason(); {
	case r == nil && code != "":
		t.Errorf("there is no reason, want %s", code)
	case r != nil && r.Code != code:
		t.Errorf("the reason is %+v, want %q", *r, code)
	}
}

// effectOf returns the first effect of a type in the last step.
func effectOf(t testing.TB, in *Instance, kind statechart.EffectType) statechart.Effect {
	t.Helper()
	for _, e := range in.Effects() {
		if e.Type == kind {
			return e
		}
	}
	t.Fatalf("no %s among: %s", kind, asked(in))
	return statechart.Effect{}
}

// answer is the event that a host gives for a call: how it ended ("done",
// "error", "unknown", "progress"), of which source, with what.
func answer(how string, source statechart.Source, data any) Delivery {
	return Delivery{
		Event:    Event{Name: how + "." + source.Kind + "." + source.ID, Data: data},
		Envelope: &statechart.Envelope{Source: source},
	}
}

// fire lets the next timer come due and returns what became of it.
func fire(t testing.TB, in *Instance) string {
	t.Helper()
	if len(in.Timers()) == 0 {
		t.Fatal("no timer is armed")
	}
	next := in.Timers()[0]
	in.SetNow(next.Due)
	return result(in.Receive(next.Delivery()))
}

// timers renders the armed timers.
func timers(in *Instance) string {
	var out []string
	for _, x := range in.Timers() {
		out = append(out, fmt.Sprintf("%s@%d", x.Name, x.Due))
	}
	return strings.Join(out, " ")
}

// encode writes an instance's snapshot.
func encode(t testing.TB, in *Instance) string {
	t.Helper()
	b, err := in.Snapshot().Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// errorsOf compiles a definition that must be wrong and returns its errors.
func errorsOf(t testing.TB, d Definition, registry *Registry) statechart.Errors {
	t.Helper()
	c, err := statechart.Compile(d, registry)
	if err == nil {
		t.Fatalf("it compiles, though it must not")
	}
	if c != nil {
		t.Errorf("a chart is returned together with errors")
	}
	var list statechart.Errors
	if !errors.As(err, &list) || len(list) == 0 {
		t.Fatalf("%T is no list of errors: %v", err, err)
	}
	return list
}

// wantRefused checks that a definition has exactly one error, of a code and
// at a place.
func wantRefused(t *testing.T, d Definition, code statechart.Code, path string) {
	t.Helper()
	if d.ID == "" {
		d.ID = "c"
	}
	list := errorsOf(t, d, spoken())
	if len(list) != 1 || list[0].Code != code || list[0].Path != path {
		t.Errorf("refused with\n%v\nwant one error %s at %s", describeErrors(list), code, path)
	}
}

func describeErrors(list statechart.Errors) string {
	var b strings.Builder
	for _, e := range list {
		fmt.Fprintf(&b, "%s | %s | %s | %s\n", e.Code, e.Path, e.Message, e.Hint)
	}
	return b.String()
}

// inEachForm runs a test on instances that hold their configuration in each
// of the forms there are: planned (when the plans are made, and again when
// they are there), one leaf per region, and bitsets.
func inEachForm(t *testing.T, c *statechart.Chart, context func() any, test func(t *testing.T, in *Instance)) {
	t.Helper()
	uncached := c.WithCache(statechart.Cache{Configurations: -1})
	bits := c.WithCache(statechart.Cache{Configurations: -1, Regions: -1})
	for _, form := range []struct {
		name  string
		chart *statechart.Chart
	}{{"planning", c}, {"planned", c}, {"leaf per region", uncached}, {"bitsets", bits}} {
		t.Run(form.name, func(t *testing.T) {
			var own any
			if context != nil {
				own = context()
			}
			test(t, form.chart.Instance(own))
		})
	}
}

// diary is a typed context that notes what is called, in order. Its guards
// answer what it says.
type diary struct {
	Notes   []string
	Answers map[string]bool
}

// Clone makes undo safe though Notes is written to in place.
func (d *diary) Clone() *diary {
	return &diary{Notes: slices.Clone(d.Notes), Answers: d.Answers}
}

func (d *diary) take() string {
	text := strings.Join(d.Notes, " ")
	d.Notes = nil
	return text
}

func newDiary() any { return &diary{Answers: map[string]bool{}} }

// diarist returns a registry whose actions note their name, and whose guards
// note their name with a question mark.
func diarist(guards []string, actions ...string) *Registry {
	r := statechart.NewRegistry()
	for _, name := range guards {
		statechart.Guard(r, name, func(d *diary, _ Event) bool {
			d.Notes = append(d.Notes, name+"?")
			return d.Answers[name]
		})
	}
	for _, name := range actions {
		statechart.Assign(r, name, func(d *diary, _ Event) { d.Notes = append(d.Notes, name) })
	}
	return r
}

// note calls an action of the diarist.
func note(name string) Action { return Action{Call: name} }

// noted is a state that notes "+name" and "-name".
func noted(name string, s State) State {
	s.Name = name
	s.Entry = append([]Action{note("+" + name)}, s.Entry...)
	s.Exit = append(s.Exit, note("-"+name))
	return s
}

// both returns "+name" and "-name" of each name, for diarist.
func both(names ...string) []string {
	var out []string
	for _, n := range names {
		out = append(out, "+"+n, "-"+n)
	}
	return out
}

func wantNotes(t *testing.T, in *Instance, want string) {
	t.Helper()
	if got := in.Context().(*diary).take(); got != want {
		t.Errorf("noted %q, want %q", got, want)
	}
}

// checkLegal checks that the configuration is legal (R2): one child of every
// active compound state is active, every child of an active parallel one,
// and nothing below a state that is not.
func checkLegal(t testing.TB, in *Instance) {
	t.Helper()
	def := in.Chart().Definition()
	checkLegalBelow(t, in, &def.Root, "", true)
}

func checkLegalBelow(t testing.TB, in *Instance, s *State, path string, active bool) {
	t.Helper()
	count, children := 0, 0
	for i := range s.States {
		child := &s.States[i]
		below := strings.TrimPrefix(path+"."+child.Name, ".")
		is := in.Matches(below)
		switch {
		case child.Type == statechart.History && is:
			t.Errorf("the history %q is active", below)
		case is && !active:
			t.Errorf("%q is active in %q, which is not", below, path)
		}
		if child.Type != statechart.History {
			children++
			if is {
				count++
			}
		}
		checkLegalBelow(t, in, child, below, is)
	}
	switch {
	case !active || children == 0:
	case s.Type == statechart.Parallel && count != children, s.Type != statechart.Parallel && count != 1:
		t.Errorf("%d of the %d children of %q are active: %q", count, children, path, in.Configuration())
	}
}
