// Package protocol is a small model of how sessions are owned, stepped and
// made to act, and walks through every state that it can reach: two nodes, two
// events with an effect each, answers that are lost, leases that expire, nodes
// that crash. A bug of the model is a switch, so that the walk can show that it
// would notice.
package protocol

const (
	nodes  = 2
	events = 2
	items  = 2 * events // the events, then the results of their effects
)

// Mode is what may be done again when nobody knows whether it was done.
type Mode uint8

// The modes of an effect.
const (
	AtMostOnce Mode = iota
	AtLeastOnce
	Reconcile
)

// Bugs are what can be wrong with the protocol. The zero value is right.
type Bugs struct {
	NoFence     bool // a commit does not compare the epoch
	NoSequence  bool // a commit does not compare the sequence
	NoDedupe    bool // an event that is sent again stands twice
	ActFirst    bool // a call starts before its claim is committed
	Reclaim     bool // what an owner before claimed is done again, whatever the mode
	AckFirst    bool // the sender has its answer before the commit
	RandomIDs   bool // the result of an effect has a new id each time
	LooseEffect bool // the outbox row is written after the step, on its own
}

// Model is a protocol within bounds.
type Model struct {
	Mode Mode
	// Lock is ownership by a lock that ends with the process, as on one
	// machine. Without it there is a lease that expires while its holder
	// lives on.
	Lock bool
	Bugs Bugs
	// Crashes and Epochs bound the walk.
	Crashes, Epochs uint8
}

// stage is what a node is in the middle of.
type stage uint8

const (
	idle      stage = iota
	stepping        // has loaded the session and an item of its inbox
	claimed         // may call
	acted           // has called, and not said so
	asked           // knows what the other side said about an earlier call
	accepting       // has answered a sender, and not committed (a bug)
	loose           // has committed a step without its effect (a bug)
)

type node struct {
	stage stage
	epoch uint8 // 0: owns nothing, as far as it knows
	seq   uint8 // as loaded; of a node that asked, 1 if the call was found
	item  uint8
}

// outbox is the standing of an effect.
type outbox uint8

const (
	none outbox = iota
	pending
	taken
	asking
	done
	unknown
)

// state is everything: the rows of the store, the world outside, the clients
// and the memory of the nodes.
type state struct {
	epoch   uint8
	held    bool
	seq     uint8
	inbox   [items]uint8 // how often the item stands there
	applied [items]uint8 // how often it was taken
	out     [events]outbox
	calls   [events]uint8 // what really happened outside
	tries   [events]uint8
	acked   [events]bool
	node    [nodes]node
	crashes uint8
	lost    uint8 // answers to commits that were lost
}

func (s *state) owner(n int) bool { return s.node[n].epoch != 0 && s.node[n].epoch == s.epoch }
