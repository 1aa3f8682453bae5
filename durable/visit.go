package durable

import "context"

// Visited is what a [Store] can do besides that several processes can open:
// one owns it, the others read, and leave requests for the owner.
type Visited interface {
	// Ask leaves a request, durably. It needs no ownership.
	Ask(ctx context.Context, r Request) error
	// Answered returns the reply to a request; ok is false while there is
	// none.
	Answered(ctx context.Context, id string) (reply []byte, ok bool, err error)
	// Requests lists the requests that have no reply, oldest first; at most
	// limit. It is called often and must cost next to nothing, and write
	// nothing, when nothing was asked since the last call. Only the owner
	// calls it.
	Requests(ctx context.Context, limit int) ([]Request, error)
	// Reply stores the reply to a request. Replies are kept for a while, at
	// least until the owner changes, and the asker's read does not remove
	// them. Only the owner calls it.
	Reply(ctx context.Context, epoch uint64, id string, reply []byte) error
}

// Request is what another process asks of the owner.
type Request struct {
	ID   string
	Body []byte
}
