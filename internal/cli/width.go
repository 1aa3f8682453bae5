package cli

import "charm.land/lipgloss/v2"

// width is how many cells of a terminal a text fills; colours fill none.
func width(text string) int { return lipgloss.Width(text) }

// padded fills a text up to a width.
func padded(text string, to int) string {
	for n := width(text); n < to; n++ {
		text += " "
	}
	return text
}
