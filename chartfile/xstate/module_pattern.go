package xstate

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode"
)

// pattern is a pattern of RE2 as a regular expression of JavaScript that is
// found in the same texts. Groups are not kept: nobody asks what they hold.
func pattern(source string) (string, error) {
	re, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteByte('/')
	writePattern(&b, re)
	if b.Len() == 1 {
		b.WriteString("(?:)")
	}
	return b.String() + "/u", nil
}

func writePattern(b *strings.Builder, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			writeLiteral(b, r, re.Flags&syntax.FoldCase != 0)
		}
	case syntax.OpCharClass:
		writeClass(b, re.Rune)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			writeOperand(b, sub, sub.Op == syntax.OpAlternate)
		}
	case syntax.OpAlternate:
		for i, sub := range re.Sub {
			if i > 0 {
				b.WriteByte('|')
			}
			writePattern(b, sub)
		}
	case syntax.OpCapture:
		writeOperand(b, re.Sub[0], true)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		writeOperand(b, re.Sub[0], !single(re.Sub[0]))
		b.WriteString(repeats(re))
	default:
		b.WriteString(assertions[re.Op])
	}
}

// assertions are the operators that say the same of every text.
var assertions = map[syntax.Op]string{
	syntax.OpNoMatch: "(?!)", syntax.OpAnyCharNotNL: `[^\n]`, syntax.OpAnyChar: "[^]",
	syntax.OpBeginLine: `(?<![^\n])`, syntax.OpEndLine: `(?![^\n])`, syntax.OpBeginText: "^", syntax.OpEndText: "$",
	syntax.OpWordBoundary: `\b`, syntax.OpNoWordBoundary: `\B`,
}

func writeOperand(b *strings.Builder, re *syntax.Regexp, group bool) {
	if group {
		b.WriteString("(?:")
	}
	writePattern(b, re)
	if group {
		b.WriteByte(')')
	}
}

// single reports whether a repeat takes hold of all of it.
func single(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune) == 1
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpCapture:
		return true
	}
	return false
}

func repeats(re *syntax.Regexp) string {
	switch {
	case re.Op == syntax.OpStar:
		return "*"
	case re.Op == syntax.OpPlus:
		return "+"
	case re.Op == syntax.OpQuest:
		return "?"
	case re.Max < 0:
		return fmt.Sprintf("{%d,}", re.Min)
	case re.Min == re.Max:
		return fmt.Sprintf("{%d}", re.Min)
	}
	return fmt.Sprintf("{%d,%d}", re.Min, re.Max)
}

// writeLiteral writes a character, or the class of its cases.
func writeLiteral(b *strings.Builder, r rune, fold bool) {
	if fold && unicode.SimpleFold(r) != r {
		b.WriteByte('[')
		writeCharacter(b, r)
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			writeCharacter(b, other)
		}
		b.WriteByte(']')
		return
	}
	writeCharacter(b, r)
}

func writeClass(b *strings.Builder, ranges []rune) {
	if len(ranges) == 0 {
		b.WriteString("[]")
		return
	}
	b.WriteByte('[')
	if ranges[0] == 0 && ranges[len(ranges)-1] == unicode.MaxRune {
		b.WriteByte('^')
		var gaps []rune
		for i := 1; i+1 < len(ranges); i += 2 {
			gaps = append(gaps, ranges[i]+1, ranges[i+1]-1)
		}
		ranges = gaps
	}
	for i := 0; i < len(ranges); i += 2 {
		writeCharacter(b, ranges[i])
		if ranges[i+1] > ranges[i] {
			if ranges[i+1] > ranges[i]+1 {
				b.WriteByte('-')
			}
			writeCharacter(b, ranges[i+1])
		}
	}
	b.WriteByte(']')
}

func writeCharacter(b *strings.Builder, r rune) {
	switch {
	case strings.ContainsRune(`\^$.*+?()[]{}|/-`, r):
		if r == '-' {
			b.WriteString(`\x2d`) // the flag u allows \- in classes only
			return
		}
		b.WriteByte('\\')
		b.WriteRune(r)
	case r < 0x20 || r >= 0x7f && !unicode.IsLetter(r):
		fmt.Fprintf(b, `\u{%x}`, r)
	default:
		b.WriteRune(r)
	}
}
