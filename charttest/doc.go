// Package charttest tests charts. Its first piece are transcripts: text files
// that say what is done to a chart and what is seen, played by [Run] and
// rewritten by a flag. Their format is described by package transcript.
//
//	func TestDoor(t *testing.T) {
//		charttest.Run(t, chart, "testdata/*.transcript", charttest.Options{})
//	}
//
// A new transcript is written with a head and steps alone, then
//
//	go test . -charttest.update
//
// writes under each step what was seen. Read it before you believe it.
package charttest
