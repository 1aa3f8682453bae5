package expression

import (
	"errors"
	"regexp"
	"regexp/syntax"
)

// pattern is one of RE2 that was read but not compiled.
type pattern struct {
	source string
	size   int64 // of its program, after its repeats are written out
}

// readPattern reads a pattern and measures it before anything of that size
// is made.
func readPattern(source string) (pattern, error) {
	if len(source) > MaxPattern {
		return pattern{}, tooMuch("", "the pattern is %d bytes long and may be %d", len(source), MaxPattern)
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

// match pays for each byte as often as there are eight instructions that may
// have to look at it.
func (p pattern) match(m meter, re *regexp.Regexp, text string) (bool, error) {
	if err := m.Charge(1 + times(int64(len(text)), p.size/8+1)); err != nil {
		return false, err
	}
	return re.MatchString(text), nil
}
