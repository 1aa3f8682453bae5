// Package transcript reads and plays transcripts: text files that say what is
// done to a chart, and under each step what is seen. Tests use it through
// package charttest; programs that play transcripts use it directly. It
// starts no test and imports no test library.
//
//	# Pins down that a door that is locked says why it stays closed.
//
//	context {"locked": true}
//
//	start
//	  detent.init: taken
//	    in closed
//
//	send open
//	  open: ignored (guard_false)
//
// A file begins with a head: lines with # that say what it pins down. A line
// that starts in the first column is a step; the indented lines under it are
// what is expected, one macrostep after the other, each with one line for
// each thing that it changed or asked for. Comments may stand before any
// step. Only the words of an expected line count, not how far it is indented.
//
// # Steps
//
//	start [INPUT]            start the session
//	context DATA             the typed context to start with, before start
//	send EVENT [DATA]        an event, and all that follows at once
//	queue EVENT [DATA]       an event that waits: the next step comes behind it
//	as SENDER                who sends the events that follow: client (to begin
//	                         with), model, human, session or tool
//	advance DURATION         let time pass: 500ms, 45s, 15m, 30d
//	advance next             let time pass until the next timer is due
//	done ID [DATA]           answer the open call of that id with its output,
//	error ID [DATA]          with an error,
//	unknown ID [DATA]        with an outcome that nobody saw,
//	progress ID [DATA]       or with news of a call that goes on
//	restore                  write the session as a document, forget it, read
//	                         it back; and show what the document holds
//	show                     show what the session holds
//	why EVENT [DATA]         what the event would do now, and why not more
//	events                   what could be taken now
//
// DATA and INPUT are JSON: a number with a point or an exponent is a float64,
// any other an int64. A step for another session than "main" begins with @ID;
// sessions that a call starts are named after it, as in "@main/call/1".
//
// # Expected lines
//
// A macrostep is EVENT: OUTCOME (CODE), with "at TIME" where time passed. The
// lines below it are, in this order and only where there is something to say:
//
//	in STATE ...             the active leaves, when they changed
//	invoke ID SRC INPUT      effects, in the order in which they were asked
//	                         for: invoke, do, stop, send, timer, append,
//	                         emit, log, warn, end
//	timer NAME in DURATION   a timer is armed; "timer NAME off" takes it back
//	set NAME = VALUE         a variable that changed, after the path of its
//	                         state; the fields of a typed context alike. A
//	                         new one that is empty (null, 0, "") is not told
//	drop STATE               its variables are gone
//	status failed (CODE)     when it is another and no end effect says so
//
// A step after which nothing happens expects the line "nothing".
//
// # What is checked besides
//
// Every macrostep is made twice: by an [statechart.Instance] that runs on,
// and by the pure [statechart.Step] from a snapshot that was written as a
// document and read back. When they differ in outcome, configuration, data,
// timers or effects, playing fails, whatever the transcript expects (R31).
package transcript
