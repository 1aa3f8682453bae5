package main

import (
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/charttest"
	"github.com/detent-run/detent/examples/internal/pins"
	"github.com/detent-run/detent/statechart"
)

func chart(t testing.TB) *statechart.Chart {
	t.Helper()
	c, err := chartfile.Load("collections.yaml", file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTranscripts(t *testing.T) {
	charttest.Run(t, chart(t), "testdata/*.transcript", charttest.Options{})
}

// What the agent must do, and what shows that it does.
func TestEachLineIsShown(t *testing.T) {
	for _, loose := range pins.Loose([]pins.Line{
		{Text: "ABORT_TIMEOUT is declared once, on the root, and is obeyed from every leaf at every depth", Test: "TestAbortIsObeyedFromEveryLeaf"},
		{Text: "SUSPEND from any leaf under Active leads to Suspended; RESUME leads back to the very leaf, with every level's data as it was, also on another machine", Test: "TestSuspendAndResumeFromEveryLeaf"},
		{Text: "the snapshot of a suspended session is one self-contained JSON document", Test: "TestTheDocumentHoldsEverything"},
		{Text: "resuming from it takes less than one millisecond of the engine's own time", Test: "BenchmarkResume"},
		{Text: "killed in the third retry, it comes back in the third retry: the retry count, the last HTTP status and the backoff's remaining time are there; nothing restarts from Active, Executing or Planning", Transcript: "third-retry"},
		{Text: "data is scoped: what ToolInvocation records (attempts, last HTTP status, backoff) is its own and is not in the root's data; on leaving, only what is declared as promoted (the verified decision) merges into the parent, level by level", Transcript: "whole"},
		{Text: "entry is idempotent: the handshake with the bank is identified by a key that does not change over retries and crashes; re-entering WaitingAck after a crash finds the credential that is already there and does not shake hands again", Transcript: "handshake"},
		{Text: "killed between the call and the recording of its answer, the engine asks the bank by that key before it calls again", Real: "TestAgent2ShakesHandsOnce"},
		{Text: "a bank that cannot say (an error on the look-up) is never taken for a no", Transcript: "unknown"},
		{Text: "the same, with real programs that are killed, a copy of the store and an export that is taken in elsewhere", Real: "TestAgent2FromEveryLeaf"},
		{Text: "the same, killed twice in the third retry", Real: "TestAgent2KilledInTheThirdRetry"},
		{Text: "the same bank, real and killed beside", Real: "TestAgent2TheBankCannotSay"},
		{Text: "suspension can carry a reason and a time to wake", Transcript: "suspended"},
		{Text: "suspending frees what the session holds; a thousand suspended sessions cost nothing but rows in the store", Real: "TestAgent2AThousandSuspended"},
		{Text: "a higher-priority session can make the engine suspend a lower-priority one and resume it later", Real: "TestAgent2GivesWayToAMoreImportantSession"},
	}) {
		t.Error(loose)
	}
}
