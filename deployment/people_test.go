package deployment_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/deployment"
	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/memory"
)

const form = `id: form
initial: asking
states:
  asking:
    invoke:
      id: clerk
      src: human:input
      input: {question: How many?, schema: {type: object, required: [count], properties: {count: {type: integer}}}}
      onDone: counted
      onError: declined
  counted: {type: final, output: "${ event.output.answer.count }"}
  declined: {type: final, status: failed}
`

// What a person answers fits the schema of the question, or is refused and the
// question stays open.
func TestAnAnswerFitsItsQuestion(t *testing.T) {
	chart, err := chartfile.Load("form.yaml", []byte(form), nil)
	if err != nil {
		t.Fatal(err)
	}
	d, found := deployment.Read("detent.yaml", []byte("{}"), deployment.Options{})
	if d == nil {
		t.Fatal(found)
	}
	engine, err := durable.Open(t.Context(), memory.New(), durable.Config{Charts: durable.NewCharts(chart), Performers: d.Performers()})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	if _, err := engine.Start(t.Context(), durable.Start{ID: "s", Chart: "form", Until: durable.Settled}); err != nil {
		t.Fatal(err)
	}
	yes := true
	for _, c := range []struct {
		reply durable.Reply
		says  string // empty: it is taken
	}{
		{durable.Reply{Data: map[string]any{"count": "many"}}, "the answer does not fit: count is text, not a whole number"},
		{durable.Reply{Data: map[string]any{}}, "count"},
		{durable.Reply{}, "the answer does not fit: "},
		{durable.Reply{Approve: &yes}, "the answer does not fit: "},
		{durable.Reply{Data: map[string]any{"count": int64(3)}}, ""},
	} {
		c.reply.By = "ann"
		err := engine.Answer(t.Context(), "s", "clerk", c.reply)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%+v is answered with %v, want %q", c.reply, err, c.says)
		}
	}
	view, err := engine.Wait(t.Context(), "s", durable.End)
	if err != nil || view.Output != int64(3) {
		t.Errorf("it ends in %v with %v: %v", view.Configuration, view.Output, err)
	}
}

// A question that cannot be asked is found before anything runs.
func TestCheckReadsQuestions(t *testing.T) {
	d, _ := deployment.Read("detent.yaml", []byte("{}"), deployment.Options{})
	for input, want := range map[string]string{
		`{question: Really?}`: "",
		`{question: "${ 'a' + 'b' }", deadline: "${ '1s' }", default: true}`: "",
		`{question: "${ 'a' + 'b' }", draft: "${ 'c' }"}`:                    "draft: there is no such field",
		`{draft: a}`:                                   "draft: there is no such field",
		`{question: Really?, default: true}`:           "default: needs a deadline",
		`{question: Really?, schema: {type: nothing}}`: "schema: ",
	} {
		text := "id: a\ninitial: b\nstates:\n  b: {invoke: {src: human:approve, input: " + input + ", onDone: c}}\n  c: {}\n"
		f, found := chartfile.Read("a.yaml", []byte(text))
		if f == nil {
			t.Fatal(found)
		}
		said := deployment.Check(&f.Definition, d, nil)
		if want == "" && len(said) > 0 || want != "" && (len(said) != 1 || !strings.Contains(said[0].Message, want)) {
			t.Errorf("%s: %v, want %q", input, said, want)
		}
	}
}
