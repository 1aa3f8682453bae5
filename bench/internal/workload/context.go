package workload

// Context is the data of one machine. Guards read it; actions and callbacks
// count in it, and do nothing else, so that what is measured is the machine
// around them and not their work.
type Context struct {
	// Task, Plan, Tools and Tool are what the guards of the cycle ask about.
	Task  string
	Plan  []string
	Tools [8]bool
	Tool  int

	// Counts is what has run so far.
	Counts
}

// Counts is how many callbacks of each kind have run.
type Counts struct{ Actions, Entries, Exits int }

// NewContext returns a context on which every guard holds.
func NewContext() *Context {
	c := &Context{Task: "summarise", Plan: []string{"read", "write", "check"}, Tool: 3}
	c.Tools[c.Tool] = true
	return c
}

// The bodies of the guards and callbacks. Each peer wraps them in functions
// of its own signature; they are small enough to be inlined there, so every
// peer pays exactly one indirect call for each.

// HasTask guards "receive_task".
func HasTask(c *Context) bool { return len(c.Task) > 0 }

// HasPlan guards "plan_ready".
func HasPlan(c *Context) bool { return len(c.Plan) > 0 }

// HasTool guards "call_tool".
func HasTool(c *Context) bool { return c.Tools[c.Tool&7] }

// Act is the body of every transition's action.
func Act(c *Context) { c.Actions++ }

// Enter is the body of every entry callback.
func Enter(c *Context) { c.Entries++ }

// Exit is the body of every exit callback.
func Exit(c *Context) { c.Exits++ }
