package host

// Mode says what a host may do when it does not know how an attempt ended.
type Mode string

const (
	// AtLeastOnce tries again under the same key, after an error that allows
	// it and after an attempt whose end nobody saw.
	AtLeastOnce Mode = "at_least_once"
	// AtMostOnce starts no attempt while an earlier one's outcome could be
	// anything but "not executed". What nobody saw is unknown.
	AtMostOnce Mode = "at_most_once"
	// Reconcile asks the other side by key, see [Finder], before any further
	// attempt.
	Reconcile Mode = "reconcile"
)

// Valid reports whether m is one of the three.
func (m Mode) Valid() bool { return m == AtLeastOnce || m == AtMostOnce || m == Reconcile }
