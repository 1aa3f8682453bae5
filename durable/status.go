package durable

import "github.com/detent-run/detent/statechart"

// Status is the standing of a session.
type Status string

// The statuses. Completed, cancelled, failed and expired sessions are over:
// they take no events. The engine itself lets no session expire; a layer that
// gives sessions a time to live does, and stores, lists and retention know it.
const (
	Active    Status = "active"
	Suspended Status = "suspended"
	Parked    Status = "parked"
	Failed    Status = "failed"
	Completed Status = "completed"
	Cancelled Status = "cancelled"
	Expired   Status = "expired"
)

// Over reports whether a session of the status takes no events for good.
func (s Status) Over() bool {
	return s == Completed || s == Cancelled || s == Failed || s == Expired
}

// statusOf is what a status of the core means for the session.
func statusOf(s statechart.Status) Status {
	switch s {
	case statechart.Completed:
		return Completed
	case statechart.FailedStatus:
		return Failed
	case statechart.Cancelled:
		return Cancelled
	case statechart.Parked:
		return Parked
	}
	return Active
}
