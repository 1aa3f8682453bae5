package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// codeUnreadable is the code of the diagnostic for a file that cannot be read
// at all.
const codeUnreadable statechart.Code = "unreadable_file"

func (a *app) checkCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:                   "check FILE... [--from FORMAT] [--json]",
		DisableFlagsInUseLine: true,
		Short:                 "Say everything that is wrong with chart files",
		Long: `Check reads chart files, SCXML documents and configurations of XState, and says
everything that is wrong with them at once, with line and column. It runs
nothing. The exit code is 1 when there is an error; warnings alone leave it 0.`,
		Example: `  detent check agent.yaml
  detent check charts/*.yaml --json   one JSON object a file
  detent convert agent.yaml --to json | detent check -`,
		Args:              files(anyNumber),
		ValidArgsFunction: completeFiles,
		RunE:              func(_ *cobra.Command, names []string) error { return a.check(names, asJSON) },
	}
	a.fromFlag(c)
	c.Flags().BoolVar(&asJSON, "json", false, "write one JSON object a file, one a line")
	return c
}

func (a *app) check(names []string, asJSON bool) error {
	var total tally
	for _, name := range names {
		found, s, err := a.diagnose(name)
		if err != nil {
			return err
		}
		if !asJSON && len(found) > 0 {
			if total.errors+total.warnings > 0 {
				fmt.Fprintln(a.out)
			}
			showDiagnostics(a.out, a.colours, s.data, found)
		}
		if hint := a.otherFormat(s, found); hint != "" {
			a.say("%s %s", a.warnings.care("note:"), plain(hint))
		}
		if asJSON {
			list := []object{}
			for _, d := range found {
				list = append(list, diagnosticObject(d))
			}
			fmt.Fprintln(a.out, compact.text(object{{"file", name}, {"diagnostics", list}}))
		}
		total.add(found)
	}
	a.say("%s", total.String())
	if total.errors > 0 {
		return exit(exitFailed)
	}
	return nil
}

// diagnose checks one file. That it cannot be read is a diagnostic too, so
// that the others are checked as well.
func (a *app) diagnose(name string) (chartfile.Diagnostics, *source, error) {
	s, p := a.read(name)
	if p != nil {
		return chartfile.Diagnostics{{Code: codeUnreadable, Severity: "error", File: shownName(name), Message: p.message, Hint: p.hint}}, &source{name: name}, nil
	}
	chart, found, p := a.load(s)
	switch {
	case p != nil:
		return nil, nil, p
	case chart != nil:
		_, found = chart.compile(nil)
	}
	return found, s, nil
}
