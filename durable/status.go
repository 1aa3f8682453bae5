package durable

// Status is the standing of a session.
type Status string

// The statuses. Completed, cancelled, failed and expired sessions are over:
// they take no events.
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
