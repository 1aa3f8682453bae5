package statechart

import (
	"fmt"
	"slices"
)

// A SchemaLanguage compiles the JSON Schemas of a [Definition]: the one of
// its input and those of the events it declares. It is called while a chart
// is compiled only. Without one, schemas are carried and not checked.
type SchemaLanguage interface {
	// Version names the language and its version; it goes into the digest of
	// each chart that has schemas.
	Version() string
	// Compile checks the schema, which is JSON-like data. The error's text is
	// shown to the author of the chart.
	Compile(schema any) (Check, error)
}

// A Check says whether a value fits a schema; nil: it does. The error's text
// names the place in the value. It must be a function of the value alone and
// may be called concurrently.
type Check func(value any) error

// schemaCheck compiles one schema; nil when there is nothing to check.
func (c *compiler) schemaCheck(schema any, place string) Check {
	if schema == nil || c.registry.schemas == nil || c.tooLarge {
		return nil
	}
	check, err := c.registry.schemas.Compile(schema)
	if err != nil {
		c.failAs(CodeSchema, place, err)
		return nil
	}
	c.schemas = true
	return check
}

// failAs notes an error of a language that the registry was given: its own
// code and hint where it has them, and itself as the cause.
func (c *compiler) failAs(code Code, place string, err error) {
	hint := ""
	if d, ok := err.(interface{ Diagnose() (Code, string) }); ok {
		own, h := d.Diagnose()
		if hint = h; own != "" {
			code = own
		}
	}
	before := len(c.errors)
	c.fail(code, place, err.Error(), hint)
	if before < len(c.errors) && before < maxErrors {
		c.errors[before].Cause = err
	}
}

// misfit says what is wrong with the data of an event that is raised or sent
// here; nil when it fits or has no schema.
func (c *Chart) misfit(event string, data any) error {
	if !c.checked {
		return nil
	}
	id, ok := c.eventIDs[event]
	if !ok || c.events[id].check == nil {
		return nil
	}
	data, err := normalizeWithin(c.limits.Data, data)
	if err == nil {
		err = c.events[id].check(data)
	}
	if err != nil {
		return &Error{Code: CodeData, Message: "the data of " + quote(event) + " does not fit its schema: " + err.Error(), Cause: err}
	}
	return nil
}

// unwelcome says why an event from outside may not come in: its sender is
// not one of those declared, or its data does not fit.
func (in *Instance) unwelcome(id EventID, e *Delivery) *Reason {
	declared := in.chart.events[id].declared
	if declared == nil {
		return nil
	}
	if e.Envelope != nil && e.Envelope.From != "" && !admits(declared.From, e.Envelope.From) {
		return &Reason{Code: CodeSender, Message: fmt.Sprintf("the event %s may not come from a %s", quote(e.Name), e.Envelope.From)}
	}
	if err := in.chart.misfit(e.Name, e.Data); err != nil {
		return &Reason{Code: CodeData, Message: err.Error()}
	}
	return nil
}

// admits reports whether a declaration's list holds the sender. An empty one
// stands for clients and sessions.
func admits(from []string, sender string) bool {
	if len(from) == 0 {
		return sender == "client" || sender == "session"
	}
	return slices.Contains(from, sender)
}
