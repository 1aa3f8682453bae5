package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/deployment"
	"github.com/detent-run/detent/statechart"
)

// contractVersion is the number of what commands write with --json, see
// docs/cli-json.md. Members may be added under the same number; a member that
// changes its meaning or goes is a new one.
const contractVersion = 1

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:                   "version [--json]",
		DisableFlagsInUseLine: true,
		Short:                 "Say which version this is, and of which rules",
		Example: `  detent version
  detent version --json`,
		Args: noArguments, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error { a.version(asJSON); return nil },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "write one JSON object")
	return c
}

func (a *app) version(asJSON bool) {
	version, revision := buildVersion()
	if asJSON {
		fmt.Fprintln(a.out, compact.text(object{
			{"version", version}, {"revision", revision}, {"json", contractVersion},
			{"semantics", statechart.Semantics}, {"snapshot", statechart.SnapshotFormat},
			{"go", runtime.Version()}, {"platform", runtime.GOOS + "/" + runtime.GOARCH},
		}))
		return
	}
	if revision != "" {
		version += " (" + revision + ")"
	}
	fmt.Fprintf(a.out, "detent     %s\n", version)
	fmt.Fprintf(a.out, "semantics  %d\n", statechart.Semantics)
	fmt.Fprintf(a.out, "snapshots  %d\n", statechart.SnapshotFormat)
	fmt.Fprintf(a.out, "--json     %d\n", contractVersion)
	fmt.Fprintf(a.out, "built with %s for %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// buildVersion reads what the Go command stamped on the program.
func buildVersion() (version, revision string) {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)", ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			revision = s.Value[:12]
		}
	}
	return info.Main.Version, revision
}

func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("detent "+c.Name()+" takes no argument, and here is "+plain(args[0]), "detent "+c.Name()+" --help shows what it takes")
	}
	return nil
}

func (a *app) schemaCommand() *cobra.Command {
	var out string
	var deployments bool
	c := &cobra.Command{
		Use:                   "schema [--deployment] [--out FILE]",
		DisableFlagsInUseLine: true,
		Short:                 "Write the JSON Schema of chart files, or of deployment files",
		Long: `Schema writes the JSON Schema of chart files, or with --deployment that of
detent.yaml, for editors and other programs. An
editor with a YAML language server takes it from the first line of a chart:

  # yaml-language-server: $schema=chart.schema.json`,
		Example: `  detent schema > chart.schema.json
  detent schema --deployment > deployment.schema.json`,
		Args: noArguments, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			if deployments {
				return a.deliver(out, deployment.Schema())
			}
			return a.deliver(out, chartfile.Schema())
		},
	}
	c.Flags().BoolVar(&deployments, "deployment", false, "that of deployment files")
	c.Flags().StringVar(&out, "out", "", "the `file` to write instead of standard output")
	return c
}
