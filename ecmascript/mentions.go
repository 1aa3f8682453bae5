package ecmascript

import (
	"unicode"
	"unicode/utf8"
)

// mentions collects the names that occur in source text, wherever they stand.
// An evaluation is sent those variables alone that it can name.
type mentions struct {
	names map[string]bool
	any   bool // the text can make up names while it runs
}

// making are the names by which code reaches variables that it does not
// spell out.
var making = map[string]bool{"eval": true, "Function": true, "constructor": true, "globalThis": true, "this": true}

// add reads more text and reports the names that are new.
func (m *mentions) add(source string) []string {
	var found []string
	for i := 0; i < len(source); {
		r, size := utf8.DecodeRuneInString(source[i:])
		switch {
		case r == '\\': // may spell a letter of a name
			m.any = true
		case beginsName(r):
			end := i + size
			for end < len(source) {
				r, n := utf8.DecodeRuneInString(source[end:])
				if !beginsName(r) && !unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc) && r != '\u200c' && r != '\u200d' {
					break
				}
				end += n
			}
			name := source[i:end]
			m.any = m.any || making[name]
			if !m.names[name] {
				m.names[name] = true
				found = append(found, name)
			}
			i = end
			continue
		}
		i += size
	}
	return found
}

func beginsName(r rune) bool {
	return r == '$' || r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r)
}
