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
			return a.look(p, func(ctx context.Context, h *home) error {
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
	p.storeFlag(c)
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
			return a.look(p, func(ctx context.Context, h *home) error {
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
					fmt.Fprintf(a.out, "%s: %d rows, whole and unchanged; head %s\n", plain(args[0]), v.Rows, v.Head)
				}
				return nil
			})
		}}
	p.storeFlag(c)
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return c
}

func (a *app) backupCommand() *cobra.Command {
	var p location
	c := &cobra.Command{Use: "backup FILE", DisableFlagsInUseLine: true, Short: "Copy a store, also while it is in use",
		Long: "Backup writes a copy of the whole store to a new file. The sessions go on meanwhile;\nthe copy holds everything up to some moment of it.", Args: files(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.look(p, func(ctx context.Context, h *home) error {
				if err := h.store.Backup(ctx, args[0]); err != nil {
					return err
				}
				a.say("wrote %s", plain(args[0]))
				return nil
			})
		}}
	p.storeFlag(c)
	return c
}

func (a *app) doctorCommand() *cobra.Command {
	var p location
	c := &cobra.Command{Use: "doctor", DisableFlagsInUseLine: true, Short: "Look whether a store is well: its file, and every session's journal",
		Long: "Doctor checks the file of a store and verifies every session. It changes nothing.", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.look(p, func(ctx context.Context, h *home) error { return a.doctor(ctx, h, p) })
		}}
	p.storeFlag(c)
	return c
}

func (a *app) doctor(ctx context.Context, h *home, p location) error {
	bad := 0
	wrong, err := h.store.Check(ctx)
	if err != nil {
		return err
	}
	for _, problem := range wrong {
		bad++
		a.say("%s the file: %s", a.warnings.bad("wrong:"), plain(problem.What))
	}
	counts := map[string]int{}
	after, n := "", 0
	for {
		heads, err := h.List(ctx, durable.Filter{After: after, Limit: 1000})
		if err != nil {
			return err
		}
		for _, s := range heads {
			after = s.Session
			n++
			counts[string(s.Status)]++
			v, err := h.Verify(ctx, s.Session)
			if err != nil {
				v.Problems = append(v.Problems, err.Error())
			}
			for _, problem := range v.Problems {
				bad++
				a.say("%s %s: %s", a.warnings.bad("wrong:"), plain(s.Session), plain(problem))
			}
		}
		if len(heads) < 1000 {
			break
		}
	}
	for _, status := range sortedKeys(counts) {
		fmt.Fprintf(a.out, "%s %d\n", padded(status, 10), counts[status])
	}
	if bad > 0 {
		return exit(exitFailed)
	}
	fmt.Fprintf(a.out, "%s is well: %d sessions, every journal whole\n", plain(p.db), n)
	return nil
}
