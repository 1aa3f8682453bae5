package cli

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/chartfile"
)

func (a *app) checkCommand() *cobra.Command {
	var asJSON bool
	var config string
	c := &cobra.Command{
		Use:                   "check FILE... [--config FILE] [--from FORMAT] [--json]",
		DisableFlagsInUseLine: true,
		Short:                 "Say everything that is wrong with chart files",
		Long: `Check reads chart files, SCXML documents and configurations of XState, and says
everything that is wrong with them at once, with line and column. A deployment
file beside a chart, here, or of --config is read together with it: tools and
models that are not there or not granted, and inputs that do not fit. It runs
nothing. The exit code is 1 when there is an error; warnings alone leave it 0.`,
		Example: `  detent check agent.yaml
  detent check charts/*.yaml --json   one JSON object a file
  detent convert agent.yaml --to json | detent check -`,
		Args:              files(anyNumber),
		ValidArgsFunction: completeFiles,
		RunE:              func(_ *cobra.Command, names []string) error { return a.check(names, config, asJSON) },
	}
	a.fromFlag(c)
	c.Flags().StringVar(&config, "config", "", "the deployment `FILE`; else detent.yaml beside the chart, then here")
	c.Flags().BoolVar(&asJSON, "json", false, "write one JSON object a file, one a line")
	return c
}

func (a *app) check(names []string, config string, asJSON bool) error {
	var total tally
	deployments := checkedDeployments{}
	for _, name := range names {
		if isDeployment(name) {
			deployments.file(a, name) // what is wrong with it is said once
			continue
		}
		found, s, err := a.diagnose(name, func(l *loaded) chartfile.Diagnostics {
			return deployments.chart(a, config, name, l)
		})
		if err != nil {
			return err
		}
		a.checked(name, s.data, found, &total, asJSON)
		if hint := a.otherFormat(s, found); hint != "" {
			a.say("%s %s", a.warnings.care("note:"), plain(hint))
		}
	}
	for _, name := range sortedKeys(deployments) {
		d := deployments[name]
		a.checked(name, d.data, d.found, &total, asJSON)
		if d.read != nil {
			d.read.Close()
		}
	}
	a.say("%s", total.String())
	if total.errors > 0 {
		return exit(exitFailed)
	}
	return nil
}

// checked says what is wrong with one file.
func (a *app) checked(name string, data []byte, found chartfile.Diagnostics, total *tally, asJSON bool) {
	if !asJSON && len(found) > 0 {
		if total.errors+total.warnings > 0 {
			fmt.Fprintln(a.out)
		}
		showDiagnostics(a.out, a.colours, data, found)
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

// diagnose checks one file. That it cannot be read is a diagnostic too, so
// that the others are checked as well.
func (a *app) diagnose(name string, more func(*loaded) chartfile.Diagnostics) (chartfile.Diagnostics, *source, error) {
	s, p := a.read(name)
	if p != nil {
		return chartfile.Diagnostics{{Code: chartfile.CodeUnreadable, Severity: "error", File: shownName(name), Message: p.message, Hint: p.hint}}, &source{name: name}, nil
	}
	chart, found, p := a.load(s)
	switch {
	case p != nil:
		return nil, nil, p
	case chart != nil:
		_, found = chart.compile(nil)
		for _, d := range more(chart) {
			d.File = s.shown()
			found = append(found, d)
		}
		slices.SortStableFunc(found, func(a, b chartfile.Diagnostic) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	}
	return found, s, nil
}
