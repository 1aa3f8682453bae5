package expression

// Bounds of one expression. What runs is bounded by the macrostep's fuel.
const (
	// MaxSource is the length of a source in bytes. In one that is a call of
	// text, the texts that are joined do not count: a long prompt with a name
	// in it is not a long expression.
	MaxSource = 4 << 10
	// MaxText is the length in bytes of a source with those texts.
	MaxText = 64 << 10
	// MaxNodes is of how many parts (literals, names, operators, calls) an
	// expression may be made.
	MaxNodes = 1000
	// MaxNesting is how deep brackets, and operators that wait for their
	// right side, may be nested.
	MaxNesting = 32
	// MaxDepth is how deep the lists and objects may be nested that a
	// function walks: as deep as a chart's data.
	MaxDepth = 64
	// MaxPattern is the length in bytes of a pattern of "matches", and
	// maxProgram its size after its repeats are written out; maxFolded is how
	// many characters may lie in its ranges where it ignores case.
	MaxPattern = 1000
	maxProgram = 2000
	maxFolded  = 4096
	// MaxRows is how many rows of an append-only list last reads.
	MaxRows = 100
)
