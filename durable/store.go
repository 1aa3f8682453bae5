package durable

import (
	"context"
	"errors"
	"fmt"
)

// A Store keeps sessions. It compares and stores, and decides nothing: bodies
// are opaque to it. Every implementation passes store/storetest.
//
// Reads may be called by anyone at any time, concurrently with each other and
// with a commit, and see whole transactions only. What they return is the
// caller's. All times are milliseconds since 1970.
type Store interface {
	// Acquire makes the caller the owner, under a new epoch that is higher
	// than every one before. While another process or engine owns the store
	// it returns [ErrOwned] at once. Called once, before the first Commit.
	Acquire(ctx context.Context) (Lease, error)

	// Commit makes all changes durable, or none of them: when it returns nil
	// they survive a power cut. It returns a [*StaleError] when a session's
	// revision is not the one of its change, or [ErrFenced] when the epoch is
	// not the newest; then nothing was changed, as with [ErrFull]. After
	// [ErrBroken] nothing is to be tried any more. After any other error the
	// outcome is unknown. Only the owner calls it, one call at a time.
	Commit(ctx context.Context, c Commit) error

	// Load reads one session in one consistent view, [ErrNotFound] if there
	// is none.
	Load(ctx context.Context, q LoadQuery) (*Stored, error)

	// Due lists the sessions whose Due is set and at most through, the first
	// due first, ties by id; at most limit.
	Due(ctx context.Context, through int64, limit int) ([]Due, error)

	// Select lists heads that fit the filter, by id. A row that is damaged may
	// stand there as parked, with the reason code "damaged": it must not hide
	// the others.
	Select(ctx context.Context, f Filter) ([]Head, error)

	// Journal reads rows of a session from a sequence on, in order; at most
	// limit.
	Journal(ctx context.Context, session string, from uint64, limit int) ([]JournalRow, error)

	// Records reads side records, by session and key.
	Records(ctx context.Context, q RecordQuery) ([]Record, error)

	// Close gives up ownership, if it is held, and frees what the store
	// holds. Twice is fine.
	Close() error
}

// Errors that a [Store] returns, to be asked for with [errors.Is].
var (
	// ErrOwned: another engine owns the store.
	ErrOwned = errors.New("the store is owned by another engine")
	// ErrFenced: a newer owner has the store; this one must stop.
	ErrFenced = errors.New("a newer owner has taken the store over")
	// ErrNotFound: there is no such session.
	ErrNotFound = errors.New("there is no such session")
	// ErrFull: the disk is full. Nothing was changed; it may pass.
	ErrFull = errors.New("the disk is full")
	// ErrBroken: an error of the disk after which nothing can be trusted, such
	// as that of a sync. The engine stops.
	ErrBroken = errors.New("the store is broken")
	// ErrDamaged: what was read cannot be what was written.
	ErrDamaged = errors.New("the store is damaged")
)

// StaleError says which session's change did not fit its row.
type StaleError struct{ Session string }

// Error names the session.
func (e *StaleError) Error() string {
	return fmt.Sprintf("the session %q moved since it was read", e.Session)
}

// Lease is what an owner learns of its store.
type Lease struct {
	// Epoch numbers the ownership, from 1.
	Epoch uint64
	// Clock is the high-water mark: the latest Clock of any commit.
	Clock int64
	// Position is the highest inbox position in the store.
	Position uint64
}

// Commit is one transaction.
type Commit struct {
	// Epoch is the owner's.
	Epoch uint64
	// Clock is the engine's time. The store keeps the highest.
	Clock int64
	// Changes are applied in order.
	Changes []Change
}

// Change is what a transaction does to one session.
type Change struct {
	Session string
	// Before is the Revision that the row has, 0 when it does not exist yet.
	// It is compared if Head is set or Delete is.
	Before uint64
	// Head is the row afterwards; its Revision is Before + 1. Nil leaves the
	// row as it is: such a change only adds to the inbox, and is dropped
	// silently when the session is gone.
	Head *Head
	// Delete removes the session with all its rows: journal, inbox, effects,
	// state and records. Whatever does so without comparing Before, for a row
	// that cannot be read.
	Delete, Whatever bool
	// State is the full encoded state as of the journal row Head.Sequence, or
	// nil where the journal's changes are enough.
	State []byte
	// Journal are the new rows; their sequences follow on.
	Journal []JournalRow
	// Take removes inbox rows by position, Put adds some. A Put makes the
	// session Ready, whatever its head says, until the rows are taken.
	Take []uint64
	Put  []InboxRow
	// Effects are put in by key; a row of the key is replaced.
	Effects []EffectRow
	// Records are put in by (namespace, session, key); a nil body deletes.
	Records []Record
}

// Head is the row of one session: what lists show and what the engine needs
// without reading the state.
type Head struct {
	Session string
	// Revision counts the changes of this row, from 1.
	Revision uint64
	// Format is the number of the bodies' format; a store refuses a newer one.
	Format int
	// Chart is the chart's id and Digest the one that the session is pinned to.
	Chart, Digest string
	Status        Status
	// Reason says why it is suspended, parked or failed: canonical JSON, or
	// nil.
	Reason []byte
	// ReasonCode is the code in it.
	ReasonCode string
	User       string
	Tags       []string
	Priority   int
	// Parent is the session that started it, ParentKey the effect's key.
	Parent, ParentKey string
	Depth             int
	// Sequence is that of the newest journal row, Hash its hash.
	Sequence uint64
	Hash     string
	// Configuration are the paths of the active leaves.
	Configuration []string
	// Created, Updated and Since (the entry into the configuration).
	Created, Updated, Since int64
	// Due is when the engine must look at the session next; 0: never.
	Due int64
	// Ready is set when it has work that waits for no time.
	Ready bool
	// Waits is set when something waits for a person.
	Waits bool
}

// JournalRow is one row of a journal. Body is the JSON of a [host.Record].
type JournalRow struct {
	Sequence uint64
	Time     int64
	Hash     string
	Body     []byte
}

// InboxRow is an event that is accepted and not taken up yet.
type InboxRow struct {
	Position uint64
	Body     []byte
}

// EffectRow is one row of the outbox. Live rows are loaded with the session.
type EffectRow struct {
	Key  string
	Live bool
	Body []byte
}

// Record is a side record: a row of an append-only list, a dedupe key, the
// source of a chart, a blob, or what later layers keep. It commits with the
// step that wrote it.
type Record struct {
	// Namespace says whose it is. Those of the engine are in namespaces.go.
	Namespace string
	// Session is the session that it belongs to and is deleted with; empty
	// for what all share.
	Session string
	// Key orders the records of a namespace and session, by bytes.
	Key string
	// Body is opaque. Text is what a search looks at; empty: nothing.
	Body []byte
	Text string
}

// LoadQuery says what of a session to read.
type LoadQuery struct {
	Session string
	// Row asks for the row alone: only Head is filled in, whatever else the
	// query says, and nothing is read whose size grows with the session.
	Row bool
	// Inbox is how many inbox rows to read, the lowest positions first.
	Inbox int
	// Effects are keys of rows to read even though they are not live.
	Effects []string
}

// Stored is a session as the store holds it.
type Stored struct {
	Head Head
	// State is the newest full state and StateAt the sequence that it is of;
	// Since are the journal rows after it, in order.
	State   []byte
	StateAt uint64
	Since   []JournalRow
	// Inbox are the first rows, MoreInbox says that there are others.
	Inbox     []InboxRow
	MoreInbox bool
	// Effects are the live rows, by key, and those asked for.
	Effects []EffectRow
}

// Due is when a session must be looked at, in milliseconds since 1970.
type Due struct {
	Session string
	At      int64
}

// Filter picks sessions. Zero fields pick all.
type Filter struct {
	Chart, Digest, User, Tag, Parent, ReasonCode string
	Status                                       Status
	// State is the path of a state that is active: a leaf's, or an ancestor's.
	State string
	// Ready and Waits pick what has them set.
	Ready, Waits bool
	// UpdatedFrom and UpdatedTo (exclusive) bound the time of the last change,
	// in milliseconds since 1970.
	UpdatedFrom, UpdatedTo int64
	// After is the id to go on after, for pages; Limit how many, 0: 100; at
	// most 10,000.
	After string
	Limit int
}

// RecordQuery picks records of one namespace and session.
type RecordQuery struct {
	Namespace, Session string
	// From (inclusive) and To (exclusive) bound the keys; an empty To is no
	// bound.
	From, To string
	// Reverse starts with the highest key.
	Reverse bool
	// Search picks records whose Text contains all these words, without
	// regard to case; Session may then be "*" for all of the namespace.
	Search []string
	Limit  int // 0: 1,000
}
