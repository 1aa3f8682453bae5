package measure

import (
	"math"
	"slices"
)

// Median returns the middle of the values, NaN if there are none.
func Median(values []float64) float64 { return quantile(values, 0.5) }

// NS returns the median time of an event in nanoseconds.
func (m Measurement) NS() float64 { return Median(m.Samples) }

// Spread returns how far the middle half of the samples reaches, as a share
// of the median: 0.05 means that half of them lie within 5 % of each other.
func (m Measurement) Spread() float64 { return Spread(m.Samples) }

// Spread returns how far the middle half of the values reaches, as a share of
// the median.
func Spread(values []float64) float64 {
	return (quantile(values, 0.75) - quantile(values, 0.25)) / Median(values)
}

// Ratio returns how many times the time of other m takes: the median over
// the turns that both took part in.
func (m Measurement) Ratio(other Measurement) float64 {
	n := min(len(m.Samples), len(other.Samples))
	ratios := make([]float64, n)
	for i := range n {
		ratios[i] = m.Samples[i] / other.Samples[i]
	}
	return Median(ratios)
}

// quantile interpolates between the two values around q.
func quantile(values []float64, q float64) float64 {
	s := slices.Sorted(slices.Values(values))
	if len(s) == 0 {
		return math.NaN()
	}
	at := q * float64(len(s)-1)
	i := int(at)
	if i+1 == len(s) {
		return s[i]
	}
	return s[i] + (at-float64(i))*(s[i+1]-s[i])
}
