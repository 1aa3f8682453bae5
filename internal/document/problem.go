package document

// The codes of problems. They are stable.
const (
	CodeSyntax      = "syntax"        // neither YAML nor JSON
	CodeEncoding    = "encoding"      // not UTF-8, or with characters that no text may hold
	CodeDuplicate   = "duplicate_key" // one key twice in an object
	CodeFeature     = "yaml_feature"  // a part of YAML that is not taken
	CodeKey         = "bad_key"       // a key that is no text
	CodeNumber      = "number_range"  // a number that fits neither 64-bit kind
	CodeTooLarge    = "too_large"     // past one of the limits
	CodeEmpty       = "empty"         // nothing in the file
	CodeUnsupported = "unsupported"   // a node that cannot be written
)

// Problem is one thing that is wrong with a document.
type Problem struct {
	Code    string // one of the constants of this package
	Start   Position
	Message string // one sentence
	Hint    string // what to do
	// Feature is the part of YAML that is not taken: anchor, alias, merge key,
	// tag, directive or several documents for a [CodeFeature], complex key or
	// empty key for a [CodeKey].
	Feature string
}

// Hints that several problems have.
const (
	keepOne   = "keep one of the two"
	partIt    = "part the chart, or move data out of it"
	closeIt   = "a closing ] or } is missing"
	emptyHint = "a chart begins with id: NAME"
)
