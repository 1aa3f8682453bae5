package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// show prints one row.
func (f *follower) show(r *host.Record) {
	if f.begun == 0 {
		f.begun = r.Time
	}
	if f.often != nil {
		f.often.count(r)
	}
	f.a.err.clear()
	if f.json {
		fmt.Fprintln(f.a.out, compact.text(rowObject(r)))
	} else {
		f.print(r)
	}
	for i := range r.Effects {
		if call := r.Effects[i].Call; call != nil {
			f.planned(call.Src)
		}
	}
}

// print shows one row to people: what came in, where it led, and what went
// wrong.
func (f *follower) print(r *host.Record) {
	p := f.a.colours
	way := leaves(r.To)
	if !slices.Equal(r.From, r.To) {
		way = p.place(leaves(r.To))
		if len(r.From) > 0 {
			way = leaves(r.From) + " → " + way
		}
	}
	line := fmt.Sprintf("%4d %s  %s  %s", r.Sequence, p.faint(fmt.Sprintf("%9s", "+"+elapsed(r.Time-f.begun))), p.strong(padded(plain(r.Event), 26)), way)
	if r.Outcome != statechart.Taken.String() {
		line += "  " + p.care(r.Outcome)
	}
	if r.Reason != nil && r.Reason.Message != "" {
		line += ": " + plain(r.Reason.Message)
	}
	fmt.Fprintln(f.a.out, line)
	for _, text := range details(r) {
		fmt.Fprintf(f.a.out, "%17s %s\n", "", text)
	}
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Type == statechart.EffectLog || e.Type == statechart.EffectWarn {
			fmt.Fprintf(f.a.out, "%17s %s %s\n", "", p.faint(string(e.Type)), clip(plain(spaced.text(e.Data)), maxShown))
		}
	}
}

// details are what a row's event says beside its name: why a call failed, how
// far it is, and who decided what.
func details(r *host.Record) []string {
	var out []string
	add := func(text string) {
		if text = clip(plain(text), maxShown); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for i := range r.Calls {
		c := &r.Calls[i]
		// Of a call that has ended the event says it, in a row of its own.
		if o := c.Outcome; o != nil && o.Failure != nil && c.State != "ended" && r.Event != "detent.settle" {
			add(c.Src + ": " + codeAndMessage(o.Failure.Code, o.Failure.Message))
		}
	}
	data, _ := r.Data.(map[string]any)
	switch kind, _, _ := strings.Cut(r.Event, "."); kind {
	case "error", "unknown":
		code, _ := data["code"].(string)
		message, _ := data["message"].(string)
		if r.Reason != nil && strings.Contains(r.Reason.Message, message) {
			message = "" // it stands above
		}
		add(codeAndMessage(code, message))
	case "progress":
		add(spaced.text(r.Data))
	}
	if slices.Contains([]string{"detent.answer", "detent.settle", "detent.retry", "detent.cancel"}, r.Event) && r.By != "" {
		add(decided(r))
	}
	return out
}

// decided says who asked for something, and of a call that was settled what
// was said of it and why.
func decided(r *host.Record) string {
	text := "by " + r.By
	for i := range r.Calls {
		if c := &r.Calls[i]; r.Event == "detent.settle" {
			text += ": " + c.Src + became(c.Outcome)
			if c.Note != "" {
				text += ", because: " + c.Note
			}
		}
	}
	return text
}

func became(o *host.Outcome) string {
	switch {
	case o == nil:
		return " is made again"
	case o.Kind == host.KindDone:
		return " happened"
	}
	return " did not happen"
}

func codeAndMessage(code, message string) string {
	if code == "" || message == "" {
		return code + message
	}
	return message + " [" + code + "]"
}

// elapsed shows milliseconds as seconds.
func elapsed(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	if d >= time.Minute {
		return d.Round(time.Second).String()
	}
	return fmt.Sprintf("%.3fs", d.Seconds())
}

// rowObject is a row by the contract of log and run.
func rowObject(r *host.Record) object {
	o := object{{"sequence", r.Sequence}, {"time", r.Time}, {"event", r.Event}, {"outcome", r.Outcome}, {"from", r.From}, {"to", r.To}, {"took", r.Took()},
		{"data", r.Data}, {"effects", generic(r.Effects)}, {"reason", generic(r.Reason)}, {"hash", r.Hash}}
	for i := range o {
		if list, ok := o[i].value.([]string); ok && list == nil {
			o[i].value = []string{}
		}
	}
	if len(r.Calls) > 0 {
		o = append(o, member{"calls", generic(r.Calls)})
	}
	return optional(o, "by", r.By)
}

// generic turns a value with json tags into plain data.
func generic(v any) any {
	body, err := host.Encode(v)
	if err != nil {
		return nil
	}
	out, err := statechart.ReadJSON(body)
	if err != nil {
		return nil
	}
	return out
}
