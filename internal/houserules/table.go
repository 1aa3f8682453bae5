package houserules

// row is one package of the house: what it is for and what it may import.
// ARCHITECTURE.md shows the same rows; `make generate` carries a change there.
type row struct {
	// pkg is the path from the root. A pattern ("examples/...") stands for
	// packages that do the same job beside each other.
	pkg string

	// does is its one responsibility.
	does string

	// may lists the packages of ours that its non-test code may import.
	// Empty: none.
	may []string

	// all lets it import everything of ours instead, save what but lists.
	all bool
	but []string

	// ownModule marks what lives in a nested module.
	ownModule bool

	// testing marks test libraries and measuring tools: they may import
	// "testing" and each other, and product code may not import them.
	testing bool
}

// rows is the house. A package without a row does not pass, so a new package
// begins here. Rows may stand before their package exists.
var rows = []row{
	{
		pkg:  "statechart",
		does: "`Definition` → `Compile` → immutable `Chart`; an event → next state, effects, trace. Pure: no clock, goroutine, context, log, randomness or I/O; standard library only",
		may:  []string{"internal/strictjson", "internal/edits"},
	},
	{
		pkg:  "expression",
		does: "the guard and value language of chart files: parse, check, evaluate within a budget",
		may:  []string{"statechart", "internal/strictjson", "internal/edits"},
	},
	{
		pkg:  "chartfile",
		does: "YAML and JSON chart files, with positions and diagnostics",
		may:  []string{"statechart", "expression", "internal/document", "internal/strictjson", "internal/edits"},
	},
	{
		pkg:  "chartfile/xstate",
		does: "XState v5 JSON to `Definition` and back",
		may:  []string{"statechart", "expression", "chartfile", "internal/document", "internal/edits"},
	},
	{
		pkg:  "chartfile/scxml",
		does: "SCXML to `Definition` and back",
		may:  []string{"statechart", "expression", "chartfile", "internal/strictjson", "internal/edits"},
	},
	{
		pkg:  "chartlint",
		does: "rules over charts, one file per rule, each with its documentation and a good and a bad example",
		may:  []string{"statechart", "chartfile"},
	},
	{
		pkg:  "diagram",
		does: "Mermaid, DOT, SVG and PNG of a chart, with the active states lit",
		may:  []string{"statechart"},
	},
	{
		pkg:  "host",
		does: "the words that all hosts share: `Performer`, outcome, retry policy, effect key, journal record",
		may:  []string{"statechart", "internal/strictjson"},
	},
	{
		pkg:  "durable",
		does: "the engine: mailboxes, commits, timers, claims, recovery; declares `Store`",
		may:  []string{"statechart", "host", "internal/failpoint"},
	},
	{pkg: "performer", does: "what the performers below share: templates, scope, failures by code, redaction", may: []string{"host"}},
	{
		pkg:     "performer/performertest",
		does:    "what the tests of performers share",
		may:     []string{"host", "performer"},
		testing: true,
	},
	{pkg: "performer/http", does: "outside calls over HTTP", may: []string{"host", "performer"}},
	{pkg: "performer/process", does: "outside calls to child processes", may: []string{"host", "performer"}},
	{pkg: "performer/file", does: "reading and writing files", may: []string{"host", "performer"}},
	{pkg: "performer/code", does: "running code in a sandbox", may: []string{"host", "performer", "internal/sandbox"}},
	{pkg: "performer/human", does: "asking a person", may: []string{"host"}},
	{pkg: "performer/plan", does: "a fixed planner, for when there is no model", may: []string{"host"}},
	{
		pkg:  "deployment",
		does: "reads `detent.yaml`: store, grants, tools, models, secrets by reference",
		may: []string{
			"statechart", "expression", "chartfile", "host", "performer", "performer/code", "performer/file", "performer/http",
			"performer/human", "performer/plan", "performer/process", "internal/document", "internal/edits",
		},
	},
	{pkg: "store/memory", does: "storage in memory, for tests and trials", may: []string{"statechart", "host", "durable"}},
	{pkg: "store/sqlite", does: "storage in one SQLite file, the default", may: []string{"statechart", "host", "durable", "internal/failpoint"}},
	{pkg: "store/postgres", does: "storage in Postgres, for several nodes", may: []string{"statechart", "host", "durable"}},
	{
		pkg:     "store/storetest",
		does:    "the suite that every store passes",
		may:     []string{"statechart", "host", "durable"},
		testing: true,
	},
	{
		pkg:       "temporal",
		does:      "the same step inside a Temporal workflow; effects become activities",
		may:       []string{"statechart", "host"},
		ownModule: true,
	},
	{
		pkg:  "agent",
		does: "model turns, tools, approvals, budgets and plans as performers and charts; runs on every host",
		may:  []string{"statechart", "host"},
	},
	{pkg: "agent/openai", does: "adapter for chat-completions models", may: []string{"statechart", "host", "agent"}},
	{pkg: "agent/anthropic", does: "adapter for messages models", may: []string{"statechart", "host", "agent"}},
	{pkg: "agent/mcptool", does: "adapter for tools served over MCP", may: []string{"statechart", "host", "agent"}},
	{pkg: "agent/tools", does: "adapter for performers as tools", may: []string{"statechart", "host", "agent"}},
	{pkg: "workflow", does: "a list of dependent steps → a chart", may: []string{"statechart", "host"}},
	{
		pkg:  "server",
		does: "HTTP and event stream over a small `Source` interface that it declares",
		may:  []string{"statechart", "chartfile", "diagram", "host", "server/inspector"},
	},
	{pkg: "server/inspector", does: "the inspector's pages, embedded"},
	{
		pkg:     "charttest",
		does:    "for users: scenarios, fake clock, scripted performers, transcripts, paths, coverage",
		all:     true,
		but:     []string{"server/...", "temporal/...", "internal/cli", "cmd/..."},
		testing: true,
	},
	{
		pkg:  "charttest/transcript",
		does: "transcripts: events with their expected outcome, read and played without a test library",
		may:  []string{"statechart", "internal/world", "internal/strictjson"},
	},
	{pkg: "internal/cli", does: "the commands as testable functions; the only place that wires everything", all: true},
	{pkg: "cmd/detent", does: "`main`, under 30 lines", all: true},
	{
		pkg:  "internal/world",
		does: "one deterministic driver in memory: run queue, virtual clock, scripted performers; under `sim`, `charttest` and the suites",
		may:  []string{"statechart", "host"},
	},
	{
		pkg:  "internal/strictjson",
		does: "reads JSON strictly, the same at every edge: keys by their case, no duplicates, exact numbers. A part of the core",
		may:  []string{"internal/edits"},
	},
	{pkg: "internal/edits", does: "how alike two names are, for hints. A part of the core"},
	{
		pkg:  "internal/document",
		does: "YAML and JSON documents as nodes with positions, and nodes written as either",
		may:  []string{"internal/strictjson"},
	},
	{
		pkg:     "internal/oracle",
		does:    "the algorithm of SCXML's Appendix D, taken literally, to check the core against",
		may:     []string{"statechart"},
		testing: true,
	},
	{
		pkg:     "internal/chartgen/...",
		does:    "random charts and events, for the tests that compare",
		may:     []string{"statechart", "internal/oracle"},
		testing: true,
	},
	{pkg: "internal/sim", does: "seeded simulation of the whole engine", all: true, but: []string{"internal/cli", "cmd/..."}},
	{pkg: "internal/protocol", does: "a model of ownership, steps and calls, walked through all its states"},
	{pkg: "internal/scripts", does: "random scripts on random charts, played by the engine and by a naive interpreter", testing: true},
	{pkg: "internal/failpoint", does: "named points to kill at"},
	{pkg: "internal/crash", does: "kills real processes and reads what is left", testing: true},
	{pkg: "internal/sandbox", does: "a child process with data, step and time limits"},
	{pkg: "internal/houserules", does: "the house rules as ordinary tests"},
	{pkg: "internal/mutants", does: "applies deliberate bugs and sees whether the tests notice"},
	{
		pkg:       "ecmascript",
		does:      "the ECMAScript data model for imported SCXML; opt-in; in process for trusted charts, in a child process for others",
		may:       []string{"statechart", "chartfile", "chartfile/scxml", "internal/sandbox"},
		ownModule: true,
	},
	{pkg: "conformance/...", does: "outside suites", all: true, ownModule: true, testing: true},
	{pkg: "bench/...", does: "measurements against peers", all: true, ownModule: true, testing: true},
	{pkg: "examples/...", does: "charts that run", all: true},
}

// never is an arrow that must not exist, not even through other packages.
// Where rows says what each package needs, never says what would break the
// house; it catches a row that was widened in passing.
type never struct {
	from []string // patterns of importers
	but  []string // importers that are not meant
	to   []string // patterns of what they must not reach
	show string   // how ARCHITECTURE.md writes the arrow
	why  string
}

var nevers = []never{
	{
		from: core, to: []string{"..."},
		show: "`statechart` → anything of ours, save `internal/strictjson` and `internal/edits`, which are parts of the core",
		why:  "the step is a function of its arguments, the same on every host",
	},
	{
		from: []string{"durable/..."}, to: []string{"store/...", "agent/...", "server/..."},
		show: "`durable` → a store, `agent` or `server`",
		why:  "the engine declares what it calls and is handed the rest",
	},
	{
		from: []string{"store/..."}, to: []string{"store/..."},
		show: "store → store",
		why:  "each is used without the others' drivers",
	},
	{
		from: []string{"agent/..."}, to: []string{"durable/..."},
		show: "`agent` → `durable`",
		why:  "agents run on every host",
	},
	{
		from: []string{"..."}, but: []string{"internal/cli/...", "cmd/..."},
		to:   []string{"internal/cli/...", "cmd/..."},
		show: "a library → `internal/cli`",
		why:  "wiring and flags stay at the edge",
	},
}

// testLibraries are packages of others that only tests may import; rows with
// testing set are ours. "testing" stands for what the go command adds for tests.
var testLibraries = []string{
	"testing/...",
	"net/http/httptest",
	"pgregory.net/rapid/...",
	"github.com/anishathalye/porcupine/...",
}

// rowOf gives the row of a package: its own, else the pattern that covers it.
func rowOf(name string) (row, bool) {
	for _, r := range rows {
		if r.pkg == name {
			return r, true
		}
	}
	for _, r := range rows {
		if covers(r.pkg, name) {
			return r, true
		}
	}
	return row{}, false
}
