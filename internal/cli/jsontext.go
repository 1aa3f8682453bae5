package cli

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// object is a JSON object whose members keep their order: the lines of the
// contract begin with what a reader looks for first. Maps are written with
// sorted keys.
type object []member

type member struct {
	key   string
	value any
}

// layout is how JSON text is spaced.
type layout struct{ comma, colon string }

var (
	compact = layout{",", ":"}   // for programs
	spaced  = layout{", ", ": "} // for people
)

// text writes a value on one line. Integers stay integers, and a float64
// always has a point or an exponent, so that reading it back gives the same.
func (l layout) text(v any) string {
	var b strings.Builder
	l.write(&b, v)
	return b.String()
}

func (l layout) write(b *strings.Builder, v any) {
	switch x := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(x))
	case int:
		b.WriteString(strconv.Itoa(x))
	case int64:
		b.WriteString(strconv.FormatInt(x, 10))
	case uint64:
		b.WriteString(strconv.FormatUint(x, 10))
	case float64:
		b.WriteString(floatText(x))
	case string:
		writeQuoted(b, x)
	case []string:
		writeItems(l, b, x)
	case []any:
		writeItems(l, b, x)
	case []object:
		writeItems(l, b, x)
	case object:
		l.members(b, x)
	case map[string]any:
		l.members(b, sorted(x))
	default:
		l.other(b, v)
	}
}

// other writes a value that is not of the kinds that charts have, by way of
// encoding/json.
func (l layout) other(b *strings.Builder, v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		writeQuoted(b, err.Error())
		return
	}
	b.Write(raw)
}

func sorted(m map[string]any) object {
	o := make(object, 0, len(m))
	for _, key := range sortedKeys(m) {
		o = append(o, member{key, m[key]})
	}
	return o
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func writeItems[V any](l layout, b *strings.Builder, items []V) {
	b.WriteByte('[')
	for i, item := range items {
		if i > 0 {
			b.WriteString(l.comma)
		}
		l.write(b, item)
	}
	b.WriteByte(']')
}

func (l layout) members(b *strings.Builder, o object) {
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteString(l.comma)
		}
		writeQuoted(b, m.key)
		b.WriteString(l.colon)
		l.write(b, m.value)
	}
	b.WriteByte('}')
}

func floatText(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".eIN") {
		text += ".0"
	}
	return text
}

const hexDigits = "0123456789abcdef"

// writeQuoted writes text as a JSON string. Beside what JSON asks for it
// escapes what would break a line or move a terminal's cursor.
func writeQuoted(b *strings.Builder, text string) {
	b.WriteByte('"')
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case moves(r):
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(hexDigits[r>>shift&15])
			}
		default:
			b.WriteRune(r) // of a byte that is no text: the replacement character
		}
		i += size
	}
	b.WriteByte('"')
}

// moves tells whether a character moves a terminal's cursor, breaks the line or
// turns the direction of what follows.
func moves(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0: // controls
		return true
	case r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x061c, r == 0x200e, r == 0x200f: // separators and directions
		return true
	}
	return false
}

// plain shows a name or a sentence as it is, without what would break the
// line or move a terminal's cursor.
func plain(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.IndexFunc(text, moves) < 0 {
		return text
	}
	quoted := spaced.text(text)
	return quoted[1 : len(quoted)-1]
}

// clip shortens a text for a line of its own, at a whole character.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := []rune(text)
	return string(runes[:most-1]) + "…"
}
