package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/chartfile"
)

func (a *app) convertCommand() *cobra.Command {
	var to, out string
	c := &cobra.Command{
		Use:                   "convert FILE --to yaml|json [--out FILE]",
		DisableFlagsInUseLine: true,
		Short:                 "Write a chart in the other format",
		Long: `Convert reads a chart file and writes the same chart as YAML or JSON, in the
shortest form. Comments are not part of a chart and stay behind.`,
		Example: `  detent convert agent.yaml --to json
  detent convert agent.json --to yaml --out agent.yaml`,
		Args:              files(1),
		ValidArgsFunction: completeFile,
		RunE:              func(_ *cobra.Command, args []string) error { return a.convert(args[0], to, out) },
	}
	c.Flags().StringVar(&to, "to", "", "the `format` to write: yaml or json")
	c.Flags().StringVar(&out, "out", "", "the `file` to write instead of standard output")
	c.RegisterFlagCompletionFunc("to", cobra.FixedCompletions([]string{"yaml", "json"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) convert(name, to, out string) error {
	format := chartfile.YAML
	switch to {
	case "yaml":
	case "json":
		format = chartfile.JSON
	case "":
		return usage("detent convert needs a format", "add --to yaml or --to json")
	default:
		return usage("there is no format "+plain(to), meant(to, []string{"yaml", "json"}, "formats"))
	}
	file, err := a.chartFile(name)
	if err != nil {
		return err
	}
	text, err := chartfile.Write(file.Definition, format)
	if err != nil {
		return failure("write "+shownName(name)+" as "+to+": "+err.Error(), "detent check "+name+" says what is wrong with it")
	}
	return a.deliver(out, text)
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

// chartFile reads a file that must be a chart. What is wrong with it goes to
// standard error, for standard output belongs to the result.
func (a *app) chartFile(name string) (*chartfile.File, error) {
	s, p := a.read(name)
	if p != nil {
		return nil, p
	}
	file, found := chartfile.Read(s.shown(), s.data)
	if file == nil || found.Errors() {
		return nil, a.refuse(s, found)
	}
	return file, nil
}

// refuse shows why a chart is not taken, and ends the command.
func (a *app) refuse(s *source, found chartfile.Diagnostics) error {
	showDiagnostics(a.err, a.warnings, s.data, found)
	var total tally
	total.add(found)
	fmt.Fprintln(a.err)
	return failure(shownName(s.name)+" is no chart that can be used: "+total.String(), "detent explain CODE says more about each")
}
