package transcript

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// effect tells one effect; now is the time of its macrostep.
func (p *player) effect(e *statechart.Effect, now int64) string {
	switch e.Type {
	case statechart.EffectInvoke, statechart.EffectDo:
		return p.call(e)
	case statechart.EffectStop:
		return "stop " + plain(e.Source.ID)
	case statechart.EffectSend:
		return "send " + plain(e.Event) + receiver(e.To) + payload(e.Data)
	case statechart.EffectSchedule:
		line := "timer " + plain(e.Event) + " in " + Duration(e.Due-now)
		if e.Source.ID != e.Event && e.Source.ID != "" {
			line += " as " + plain(e.Source.ID)
		}
		return line + receiver(e.To) + payload(e.Data)
	case statechart.EffectUnschedule:
		return "timer " + plain(e.Event) + " off"
	case statechart.EffectAppend:
		return "append " + plain(e.Name) + " " + formatJSON(e.Data)
	case statechart.EffectEmit:
		return "emit " + plain(e.Event) + payload(e.Data)
	case statechart.EffectLog:
		return "log " + plain(e.Name) + " " + formatJSON(e.Data)
	case statechart.EffectWarn:
		if text, ok := e.Data.(string); ok {
			return "warn " + oneLine(text)
		}
		return "warn" + payload(e.Data)
	case statechart.EffectEnd:
		return "end " + plain(e.Name) + payload(e.Data)
	}
	return "effect " + formatJSON(e)
}

func receiver(to string) string {
	if to == "" || to == "self" {
		return ""
	}
	return " to " + plain(to)
}

func payload(data any) string {
	if data == nil {
		return ""
	}
	return " " + formatJSON(data)
}

// call tells an outside call with everything that the chart says of it.
func (p *player) call(e *statechart.Effect) string {
	var b strings.Builder
	o := e.Call
	fmt.Fprintf(&b, "%s %s %s%s", e.Type, plain(e.Source.ID), plain(o.Src), payload(e.Data))
	say := func(what, value string) {
		if value != "" {
			b.WriteString(", " + what + " " + value)
		}
	}
	if o.Mode != "" {
		say("mode", plain(o.Mode))
	}
	say("key", strings.TrimSpace(payload(o.DeclaredKey)))
	if o.Timeout > 0 {
		say("timeout", Duration(o.Timeout))
	}
	if o.Heartbeat > 0 {
		say("heartbeat", Duration(o.Heartbeat))
	}
	if len(o.Retry) > 0 {
		say("retry", formatJSON(o.Retry))
	}
	if len(o.Approval) > 0 {
		say("approval", formatJSON(o.Approval))
	}
	say("choices", strings.Join(o.Choices, " "))
	if p.keys[e.Key] {
		b.WriteString(", under the same key as before")
	}
	p.keys[e.Key] = true
	return b.String()
}
