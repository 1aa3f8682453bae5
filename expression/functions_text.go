package expression

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

var textFunctions = map[string]*function{
	"text":        {usage: "text(a, b, …)", does: "the parts joined as text: numbers and booleans as written, lists and objects as JSON; null is an error", least: 0, most: -1, gives: textual, many: joinText},
	"string":      {usage: "string(x)", does: "text as it is, all else as JSON", least: 1, most: 1, gives: textual, one: toText},
	"trim":        {usage: "trim(text [, characters])", does: "without white space, or without those characters, at both ends", least: 1, most: 2, takes: []kind{textual}, gives: textual, many: trim},
	"trimPrefix":  {usage: "trimPrefix(text [, prefix])", does: "without that beginning; without a prefix, one space", least: 1, most: 2, takes: []kind{textual}, gives: textual, many: trimEnd(strings.TrimPrefix)},
	"trimSuffix":  {usage: "trimSuffix(text [, suffix])", does: "without that end; without a suffix, one space", least: 1, most: 2, takes: []kind{textual}, gives: textual, many: trimEnd(strings.TrimSuffix)},
	"upper":       {usage: "upper(text)", does: "in capital letters", least: 1, most: 1, takes: []kind{textual}, gives: textual, one: mapText(strings.ToUpper)},
	"lower":       {usage: "lower(text)", does: "in small letters", least: 1, most: 1, takes: []kind{textual}, gives: textual, one: mapText(strings.ToLower)},
	"split":       {usage: "split(text, separator [, n])", does: "the parts between the separators, at most n; an empty separator parts all characters", least: 2, most: 3, takes: []kind{textual, textual, integer}, gives: list, many: splitting(strings.SplitN)},
	"splitAfter":  {usage: "splitAfter(text, separator [, n])", does: "as split, each part with its separator", least: 2, most: 3, takes: []kind{textual, textual, integer}, gives: list, many: splitting(strings.SplitAfterN)},
	"replace":     {usage: "replace(text, old, new [, n])", does: "with the first n of old replaced, or all; an empty old stands between all characters", least: 3, most: 4, takes: []kind{textual, textual, textual, integer}, gives: textual, many: replace},
	"repeat":      {usage: "repeat(text, n)", does: "n times one after the other", least: 2, most: 2, takes: []kind{textual, integer}, gives: textual, many: repeat},
	"join":        {usage: "join(list [, glue])", does: "the texts of a list, with the glue between them", least: 1, most: 2, takes: []kind{list, textual}, gives: textual, many: join},
	"indexOf":     {usage: "indexOf(text, part)", does: "where the part begins first, in characters; -1 if nowhere", least: 2, most: 2, takes: []kind{textual}, gives: integer, many: indexing(strings.Index)},
	"lastIndexOf": {usage: "lastIndexOf(text, part)", does: "where the part begins last, in characters; -1 if nowhere", least: 2, most: 2, takes: []kind{textual}, gives: integer, many: indexing(strings.LastIndex)},
	"hasPrefix":   {usage: "hasPrefix(text, prefix)", does: "as startsWith", least: 2, most: 2, takes: []kind{textual}, gives: boolean, many: affix(strings.HasPrefix)},
	"hasSuffix":   {usage: "hasSuffix(text, suffix)", does: "as endsWith", least: 2, most: 2, takes: []kind{textual}, gives: boolean, many: affix(strings.HasSuffix)},
	"toJSON":      {usage: "toJSON(x)", does: "canonical JSON: sorted keys, no white space", least: 1, most: 1, gives: textual, one: toJSON},
	"fromJSON":    {usage: "fromJSON(text)", does: "the value of a JSON text; integers stay integers, a key that comes twice is an error", least: 1, most: 1, takes: []kind{textual}, gives: anything, one: fromJSON},
	"toBase64":    {usage: "toBase64(text)", does: "in base64", least: 1, most: 1, takes: []kind{textual}, gives: textual, one: toBase64},
	"fromBase64":  {usage: "fromBase64(text)", does: "the text that the base64 spells; bytes that are no UTF-8 are an error", least: 1, most: 1, takes: []kind{textual}, gives: textual, one: fromBase64},
}

func trim(m meter, args []any) (any, error) {
	s := args[0].(string)
	if len(args) == 1 {
		if err := chargeText(m, len(s)); err != nil {
			return nil, err
		}
		return strings.TrimSpace(s), nil
	}
	cut := args[1].(string)
	// Each character may be looked for in the whole of cut.
	if err := m.Charge(1 + times(textCost(len(s)), int64(len(cut)))); err != nil {
		return nil, err
	}
	return strings.Trim(s, cut), nil
}

func trimEnd(f func(s, end string) string) func(meter, []any) (any, error) {
	return func(m meter, args []any) (any, error) {
		s, end := args[0].(string), " "
		if len(args) == 2 {
			end = args[1].(string)
		}
		if err := chargeText(m, len(end)); err != nil {
			return nil, err
		}
		return f(s, end), nil
	}
}

// mapText changes letters. Some become longer, up to threefold.
func mapText(f func(string) string) func(meter, any) (any, error) {
	return func(m meter, v any) (any, error) {
		s := v.(string)
		if err := chargeText(m, 3*len(s)); err != nil {
			return nil, err
		}
		return f(s), nil
	}
}

// pieces is how often sep stands in s, n at most where n is not negative,
// and pays for counting.
func pieces(m meter, s, sep string, n int64) (int64, error) {
	if err := chargeText(m, len(s)+len(sep)); err != nil {
		return 0, err
	}
	found := int64(strings.Count(s, sep))
	if n >= 0 {
		found = min(found, n)
	}
	return found, nil
}

func splitting(f func(s, sep string, n int) []string) func(meter, []any) (any, error) {
	return func(m meter, args []any) (any, error) {
		s, sep, n := args[0].(string), args[1].(string), int64(-1)
		if len(args) == 3 {
			n = args[2].(int64)
		}
		parts, err := pieces(m, s, sep, n)
		if err != nil {
			return nil, err
		}
		if err := m.Charge(2*parts + 2 + textCost(len(s))); err != nil {
			return nil, err
		}
		return texts(f(s, sep, int(min(max(n, -1), int64(len(s)+1))))), nil
	}
}

func replace(m meter, args []any) (any, error) {
	s, old, by, n := args[0].(string), args[1].(string), args[2].(string), int64(-1)
	if len(args) == 4 {
		n = args[3].(int64)
	}
	found, err := pieces(m, s, old, n)
	if err != nil {
		return nil, err
	}
	size := int64(len(s)) + times(found, int64(len(by)))
	if err := m.Charge(1 + found + size/bytesPerUnit); err != nil {
		return nil, err
	}
	return strings.Replace(s, old, by, int(found)), nil
}

func repeat(m meter, args []any) (any, error) {
	s, n := args[0].(string), args[1].(int64)
	if n < 0 {
		return nil, wrong("", "text cannot be repeated %d times", n)
	}
	size := times(int64(len(s)), n)
	if err := m.Charge(1 + size/bytesPerUnit); err != nil {
		return nil, err
	}
	if size == 0 {
		return "", nil
	}
	return strings.Repeat(s, int(n)), nil
}

func join(m meter, args []any) (any, error) {
	parts, glue := args[0].([]any), ""
	if len(args) == 2 {
		glue = args[1].(string)
	}
	if err := m.Charge(int64(len(parts))); err != nil {
		return nil, err
	}
	size := times(int64(len(glue)), int64(len(parts)))
	for _, p := range parts {
		s, ok := p.(string)
		if !ok {
			return nil, wrong("map(list, string(#)) makes texts", "%s is among the texts to join", describe(p))
		}
		size = min(size+int64(len(s)), most)
	}
	if err := m.Charge(1 + size/bytesPerUnit); err != nil {
		return nil, err
	}
	var b strings.Builder
	b.Grow(int(size))
	for i, p := range parts {
		if i > 0 {
			b.WriteString(glue)
		}
		b.WriteString(p.(string))
	}
	return b.String(), nil
}

// indexing counts in characters, as len and slices do.
func indexing(f func(s, part string) int) func(meter, []any) (any, error) {
	return func(m meter, args []any) (any, error) {
		s, part := args[0].(string), args[1].(string)
		if err := chargeText(m, 2*len(s)+len(part)); err != nil {
			return nil, err
		}
		i := f(s, part)
		if i < 0 {
			return int64(-1), nil
		}
		return int64(utf8.RuneCountInString(s[:i])), nil
	}
}

func affix(is func(s, end string) bool) func(meter, []any) (any, error) {
	return func(m meter, args []any) (any, error) {
		s, end := args[0].(string), args[1].(string)
		if err := chargeText(m, len(end)); err != nil {
			return nil, err
		}
		return is(s, end), nil
	}
}

func toBase64(m meter, v any) (any, error) {
	s := v.(string)
	if err := chargeText(m, 3*len(s)); err != nil {
		return nil, err
	}
	return base64.StdEncoding.EncodeToString([]byte(s)), nil
}

func fromBase64(m meter, v any) (any, error) {
	s := v.(string)
	if err := chargeText(m, 2*len(s)); err != nil {
		return nil, err
	}
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil, wrong("", "the text is no base64")
	}
	out := string(b)
	if err := checkText(out); err != nil {
		return nil, err
	}
	return out, nil
}
