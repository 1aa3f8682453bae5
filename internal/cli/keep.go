package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/durable"
)

func (a *app) exportCommand() *cobra.Command {
	var p location
	var out string
	c := &cobra.Command{Use: "export ID [--out FILE]", DisableFlagsInUseLine: true, Short: "Write a session as one document that can be moved",
		Long: "Export writes everything of a session as one JSON document: state, what is pending,\nlists, journal and chart. Detent import takes it in elsewhere.", Args: sessionArgs(1, "the id of a session"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.look(&p, func(ctx context.Context, h *home) error {
				body, err := h.Export(ctx, args[0])
				if err != nil {
					return err
				}
				body = append(body, '\n')
				if out == "" {
					_, err = a.out.Write(body)
					return err
				}
				if err := a.env.WriteFile(out, body); err != nil {
					return a.unwritable(out, err)
				}
				a.say("wrote %s to %s", plain(args[0]), plain(out))
				return nil
			})
		}}
	p.flags(c)
	c.Flags().StringVar(&out, "out", "", "the `FILE` to write; standard output unless given")
	return c
}

func (a *app) importCommand() *cobra.Command {
	var p location
	var o durable.ImportOptions
	c := &cobra.Command{Use: "import FILE [--id NAME]", DisableFlagsInUseLine: true, Short: "Take in a session that was exported; it starts suspended",
		Long: "Import makes a session from an export, under a new id. It starts suspended; calls that\nhad not ended count as unknown, timers are kept.", Args: files(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s, bad := a.read(args[0])
			if bad != nil {
				return bad
			}
			o.By = me("")
			ctx := context.Background()
			p.hold = holdCalls
			h, err := a.ours(ctx, &p, a.fileCharts("", nil, nil), "", true)
			if err != nil {
				return err
			}
			defer h.close()
			engine := h.owner()
			if engine == nil {
				return failure("another process owns the store "+plain(p.db), "end it first, or import into another store")
			}
			v, err := engine.Import(ctx, s.data, o)
			if err != nil {
				return told(err)
			}
			a.say("%s is suspended in %s; detent resume %s%s goes on with it", plain(v.Session), leaves(v.Configuration), plain(v.Session), p.where())
			return nil
		}}
	p.flags(c)
	c.Flags().StringVar(&o.ID, "id", "", "the new session's `ID`")
	return c
}

func (a *app) verifyCommand() *cobra.Command {
	var p location
	var asJSON bool
	c := &cobra.Command{Use: "verify ID", DisableFlagsInUseLine: true, Short: "See that a session's journal is whole and unchanged",
		Long: "Verify reads a session's journal and sees that no row is missing or was changed, and\nthat the rows add up to the stored state.", Args: sessionArgs(1, "the id of a session"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.look(&p, func(ctx context.Context, h *home) error {
				v, err := h.Verify(ctx, args[0])
				if err != nil {
					return err
				}
				if asJSON {
					fmt.Fprintln(a.out, compact.text(generic(v)))
				}
				for _, problem := range v.Problems {
					a.say("%s %s", a.warnings.bad("wrong:"), plain(problem))
				}
				if len(v.Problems) > 0 {
					return exit(exitFailed)
				}
				if !asJSON {
					fmt.Fprintf(a.out, "%s: %d rows%s, whole and unchanged; head %s\n", plain(args[0]), v.Rows, fromRow(v.From), v.Head)
				}
				return nil
			})
		}}
	p.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return c
}

// fromRow says where a journal begins that was compacted.
func fromRow(n uint64) string {
	if n <= 1 {
		return ""
	}
	return fmt.Sprintf(" from row %d on (those before were compacted away)", n)
}

func (a *app) backupCommand() *cobra.Command {
	var p location
	c := &cobra.Command{Use: "backup FILE", DisableFlagsInUseLine: true, Short: "Copy a store, also while it is in use",
		Long: "Backup writes a copy of the whole store to a new file. The sessions go on meanwhile;\nthe copy holds everything up to some moment of it.", Args: files(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.look(&p, func(ctx context.Context, h *home) error {
				if err := h.store.Backup(ctx, args[0]); err != nil {
					return err
				}
				a.say("wrote %s", plain(args[0]))
				return nil
			})
		}}
	p.flags(c)
	return c
}
