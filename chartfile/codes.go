package chartfile

import (
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// Explanation says what an error code means: a row of the one table from
// which docs/errors is made.
type Explanation struct {
	// Code is the code.
	Code statechart.Code
	// Title is what happened, in a few words.
	Title string
	// When says at which moment the code is met.
	When When
	// Meaning is what the code means, in one or more sentences.
	Meaning string
	// Remedy is what to do about it.
	Remedy string
	// Bad gives exactly this code, and Good, which is how it is meant, does
	// not. Both are empty when NoExample says why there is none.
	Bad, Good Example
	// NoExample is why no chart file can show the code.
	NoExample string
}

// Example is a chart file with what is done to a session of it.
type Example struct {
	// Chart is a YAML chart file.
	Chart string
	// Steps are flags of detent sim, in order. Empty: the file is read.
	Steps []Step
	// Says is the reason that the last step of a wrong example gives.
	Says string
}

// Step is one flag of detent sim.
type Step struct {
	// Flag is event, advance, done, error, unknown or input.
	Flag string
	// Value is what stands after it, such as `PAY={"amount": 5}`.
	Value string
}

// When is the moment at which a code is met.
type When string

// The moments.
const (
	Reading   When = "when a file is read"
	Compiling When = "when a chart is compiled"
	Writing   When = "when a chart is written"
	Sending   When = "when an event is sent"
	Running   When = "while a session runs"
	Starting  When = "when a session starts"
	Restoring When = "when a session is restored"
	Opening   When = "when a store is opened"
	Keeping   When = "while an engine carries sessions"
	Calling   When = "when an outside call ends"
)

// Explain returns the explanation of a code; false when there is no such
// code. Of codes that end with a number, such as exit_2, it is that of all.
func Explain(code statechart.Code) (Explanation, bool) {
	if head := strings.TrimRight(string(code), "0123456789"); head == "exit_" || head == "http_" {
		code = statechart.Code(head + "N")
	}
	for _, table := range explanations {
		if i := slices.IndexFunc(table, func(e Explanation) bool { return e.Code == code }); i >= 0 {
			return table[i], true
		}
	}
	return Explanation{}, false
}

// Explanations returns all explanations, in the order in which their moments
// come. The caller owns the slice.
func Explanations() []Explanation { return slices.Concat(explanations...) }

var explanations = [][]Explanation{fileCodes, scxmlCodes, chartCodes, nameCodes, sendCodes, runCodes, storeCodes, callCodes}

// Page returns the explanation as a page of Markdown.
func (e Explanation) Page() string {
	var b strings.Builder
	b.WriteString("<!-- Made from the table in chartfile/codes.go; `make generate` writes it. -->\n\n")
	b.WriteString("# `" + string(e.Code) + "`: " + e.Title + "\n\nMet " + string(e.When) + ".\n\n" + e.Meaning + "\n\n**What to do:** " + e.Remedy + "\n\n")
	if e.NoExample != "" {
		b.WriteString("There is no example: " + e.NoExample + "\n\n")
	} else {
		b.WriteString("## Wrong\n\n" + e.Bad.markdown("wrong.yaml") + e.Bad.complaint("wrong.yaml") + "## Right\n\n" + e.Good.markdown("right.yaml"))
	}
	b.WriteString("[All codes](README.md)\n")
	return b.String()
}

// markdown shows the chart and the command that shows the code.
func (x Example) markdown(name string) string {
	return "```yaml\n" + x.Chart + "```\n\n```sh\n" + x.Command(name) + "\n```\n\n"
}

// complaint is what is said of a wrong example.
func (x Example) complaint(name string) string {
	says := x.Says
	if len(x.Steps) == 0 {
		says = Check(name, []byte(x.Chart)).Error()
	}
	return "```text\n" + says + "\n```\n\n"
}

// Command is the command line that plays the example from a file of that
// name.
func (x Example) Command(file string) string {
	if len(x.Steps) == 0 {
		return "detent check " + file
	}
	command := "detent sim " + file
	for _, s := range x.Steps {
		value := s.Value
		if strings.ContainsAny(value, " {}\"[]'") {
			value = "'" + value + "'"
		}
		command += " --" + s.Flag + " " + value
	}
	return command
}

// ErrorIndex returns the index of all pages as Markdown.
func ErrorIndex() string {
	var b strings.Builder
	b.WriteString("<!-- Made from the table in chartfile/codes.go; `make generate` writes it. -->\n\n# Error codes\n\n" +
		"Every refusal and every outcome but *taken* has a code that does not change. `detent explain CODE` shows the same pages. " +
		"Each example is run by a test: the wrong one gives the code, the right one does not.\n")
	last := When("")
	for _, e := range Explanations() {
		if e.When != last {
			last = e.When
			b.WriteString("\n## " + strings.ToUpper(string(e.When[:1])) + string(e.When[1:]) + "\n\n| code | what happened |\n|---|---|\n")
		}
		b.WriteString("| [`" + string(e.Code) + "`](" + string(e.Code) + ".md) | " + e.Title + " |\n")
	}
	return b.String()
}
