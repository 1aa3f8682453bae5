package cli

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/chartfile"
)

func (a *app) formatCommand() *cobra.Command {
	var check, write bool
	c := &cobra.Command{
		Use:                   "fmt FILE... [--check | --write]",
		DisableFlagsInUseLine: true,
		Short:                 "Lay out chart files in the one canonical way",
		Long: `Fmt writes chart files as one layout has them: the same content in the same order,
with its comments. Doing it twice changes nothing more.`,
		Example: `  detent fmt agent.yaml            to standard output
  detent fmt --write charts/*.yaml in place
  detent fmt --check charts/*.yaml names what is laid out otherwise, exit code 1`,
		Args:              files(anyNumber),
		ValidArgsFunction: completeFiles,
		RunE:              func(_ *cobra.Command, names []string) error { return a.format(names, check, write) },
	}
	c.Flags().BoolVar(&check, "check", false, "only name the files that are laid out otherwise")
	c.Flags().BoolVar(&write, "write", false, "write the files in place")
	return c
}

func (a *app) format(names []string, check, write bool) error {
	switch {
	case check && write:
		return usage("--check and --write do not go together", "--check changes nothing")
	case write && slices.Contains(names, "-"):
		return usage("standard input cannot be written in place", "leave --write out")
	case len(names) > 1 && !check && !write:
		return usage("several files cannot all go to standard output", "add --write or --check")
	}
	bad, differ := 0, 0
	for _, name := range names {
		text, same, err := a.formatted(name)
		switch {
		case err != nil:
			a.report(err)
			bad++
			continue
		case same && (check || write):
			continue
		case check:
			fmt.Fprintln(a.out, plain(name))
			differ++
			continue
		}
		to := ""
		if write {
			to = name
		}
		if err := a.deliver(to, text); err != nil {
			return err
		}
	}
	if differ > 0 {
		return failure(count(differ, "file")+" laid out otherwise", "detent fmt --write lays them out")
	}
	if bad > 0 {
		return exit(exitFailed)
	}
	return nil
}

// formatted lays one file out and tells whether it was so already.
func (a *app) formatted(name string) (text []byte, same bool, err error) {
	s, p := a.read(name)
	if p != nil {
		return nil, false, p
	}
	text, found := chartfile.Format(s.shown(), s.data)
	if text == nil || found.Errors() {
		return nil, false, a.refuse(s, found)
	}
	return text, bytes.Equal(text, s.data), nil
}
