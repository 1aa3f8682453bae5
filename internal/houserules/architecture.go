package houserules

import (
	"fmt"
	"strings"
)

// tables are what pages can show of table.go.
var tables = map[string]func() string{
	"packages": func() string { return packagesTable(rows) },
	"nevers":   func() string { return neversTable(nevers) },
}

// packagesTable writes the rows as a table of a page.
func packagesTable(rows []row) string {
	var b strings.Builder
	b.WriteString("| package | its one responsibility | may import (ours) |\n|---|---|---|\n")
	for _, r := range rows {
		name := "`" + r.pkg + "`"
		if r.ownModule {
			name += " (own module)"
		}
		does := r.does
		if r.testing {
			does += " (for tests)"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", name, does, r.grantedInWords())
	}
	return b.String()
}

func (r row) grantedInWords() string {
	switch {
	case r.all && len(r.but) > 0:
		return "all but " + quoted(r.but)
	case r.all:
		return "all"
	case len(r.may) == 0:
		return "nothing"
	}
	return quoted(r.may)
}

func quoted(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

// neversTable writes the forbidden arrows, and the one that the test libraries
// add, as a table of a page.
func neversTable(nevers []never) string {
	var b strings.Builder
	b.WriteString("| arrow | why not |\n|---|---|\n")
	for _, n := range nevers {
		fmt.Fprintf(&b, "| %s | %s |\n", n.show, n.why)
	}
	b.WriteString("| non-test code → a test library | what only tests need stays out of products |\n")
	return b.String()
}
