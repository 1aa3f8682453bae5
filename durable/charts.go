package durable

import (
	"sync"

	"github.com/detent-run/detent/statechart"
)

// Charts finds the charts that sessions run. Its methods are called
// concurrently.
type Charts interface {
	// Chart finds a chart by its id (the newest of it) or by digest, and gives
	// the source from which [Charts.Read] can make it again; a nil source
	// says that the chart is always at hand. ok is false when it is unknown.
	Chart(id string) (chart *statechart.Chart, source []byte, ok bool)
	// Read makes a chart from a stored source. Its digest must be the one
	// that is asked for, or it is of no use.
	Read(digest string, source []byte) (*statechart.Chart, error)
}

// ChartSet is a [Charts] of charts that the program has compiled itself. The
// zero value is empty. It may be used concurrently.
type ChartSet struct {
	mu     sync.RWMutex
	charts map[string]*statechart.Chart
}

// NewCharts makes a set of the charts.
func NewCharts(charts ...*statechart.Chart) *ChartSet {
	s := &ChartSet{}
	for _, c := range charts {
		s.Add(c)
	}
	return s
}

// Add adds a chart; it is the newest of its id from now on. Earlier ones stay
// to be found by digest.
func (s *ChartSet) Add(c *statechart.Chart) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.charts == nil {
		s.charts = map[string]*statechart.Chart{}
	}
	s.charts[c.Definition().ID] = c
	s.charts[c.Digest()] = c
}

// Chart is [Charts.Chart].
func (s *ChartSet) Chart(id string) (*statechart.Chart, []byte, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	c, ok := s.charts[id]
	return c, nil, ok
}

// Read is [Charts.Read]: compiled charts have no source.
func (s *ChartSet) Read(digest string, _ []byte) (*statechart.Chart, error) {
	return nil, problem(CodeNoChart, "", "the chart with the digest %s was not added", digest)
}

// library caches the charts that the engine has found, by digest.
type library struct {
	charts Charts
	mu     sync.Mutex
	known  map[string]*statechart.Chart
}

// byDigest finds a pinned chart; source is asked for where the program does
// not have it at hand.
func (l *library) byDigest(digest string, source func() ([]byte, error)) (*statechart.Chart, error) {
	l.mu.Lock()
	c := l.known[digest]
	l.mu.Unlock()
	if c != nil {
		return c, nil
	}
	c, err := l.find(digest, source)
	if err != nil {
		return nil, err
	}
	if c.Digest() != digest {
		return nil, problem(CodeNoChart, "a registered name changed its version; migrate the session", "the chart with the digest %s now has the digest %s", digest, c.Digest())
	}
	l.mu.Lock()
	l.known[digest] = c
	l.mu.Unlock()
	return c, nil
}

// find asks the program for a chart. A panic of it is an answer like another:
// it must not break every step of the sessions that run the chart.
func (l *library) find(digest string, source func() ([]byte, error)) (c *statechart.Chart, err error) {
	defer func() {
		if p := recover(); p != nil {
			c, err = nil, problem(CodeNoChart, "look at what the program's Charts do", "the chart with the digest %s cannot be had: %v", digest, p)
		}
	}()
	c, _, ok := l.charts.Chart(digest)
	if !ok {
		body, err := source()
		if err != nil {
			return nil, err
		}
		if body == nil {
			return nil, problem(CodeNoChart, "start the program with the chart, or migrate the session", "the chart with the digest %s is gone", digest)
		}
		if c, err = l.charts.Read(digest, body); err != nil {
			return nil, err
		}
	}
	if c == nil {
		return nil, problem(CodeNoChart, "look at what the program's Charts do", "the chart with the digest %s cannot be had", digest)
	}
	return c, nil
}
