package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
)

func (a *app) pendingCommand() *cobra.Command {
	var p location
	var asJSON bool
	c := &cobra.Command{Use: "pending [ID]", DisableFlagsInUseLine: true, Short: "List what waits for a person", Long: "Pending lists every question that a session waits with, and every call that needs a yes,\nwith the command that answers it. With an id, only those of that session.", Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.look(&p, func(ctx context.Context, h *home) error {
				list, err := h.Pending(ctx, strings.Join(args, ""))
				if err != nil {
					return err
				}
				if len(list) == 0 && !asJSON {
					a.say("nothing waits for a person")
				}
				for _, q := range list {
					if asJSON {
						fmt.Fprintln(a.out, compact.text(generic(q)))
						continue
					}
					fmt.Fprintf(a.out, "%s  %s  %s\n", padded(plain(q.Session), 24), padded(plain(q.ID), 20), plain(q.Question.Text))
					fmt.Fprintf(a.out, "%24s  %s\n", "", a.colours.faint(plain(answering(&q, p.where()))))
				}
				return nil
			})
		}}
	p.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a question")
	return c
}

// answering is the command that answers a question.
func answering(q *durable.PendingView, where string) string {
	command := "detent answer " + q.Session + " " + q.ID + where
	if q.Question.Kind == "approve" {
		return command + " --approve or --reject"
	}
	return command + " --data '" + spaced.text(payloadOf(q.Question.Schema)) + "'"
}

func (a *app) answerCommand() *cobra.Command {
	var p location
	var r durable.Reply
	var yes, no bool
	var data string
	c := &cobra.Command{Use: "answer ID QUESTION --approve|--reject|--data JSON", DisableFlagsInUseLine: true, Short: "Answer what waits for a person",
		Long: `Answer gives a person's answer; the first one counts. Detent pending lists the
questions. Who answers and what they say about it goes on record. With --digest the
answer is for exactly the arguments that detent pending --json showed.`,
		Example: `  detent answer note editor --approve --by anna
  detent answer note editor --reject --comment 'too long'
  detent answer note amount --data '{"euros": 3}'`, Args: sessionArgs(2, "the id of a session and of the question"),
		RunE: func(_ *cobra.Command, args []string) error {
			if yes && no || !yes && !no && data == "" {
				return usage("an answer is a yes, a no, or data", "give one of --approve, --reject and --data")
			}
			if yes || no {
				r.Approve = &yes
			}
			if data != "" {
				v, bad := parsePayload("the answer", data)
				if bad != nil {
					return bad
				}
				r.Data = v
			}
			r.By = me(r.By)
			p.hold = holdCalls
			return a.act(&p, func(ctx context.Context, h *home) error {
				asked(ctx, h, args[0])
				if err := h.Answer(ctx, args[0], args[1], r); err != nil {
					return err
				}
				a.say("answered")
				a.leave(ctx, h, args[0], &p)
				return nil
			})
		}}
	p.flags(c)
	c.Flags().BoolVar(&yes, "approve", false, "yes")
	c.Flags().BoolVar(&no, "reject", false, "no")
	c.Flags().StringVar(&data, "data", "", "the answer as `JSON`")
	c.Flags().StringVar(&r.Comment, "comment", "", "a comment or a reason: `TEXT` for the record")
	c.Flags().StringVar(&r.By, "by", "", "the `NAME` of who answers")
	c.Flags().StringVar(&r.Digest, "digest", "", "the `DIGEST` of the arguments that were looked at")
	return c
}

func (a *app) settleCommand() *cobra.Command {
	var p location
	var s durable.Settlement
	var done, code string
	var failed bool
	c := &cobra.Command{Use: "settle ID EFFECT --done JSON|--failed|--again", DisableFlagsInUseLine: true, Short: "Say what became of a call whose outcome nobody saw",
		Long: `Settle resolves a call whose outcome is unknown: it happened and gave this, it did
not happen, or it is to be made again. Who says so, and why, goes on record.
Detent show lists the calls; those that stand as unknown can be settled.`,
		Example: `  detent settle order pay --done '{"receipt": 17}' --why 'it is on the statement'
  detent settle order pay --failed --code declined
  detent settle order pay --again`, Args: sessionArgs(2, "the id of a session and of the call"),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := cmd.Flags().Changed("done")
			if n := howMany(given, failed, s.Again); n != 1 {
				return usage("a call happened, or it did not, or it is made again", "give one of --done, --failed and --again")
			}
			if given {
				v, bad := parsePayload("the output", done)
				if bad != nil {
					return bad
				}
				s.Done, s.Output = true, v
			}
			if failed {
				s.Failed = &host.Failure{Code: code, Message: s.Why}
			}
			s.By = me(s.By)
			p.hold = holdCalls
			return a.act(&p, func(ctx context.Context, h *home) error {
				if err := h.Settle(ctx, args[0], args[1], s); err != nil {
					return err
				}
				a.say("settled")
				a.leave(ctx, h, args[0], &p)
				return nil
			})
		}}
	p.flags(c)
	c.Flags().StringVar(&done, "done", "", "it happened, and gave this `JSON`")
	c.Flags().BoolVar(&failed, "failed", false, "it did not happen")
	c.Flags().StringVar(&code, "code", "settled", "the error `CODE`, with --failed")
	c.Flags().BoolVar(&s.Again, "again", false, "make the call once more")
	c.Flags().StringVar(&s.Why, "why", "", "why: `TEXT` for the record")
	c.Flags().StringVar(&s.By, "by", "", "the `NAME` of who says so")
	return c
}

func howMany(all ...bool) (n int) {
	for _, b := range all {
		if b {
			n++
		}
	}
	return n
}
