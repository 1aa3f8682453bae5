package durable

// Namespaces of the engine's side records. Later layers use names with a
// prefix of their own.
const (
	// SpaceDedupe holds the ids of events, by session: which sequence each
	// one has.
	SpaceDedupe = "dedupe"
	// SpaceList holds the rows of append-only lists, by session; the key is
	// the list's name, a slash and the row's number in 16 digits.
	SpaceList = "list"
	// SpaceChart holds the sources of charts, by digest; of no session.
	SpaceChart = "chart"
	// SpaceWish holds control verbs that are under way; of no session.
	SpaceWish = "wish"
	// SpaceNoise holds, by session and sender, how many events were counted
	// that nothing took.
	SpaceNoise = "noise"
	// SpaceBase holds, by session, the hash and number of the journal row
	// that compaction cut last.
	SpaceBase = "base"
)
