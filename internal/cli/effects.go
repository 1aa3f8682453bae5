package cli

import "github.com/detent-run/detent/statechart"

// effectObjects are what a macrostep asked for, in the words of the contract.
func effectObjects(effects []statechart.Effect) []object {
	out := []object{}
	for i := range effects {
		out = append(out, effectObject(&effects[i]))
	}
	return out
}

func effectObject(e *statechart.Effect) object {
	o := object{{"type", string(e.Type)}}
	switch e.Type {
	case statechart.EffectInvoke, statechart.EffectDo:
		return call(o, e)
	case statechart.EffectStop:
		o = append(o, member{"id", e.Source.ID})
	case statechart.EffectSend:
		o = append(o, member{"event", e.Event}, member{"to", receiver(e.To)})
		o = optionalData(o, "data", e.Data)
	case statechart.EffectForward:
		o = append(o, member{"event", e.Event}, member{"to", e.Source.ID})
		o = optionalData(o, "data", e.Data)
	case statechart.EffectSchedule, statechart.EffectUnschedule:
		o = append(o, member{"event", e.Event})
		if e.Type == statechart.EffectSchedule {
			o = append(o, member{"due", e.Due})
		}
	case statechart.EffectAppend:
		o = append(o, member{"list", e.Name}, member{"row", e.Data})
	case statechart.EffectEmit:
		o = optionalData(append(o, member{"event", e.Event}), "data", e.Data)
	case statechart.EffectLog:
		o = append(o, member{"level", e.Name}, member{"data", e.Data})
	case statechart.EffectWarn:
		o = append(o, member{"data", e.Data})
	case statechart.EffectEnd:
		o = optionalData(append(o, member{"status", e.Name}), "output", e.Data)
	}
	return optional(o, "state", e.State)
}

// call describes an outside call with everything that the chart says of it.
func call(o object, e *statechart.Effect) object {
	c := e.Call
	o = append(o, member{"id", e.Source.ID}, member{"src", c.Src})
	o = optionalData(o, "input", e.Data)
	o = optional(o, "mode", c.Mode)
	o = optionalData(o, "key", c.DeclaredKey)
	if c.Timeout > 0 {
		o = append(o, member{"timeout", c.Timeout})
	}
	if c.Heartbeat > 0 {
		o = append(o, member{"heartbeat", c.Heartbeat})
	}
	if len(c.Retry) > 0 {
		o = append(o, member{"retry", c.Retry})
	}
	if len(c.Approval) > 0 {
		o = append(o, member{"approval", c.Approval})
	}
	if len(c.Choices) > 0 {
		o = append(o, member{"choices", c.Choices})
	}
	return optional(o, "state", e.State)
}

func receiver(to string) string {
	if to == "" {
		return "self"
	}
	return to
}
