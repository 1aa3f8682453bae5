package cli

import (
	"charm.land/lipgloss/v2"

	"github.com/detent-run/detent/statechart"
)

// palette shows words in colour, or as they are when the stream has none. The
// colours are the terminal's own sixteen, which suit its background.
type palette struct{ on bool }

var (
	styleStrong = lipgloss.NewStyle().Bold(true)
	styleFaint  = lipgloss.NewStyle().Faint(true)
	styleGood   = lipgloss.NewStyle().Foreground(lipgloss.Color("2"))
	styleBad    = lipgloss.NewStyle().Foreground(lipgloss.Color("1")).Bold(true)
	styleCare   = lipgloss.NewStyle().Foreground(lipgloss.Color("3"))
	styleLater  = lipgloss.NewStyle().Foreground(lipgloss.Color("6"))
	stylePlace  = lipgloss.NewStyle().Foreground(lipgloss.Color("4"))
)

func (p palette) paint(s lipgloss.Style, text string) string {
	if !p.on || text == "" {
		return text
	}
	return s.Render(text)
}

func (p palette) strong(text string) string { return p.paint(styleStrong, text) }
func (p palette) faint(text string) string  { return p.paint(styleFaint, text) }
func (p palette) good(text string) string   { return p.paint(styleGood, text) }
func (p palette) bad(text string) string    { return p.paint(styleBad, text) }
func (p palette) care(text string) string   { return p.paint(styleCare, text) }
func (p palette) later(text string) string  { return p.paint(styleLater, text) }
func (p palette) place(text string) string  { return p.paint(stylePlace, text) }

// outcome shows what became of an event in its colour.
func (p palette) outcome(o statechart.Outcome) string {
	switch o {
	case statechart.Taken:
		return p.good(o.String())
	case statechart.Deferred:
		return p.later(o.String())
	case statechart.Ignored:
		return p.care(o.String())
	}
	return p.bad(o.String())
}

// severity shows "error" or "warning" in its colour.
func (p palette) severity(s string) string {
	if s == "error" {
		return p.bad(s)
	}
	return p.care(s)
}
