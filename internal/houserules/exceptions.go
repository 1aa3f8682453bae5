package houserules

// exception lets one named thing break one rule.
type exception struct {
	rule   string // "function length", "documented", ...: the name its test uses
	name   string // as the finding names it
	reason string // why the rule would make it worse
}

// exceptions is meant to stay short. A row that nothing needs fails the rule
// it is about.
var exceptions = []exception{}

func excepted(rule, name string) bool {
	for _, e := range exceptions {
		if e.rule == rule && e.name == name {
			return true
		}
	}
	return false
}
