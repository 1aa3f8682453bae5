package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// app is one call of the program.
type app struct {
	env      Env
	out, err *output
	colours  palette // of standard output
	warnings palette // of standard error
	inRead   bool    // standard input was a file
	from     string  // what the files are, where the user says so
}

// Run runs one command line, without the program's name, and returns the exit
// code: 0 done; 1 diagnostics, a difference, or it could not be done; 2 the
// command line is wrong; 3 an event was ignored or refused.
func Run(env Env, args []string) int {
	a := &app{env: env, out: &output{Writer: env.Out}, err: &output{Writer: env.Err}}
	a.colours = palette{env.colour(env.OutTerminal)}
	a.warnings = palette{env.colour(env.ErrTerminal)}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(env.In)
	root.SetOut(a.out)
	root.SetErr(a.err)
	code := a.report(root.Execute())
	if a.out.err != nil && !a.out.broken() {
		a.complain(failure("write the output: "+a.out.err.Error(), "look at where standard output goes"))
		return exitFailed
	}
	return code
}

// report tells what ended a command and returns the exit code.
func (a *app) report(err error) int {
	var p *problem
	var code exit
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &p):
		a.complain(p)
		return p.exit
	}
	a.complain(usage(err.Error(), "detent help shows what there is"))
	return exitUsage
}

func (a *app) complain(p *problem) {
	fmt.Fprintf(a.err, "%s %s\n", a.warnings.bad("detent:"), plain(p.message))
	for _, text := range p.more {
		fmt.Fprintf(a.err, "  %s\n", plain(text))
	}
	if p.hint != "" {
		a.hint("%s", p.hint)
	}
}

// hint says what to do about what was just said.
func (a *app) hint(format string, args ...any) {
	a.say("  %s %s", a.warnings.faint("hint:"), plain(fmt.Sprintf(format, args...)))
}

// say writes one line of prose.
func (a *app) say(format string, args ...any) {
	fmt.Fprintf(a.err, format+"\n", args...)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "detent",
		Short: "Check, try out and convert statecharts",
		Long: `Detent runs agents and workflows as statecharts. A chart is a YAML or JSON file;
these commands check it, try it out in memory, and run it so that it survives a crash.`,
		Example: `  detent check agent.yaml                     what is wrong with a chart, and where
  detent sim agent.yaml                       try it out, event by event
  detent sim agent.yaml --event START --json  the same for programs
  detent run agent.yaml                       run it for real, in detent.db`,
		SilenceErrors: true, SilenceUsage: true,
		DisableSuggestions: true, // ours say more
		Args:               cobra.ArbitraryArgs,
		RunE:               a.noCommand,
	}
	root.AddCommand(a.checkCommand(), a.simCommand(), a.convertCommand(), a.formatCommand(),
		a.schemaCommand(), a.explainCommand(), a.versionCommand())
	root.AddCommand(a.sessionCommands()...)
	root.SetFlagErrorFunc(unknownFlag)
	root.SetHelpCommand(a.helpCommand())
	root.InitDefaultCompletionCmd()
	completionCommand(root)
	root.PersistentFlags().BoolP("help", "h", false, "show this help")
	root.SetHelpTemplate(helpTemplate)
	root.SetUsageTemplate(usageTemplate)
	return root
}

const helpTemplate = `{{with or .Long .Short}}{{. | trimTrailingWhitespaces}}

{{end}}{{.UsageString}}`

const usageTemplate = `Usage
  {{if .HasAvailableSubCommands}}{{.CommandPath}} COMMAND{{else}}{{.UseLine}}{{end}}{{if .HasExample}}

Examples
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}

Commands{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableSubCommands}}

Exit codes: 0 done, 1 diagnostics or failed, 2 wrong usage, 3 an event was not taken,
4 a session is parked, 130 interrupted.
"{{.CommandPath}} COMMAND --help" says more about a command.{{end}}
`

func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:                   "help [COMMAND]",
		Short:                 "Say what a command does",
		DisableFlagsInUseLine: true,
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return commandNames(c.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			switch {
			case err != nil || about == c.Root() && len(rest) > 0:
				return a.noCommand(c.Root(), args)
			case len(rest) > 0:
				return usage(about.CommandPath()+" has no command "+plain(rest[0]), about.CommandPath()+" --help says what it takes")
			}
			return about.Help()
		},
	}
}

func commandNames(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

// completionCommand puts the command that comes with the library into our
// words.
func completionCommand(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Short = "Write the script that lets a shell complete commands"
		c.Long = "Completion writes a script for bash, zsh, fish or powershell. With it the shell\ncompletes commands, files, and the events and calls of the chart at hand."
		c.Example = "  source <(detent completion bash)\n  detent completion fish > ~/.config/fish/completions/detent.fish"
		c.Args, c.RunE = cobra.ArbitraryArgs, func(c *cobra.Command, args []string) error {
			shells := []string{"bash", "zsh", "fish", "powershell"}
			if len(args) == 0 {
				return c.Help()
			}
			return usage("there is no shell "+plain(args[0]), meant(args[0], shells, "shells"))
		}
		for _, shell := range c.Commands() {
			shell.Short = "Write the script for " + shell.Name()
			shell.DisableFlagsInUseLine = true
		}
	}
}

// noCommand answers a command line that names no command, or none there is.
func (a *app) noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	hint := meant(args[0], commandNames(c), "commands")
	if looksLikeChart(args[0]) {
		hint = "did you mean detent check " + args[0] + "?"
	}
	return usage("there is no command "+plain(args[0]), hint)
}

func looksLikeChart(name string) bool {
	return slices.Contains(chartExtensions, strings.ToLower(filepath.Ext(name)))
}

// unknownFlag puts what is wrong with a flag into our words.
func unknownFlag(c *cobra.Command, err error) error {
	text := err.Error()
	var missing *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var bad *pflag.InvalidValueError
	switch {
	case errors.As(err, &missing):
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		typed := missing.GetSpecifiedName()
		if len(typed) > 1 {
			typed = "--" + typed
		} else {
			typed = "-" + typed
		}
		hint := meant(typed, names, "flags")
		switch {
		case typed == "--version":
			hint = "detent version says it"
		case !c.HasParent():
			hint = "flags stand after the command: detent COMMAND " + plain(typed)
		}
		return usage("there is no flag "+plain(typed), hint)
	case errors.As(err, &bare):
		return usage("the flag --"+bare.GetSpecifiedName()+" needs a value", valueHint(bare.GetFlag()))
	case errors.As(err, &bad):
		var p *problem
		if errors.As(bad.Unwrap(), &p) {
			return p
		}
		return usage(fmt.Sprintf("the flag --%s cannot be %s", bad.GetFlag().Name, plain(bad.GetValue())), valueHint(bad.GetFlag()))
	}
	return usage(text, "detent "+c.Name()+" --help shows the flags")
}

func valueHint(f *pflag.Flag) string {
	if f == nil {
		return "--help shows the flags"
	}
	name, about := pflag.UnquoteUsage(f)
	return strings.TrimSpace("--"+f.Name+" "+name) + ": " + about
}

// files are the arguments of a command that takes some, or one.
func files(most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return usage("detent "+c.Name()+" needs a file", "for example: detent "+c.Name()+" agent.yaml")
		case len(args) > most:
			return usage(fmt.Sprintf("detent %s takes one file, and here are %d", c.Name(), len(args)), "call it once for each file")
		}
		return nil
	}
}

// anyNumber is a bound for [files] that nobody meets.
const anyNumber = 1 << 30

// completeFile lets the shell complete one chart file.
func completeFile(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeFiles(c, args, typed)
}

// completeFiles lets the shell complete chart files.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
}
