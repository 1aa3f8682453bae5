package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/statechart"
)

func (a *app) convertCommand() *cobra.Command {
	var to, out string
	c := &cobra.Command{
		Use:                   "convert FILE --to FORMAT [--from FORMAT] [--out FILE]",
		DisableFlagsInUseLine: true,
		Short:                 "Write a chart in another format",
		Long: `Convert reads a chart file, an SCXML document or a configuration of XState v5 and
writes the same chart in another format:

  yaml, json      a chart file, in the shortest form
  scxml           an SCXML document
  xstate          a JSON configuration of XState v5, with names for what its JSON
                  cannot hold
  xstate-module   a JavaScript module for XState v5 that behaves the same

What a format cannot say is refused, with the place of each. Comments are not
part of a chart and stay behind.`,
		Example: `  detent convert agent.yaml --to json
  detent convert agent.yaml --to xstate-module --out agent.mjs
  detent convert machine.json --from xstate --to yaml
  detent convert phone.scxml --to scxml`,
		Args:              files(1),
		ValidArgsFunction: completeFile,
		RunE:              func(_ *cobra.Command, args []string) error { return a.convert(args[0], to, out) },
	}
	c.Flags().StringVar(&to, "to", "", "the `format` to write: "+strings.Join(toFormats, ", "))
	a.fromFlag(c)
	c.Flags().StringVar(&out, "out", "", "the `file` to write instead of standard output")
	c.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(toFormats, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// toFormats are what a chart can be written as.
var toFormats = []string{"yaml", "json", "scxml", "xstate", "xstate-module"}

func (a *app) convert(name, to, out string) error {
	switch {
	case to == "":
		return usage("detent convert needs a format", "add --to "+strings.Join(toFormats, ", --to "))
	case !slices.Contains(toFormats, to):
		return usage("there is no format "+plain(to), meant(to, toFormats, "formats"))
	}
	chart, err := a.wholeChart(name)
	if err != nil {
		return err
	}
	text, err := a.written(chart, to)
	if err != nil {
		return a.unsayable(name, to, err)
	}
	return a.deliver(out, text)
}

// unsayable shows what of a chart a format cannot say, by the places in its
// definition, and ends the command.
func (a *app) unsayable(name, to string, err error) error {
	var parts statechart.Errors
	if !errors.As(err, &parts) {
		return failure("write "+shownName(name)+" as "+to+": "+err.Error(), "detent check "+name+" says what is wrong with it")
	}
	for _, part := range parts {
		fmt.Fprintf(a.err, "%s %s: %s %s\n", a.warnings.strong(plain(part.Path)+":"), a.warnings.severity("error"), plain(part.Message), a.warnings.faint("["+string(part.Code)+"]"))
		if part.Hint != "" {
			fmt.Fprintf(a.err, "  %s %s\n", a.warnings.faint("hint:"), plain(part.Hint))
		}
	}
	return failure(fmt.Sprintf("%s cannot be written as %s: %s", shownName(name), to, count(len(parts), "part")), "change the chart, or write another format")
}

// written is a chart as text in a format. What changes with the format
// without being refused is said.
func (a *app) written(chart *loaded, to string) ([]byte, error) {
	switch to {
	case "yaml":
		return chartfile.Write(chart.definition, chartfile.YAML)
	case "json":
		return chartfile.Write(chart.definition, chartfile.JSON)
	case "xstate":
		return xstate.JSON(chart.definition)
	case "xstate-module":
		return xstate.Module(chart.definition)
	}
	var o scxml.WriteOptions
	if d := chart.document; d != nil {
		o = scxml.WriteOptions{DataModel: d.DataModel, Name: d.Title, Children: d.Children}
	}
	text, err := scxml.Write(chart.definition, o)
	if err == nil {
		for _, remark := range scxml.Remarks(chart.definition) {
			a.say("%s %s", a.warnings.care("note:"), plain(remark))
		}
	}
	return text, err
}

// deliver writes a result to a file, or to standard output without one.
func (a *app) deliver(out string, text []byte) error {
	if out == "" || out == "-" {
		a.out.Write(text)
		return nil
	}
	if err := a.env.WriteFile(out, text); err != nil {
		return a.unwritable(out, err)
	}
	a.say("wrote %s", plain(out))
	return nil
}

// wholeChart reads a file that must be a chart. What is wrong with it, or was
// left out, goes to standard error, for standard output belongs to the result.
func (a *app) wholeChart(name string) (*loaded, error) {
	s, p := a.read(name)
	if p != nil {
		return nil, p
	}
	chart, found, p := a.load(s)
	if p != nil {
		return nil, p
	}
	if chart != nil {
		_, found = chart.compile(nil)
	}
	if chart == nil || found.Errors() {
		return nil, a.refuse(s, found)
	}
	showDiagnostics(a.err, a.warnings, s.data, found)
	return chart, nil
}

// refuse shows why a chart is not taken, and ends the command.
func (a *app) refuse(s *source, found chartfile.Diagnostics) error {
	showDiagnostics(a.err, a.warnings, s.data, found)
	var total tally
	total.add(found)
	fmt.Fprintln(a.err)
	return failure(shownName(s.name)+" is no chart that can be used: "+total.String(), cmp.Or(a.otherFormat(s, found), "detent explain CODE says more about each"))
}
