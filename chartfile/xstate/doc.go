// Package xstate reads and writes charts as configurations of XState v5.
//
// [Read] makes a chart file of a JSON configuration: what XState writes in
// another way is understood, what it can say and Detent cannot is refused with
// its place and a hint, and what changes nothing is a warning. [JSON] is the
// way back, and [Module] writes JavaScript.
//
// # What JSON cannot hold
//
// In XState, guards, actions and delays are functions that a program adds to a
// configuration; the JSON has their names. [Read] asks Go code to register
// them, as a chart file's requires does. Or the root's meta says what they are,
// under the key detent, which XState carries and does not look into:
//
//	"meta": {"detent": {
//	  "guards":  {"canRetry": "attempts < 3"},
//	  "actions": {"count": {"assign": {"attempts": "${ attempts + 1 }"}}},
//	  "delays":  {"backoff": "${ attempts * 500 }", "patience": "30s"}
//	}}
//
// Guards and actions have the forms of a chart file there. A machine that is
// written so runs in Detent as it stands, and in XState with functions that do
// the same.
//
// Beside these, meta.detent of a state may hold the keys of a chart file that
// XState does not have, such as tools or warnAfter, and that of the root those
// of a whole chart, such as input or events. context and output are there for
// values that are computed, invoke for what a call has beyond XState: a list
// that goes along with the state's own, such as [{"timeout": "30s"}]. The key
// after, at the root, gives texts to names that stand in an after; requires lists
// names that only meta uses and Go registers; a transition of an after may have
// keep. [JSON] writes what it needs of this, and [Read] reads it again.
package xstate
