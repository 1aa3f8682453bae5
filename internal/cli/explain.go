package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

func (a *app) explainCommand() *cobra.Command {
	c := &cobra.Command{
		Use:                   "explain [CODE]",
		DisableFlagsInUseLine: true,
		Short:                 "Say what a code means and what to do",
		Long: `Explain says what the code of a diagnostic or of a refusal means, and shows it with
a chart that gives it and one that does not. Without a code it lists them all.`,
		Example: `  detent explain unknown_state`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("detent explain takes one code, and here are "+fmt.Sprint(len(args)), "call it once for each code")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var codes []string
			for _, e := range chartfile.Explanations() {
				codes = append(codes, string(e.Code)+"\t"+e.Title)
			}
			return codes, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				a.codes()
				return nil
			}
			return a.explain(args[0])
		},
	}
	return c
}

// codes lists all codes by the moment at which they are met.
func (a *app) codes() {
	var last chartfile.When
	for _, e := range chartfile.Explanations() {
		if e.When != last {
			if last != "" {
				fmt.Fprintln(a.out)
			}
			fmt.Fprintln(a.out, a.colours.faint("met "+string(e.When)))
			last = e.When
		}
		fmt.Fprintf(a.out, "  %s%s\n", a.colours.strong(padded(string(e.Code), 20)), e.Title)
	}
}

func (a *app) explain(code string) error {
	e, ok := chartfile.Explain(statechart.Code(strings.Trim(code, "[]")))
	if !ok {
		var codes []string
		for _, e := range chartfile.Explanations() {
			codes = append(codes, string(e.Code))
		}
		hint := "detent explain lists them all"
		if near := nearest(code, codes); near != "" {
			hint = "did you mean " + near + "?"
		}
		return failure("there is no code "+plain(code), hint)
	}
	p := a.colours
	fmt.Fprintf(a.out, "%s: %s\n%s\n\n%s\n\n", p.strong(string(e.Code)), e.Title, p.faint("met "+string(e.When)), wrap(prose(e.Meaning)))
	fmt.Fprintf(a.out, "%s\n", wrap(p.good("What to do: ")+prose(e.Remedy)))
	if e.NoExample != "" {
		fmt.Fprintf(a.out, "\n%s\n", wrap("There is no example: "+prose(e.NoExample)))
		return nil
	}
	a.example(p.bad("wrong"), "wrong.yaml", e.Bad)
	a.example(p.good("right"), "right.yaml", e.Good)
	return nil
}

func (a *app) example(title, file string, x chartfile.Example) {
	fmt.Fprintf(a.out, "\n%s\n", title)
	for _, line := range strings.Split(strings.TrimRight(x.Chart, "\n"), "\n") {
		fmt.Fprintln(a.out, strings.TrimRight("    "+clip(line, 120), " "))
	}
	fmt.Fprintf(a.out, "  %s\n", a.colours.faint("$ "+clip(x.Command(file), 160)))
}

// prose is a sentence of a page without the marks of Markdown.
func prose(text string) string { return strings.ReplaceAll(text, "`", "") }

// wrap breaks a text into lines of a good length for reading.
func wrap(text string) string {
	const most = 80
	var b strings.Builder
	at := 0
	for _, word := range strings.Fields(text) {
		switch n := width(word); {
		case at == 0:
			at = n
		case at+1+n > most:
			b.WriteByte('\n')
			at = n
		default:
			b.WriteByte(' ')
			at += 1 + n
		}
		b.WriteString(word)
	}
	return b.String()
}
