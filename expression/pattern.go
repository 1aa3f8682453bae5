package expression

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// pattern is one of RE2 that was read but not compiled.
type pattern struct {
	source string
	size   int64 // of its program, after its repeats are written out
}

// CheckPattern says why a pattern of RE2 may not be compiled: it cannot be
// read, is too long, or would grow too large. It does no work that grows with
// what the pattern would become. The error's Offset means nothing.
func CheckPattern(source string) *Error {
	_, err := readPattern(source)
	e, _ := errors.AsType[*Error](err)
	return e
}

// readPattern reads a pattern and measures it before anything of that size
// is made.
func readPattern(source string) (pattern, error) {
	if len(source) > MaxPattern {
		return pattern{}, tooMuch("", "the pattern is %d bytes long and may be %d", len(source), MaxPattern)
	}
	if folded(source) > maxFolded {
		return pattern{}, tooMuch("leave out (?i), or write smaller ranges", "the pattern %s ignores case in ranges of more than %d characters", quote(source), maxFolded)
	}
	re, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return pattern{}, badPattern(err)
	}
	p := pattern{source, programSize(re)}
	if p.size > maxProgram {
		return pattern{}, tooMuch("repeat less", "the pattern %s grows too large when its repeats are written out", quote(source))
	}
	return p, nil
}

var (
	// ignoresCase finds the flag i, anywhere: what it holds for does not
	// matter here.
	ignoresCase = regexp.MustCompile(`\(\?[A-Za-z]*i`)

	// The ends of a range, by their numbers or as they are. Other escapes
	// spell small ones.
	lowEnd  = regexp.MustCompile(`(?s)(?:\\x\{[0-9A-Fa-f]+\}|.)$`)
	highEnd = regexp.MustCompile(`(?s)^(?:\\x\{[0-9A-Fa-f]+\}|.)`)
)

// folded is about how many characters lie in the ranges of a pattern that
// ignores case: the library looks for the other cases of each, one after the
// other, before anybody knows how large the pattern is.
func folded(source string) int64 {
	if !ignoresCase.MatchString(source) {
		return 0
	}
	total := int64(0)
	for i := range len(source) {
		if source[i] == '-' {
			low, high := lowEnd.FindString(source[max(0, i-12):i]), highEnd.FindString(source[i+1:])
			total += max(0, codePoint(high)-codePoint(low))
		}
	}
	return total
}

// codePoint reads an end of a range.
func codePoint(s string) int64 {
	if digits, numbered := strings.CutPrefix(s, `\x{`); numbered {
		n, err := strconv.ParseInt(digits[:len(digits)-1], 16, 64)
		if err != nil {
			return unicode.MaxRune
		}
		return min(n, unicode.MaxRune)
	}
	r, _ := utf8.DecodeRuneInString(s)
	return int64(r)
}

func badPattern(err error) error {
	e, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return wrong("", "the pattern cannot be read: %s", err)
	}
	return wrong("patterns are those of RE2, which has no look-around and no back-references", "the pattern has %s: %s", string(e.Code), quote(e.Expr))
}

// programSize is about how many instructions a pattern becomes.
func programSize(re *syntax.Regexp) int64 {
	size := int64(1)
	switch re.Op {
	case syntax.OpLiteral:
		size = int64(len(re.Rune))
	case syntax.OpCharClass:
		size += int64(len(re.Rune)) / 16
	}
	for _, sub := range re.Sub {
		size = min(size+programSize(sub), most)
	}
	if re.Op == syntax.OpRepeat {
		size = times(size, int64(max(re.Min, re.Max, 1)))
	}
	return size
}

func (p pattern) compile() (*regexp.Regexp, error) {
	re, err := regexp.Compile(p.source)
	if err != nil {
		return nil, badPattern(err)
	}
	return re, nil
}

// match pays for each byte, and for the end, as often as there are eight
// instructions that may have to look at it.
func (p pattern) match(m meter, re *regexp.Regexp, text string) (bool, error) {
	if err := m.Charge(times(int64(len(text))+1, p.size/8+1)); err != nil {
		return false, err
	}
	return re.MatchString(text), nil
}
