package chartfile

import "github.com/detent-run/detent/statechart"

func call(code statechart.Code, title, meaning, remedy string) Explanation {
	return Explanation{Code: code, Title: title, When: Calling, Meaning: meaning, Remedy: remedy, NoExample: aboutCalls}
}

// callCodes are those with which outside calls fail or stay unknown. A guard
// sees them as `event.code`; a tool's `errors` in the deployment file can give
// others.
var callCodes = []Explanation{
	call("no_such_performer", "nobody makes such calls", "The deployment has no tool or model of the name, or does not grant it.", "Define it in `detent.yaml`, or add it to `grants`. `detent check CHART` lists all of them."),
	call("rejected", "a person said no", "A question or an approval was answered by no, with the comment that stands in the message; or nobody answered in time, and the default is no.", "Let the chart take `error.invoke.ID`."),
	call("expired", "nobody answered in time", "The `deadline` of a question without a default, or of an approval, is over.", "Give it a longer `deadline`, or let the chart take the error."),
	call("cancelled", "the call was taken back", "Its state was left, its session ended, or the call was cancelled before it ended.", "Nothing, where that was meant."),
	call("settled", "a person said that the call did not happen", "`detent settle ID CALL --failed` resolved a call whose outcome nobody saw.", "Nothing: who said so, and why, stands in the journal."),
	call("timeout", "the call took too long", "Its `timeout` ran out, or the other side did not answer in time. Whether it happened stands in the outcome.", "Give it more time, or `retry` it if it may be repeated."),
	call("heartbeat", "the call gave no sign of life", "It gave no news within its `heartbeat`.", "Give it a longer `heartbeat`, or see why it hangs."),
	call("panic", "what makes the call broke", "The performer panicked. Nobody knows whether the call happened.", "This is a mistake in its Go code; the log has where."),
	call("lost", "the process ended during the call", "The process that made the call ended before its outcome was stored. An `at_most_once` call is not repeated.", "Find out what happened, then `detent settle`; or give the tool a key and a `lookup`, so that Detent can ask."),
	call("unclear", "the look-up did not find out", "The other side was asked by the call's key and could not say whether it happened.", "Look there yourself, then `detent settle`; or mend the tool's `lookup`."),
	call("absent", "the call did not happen", "The other side was asked by the call's key and does not know it.", "Nothing: it is safe to make it again."),
	call("imported", "the session was moved during the call", "The session was exported and imported while the call ran.", "Find out what happened, then `detent settle`."),
	call("bad_outcome", "the outcome is none", "The performer gave an outcome of no kind.", "This is a mistake in its Go code."),
	call("bad_retry", "the call's retry cannot be used", "A computed `retry` is no object of the right form.", "Correct the expression in the chart."),
	call("key_conflict", "the key belongs to another call", "A call with the same declared key and another input was made before.", "Make the key of everything in which calls differ."),
	call("too_much", "the call asks for too much", "One outcome asked for more further calls, or keeps more data, than is allowed.", "Ask for less at a time."),
	call("too_deep", "sessions are nested too deep", "A `chart:` call would start a session deeper than sessions may be nested, or its id would be too long.", "Let the chart not call itself without an end."),
	call("store", "the input could not be read back", "The store could not give what the call needs.", "See `detent doctor`."),
	call("bad_output", "the output cannot be used", "The call happened, and what came back is not what the tool's `stdout` or `output` says.", "Correct the tool in `detent.yaml`, or what it calls."),
	call("rate_limited", "the other side asks to slow down", "The server answered 429; the call was not executed. `retry` waits at least as long as the server says.", "Give the call a `retry`, or the tool a smaller `concurrency`."),
	call("unavailable", "the other side is not available", "The server answered 503. Nobody knows whether the call happened, unless the tool's `errors` say.", "Give the call a `retry` if it may be repeated, or say `executed: no` in the tool's `errors`."),
	call("http_N", "the server answered with a status that is no success", "The number is the status, as in `http_404`. A 4xx was not executed; of others nobody knows.", "Give the status a meaning in the tool's `errors`."),
	call("address_denied", "the address may not be called", "The name leads to an address that is not public, or an address that may not be called, and the deployment does not allow it.", "Add `host:port` to `network.allow`, if it is meant."),
	call("redirect_refused", "the answer points elsewhere", "There were more redirects than allowed, or one leads where calls may not go.", "Call the right address at once, or raise the tool's `redirects`."),
	call("no_such_host", "the name cannot be looked up", "No address is known for the host of the tool's `url`.", "Look at the spelling, and at the network."),
	call("connection_refused", "nobody listens there", "The host refuses connections on the port. The call was not executed.", "Start the service, or correct the `url`."),
	call("connection_lost", "the connection was lost", "The call was sent and no answer came. Nobody knows whether it happened.", "Give the tool a `lookup`, so that Detent can ask."),
	call("unreachable", "no connection can be made", "The call was not executed.", "Look at the network and at the `url`."),
	call("tls", "no trusted connection can be made", "The certificate is not trusted, or the other side speaks no TLS.", "Correct the certificate or the `url`."),
	call("no_such_program", "there is no such program", "The first of `argv` is no program that can be run.", "Install it, or give its full path; `PATH` is that of Detent."),
	call("not_started", "the program cannot be started", "The system did not start it.", "The message says why."),
	call("exit_N", "the program ended with an error", "The number is the exit code, as in `exit_2`; the message has the end of what it wrote to standard error. Nobody knows whether it did its work, unless the tool's `errors` say.", "Give the exit code a meaning in the tool's `errors`."),
	call("signal", "the program was ended by a signal", "Something killed it, such as the system for want of memory. Nobody knows what it did.", "See what ended it, then `detent settle`."),
	call("not_found", "the file is not there", "The path names nothing under the tool's root.", "Look at the path; it begins at the tool's `root`."),
	call("not_a_file", "the path is no plain file", "It names a directory, a device or a pipe; or something is to be written to a link.", "Name a file; of a link, the file that it leads to."),
	call("not_a_directory", "a path leads through a file", "A step of the path is a file where a directory must be.", "Correct the path."),
	call("outside", "a path leads out of the tool's root", "A file tool reaches only what is below its `root`, also by links.", "Correct the path, or the tool's `root`."),
	call("no_space", "there is no space left", "The disk is full; the file was not changed.", "Free some space."),
	call("io", "the file cannot be read or written", "The system reports another error, which the message names.", "Look at the disk and the file's permissions."),
	call("failed", "the program failed", "A program in Starlark ended with an error; the message has the line.", "Correct the program."),
	call("no_output", "the program gave no output", "A program in Starlark gave nothing that can be an output.", "Let it define `main(input)`, set `output`, or print."),
	call("steps", "the program takes too many steps", "It took more than the tool's `steps`.", "Let it do less, or raise `steps`."),
	call("memory", "the program needs too much memory", "It needed more than the tool's `memory`.", "Let it keep less, or raise `memory`."),
	call("deadline", "the program ran too long", "It ran longer than the tool's `deadline`.", "Let it do less, or raise `deadline`."),
	call("crashed", "the program broke its process", "The child process in which code runs ended without an answer.", "Look at the program; report it if it happens again."),
	call("no_main", "the program cannot run code", "Code runs in a child of the same program, which must call `code.Main` first thing in its `main`. `detent` does.", "Call it in your own program."),
	call("no_choice", "the planner finds no choice", "The fixed planner, which decides where no model is configured, knows `call_tool` and `finish_execution` only, and the call offers neither of what it would choose.", "Offer those, or let Go code or a person decide."),
}
