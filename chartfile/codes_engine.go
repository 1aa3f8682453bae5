package chartfile

import "github.com/detent-run/detent/statechart"

// Why the codes of stores, engines and calls have no
// example: no chart file alone shows them.
const (
	aboutStores = "it is about a store, not about a chart."
	aboutCalls  = "it is how a call of a tool, a model or a person ended, not about a chart."
)

func engine(when When, code statechart.Code, title, meaning, remedy string) Explanation {
	return Explanation{Code: code, Title: title, When: when, Meaning: meaning, Remedy: remedy, NoExample: aboutStores}
}

// storeCodes are those of stores and of the engine that carries sessions. The
// packages durable and store/sqlite declare them.
var storeCodes = []Explanation{
	engine(Opening, "no_store", "there is no store of that name",
		"A command that only reads or asks was given a file that is not there. It does not make one.",
		"`detent run` makes a store. Otherwise name the right file with `--db`, or with `store` in the deployment file."),
	engine(Opening, "not_a_store", "the file is no store",
		"The file is empty, no SQLite database, or the database of another program. Nothing was changed.",
		"Name a file that Detent made. An empty file can be removed; a store is then made in its place."),
	engine(Opening, "store_newer", "the store was made by a newer Detent",
		"The format of the tables, or of what stands in them, is newer than this program can read. Nothing was changed, and an older program never guesses.",
		"Use the Detent that made the store, or a newer one."),
	engine(Opening, "network_file_system", "the store lies on a network file system",
		"Locks and syncs cannot be trusted there, so two owners at once and lost commits would be possible.",
		"Keep the store on a disk of the machine that runs the sessions. `detent backup` writes copies elsewhere."),
	engine(Opening, "sqlite_too_old", "the SQLite that was built in is too old",
		"Versions before 3.51.3 could lose commits when the log began anew.",
		"Build Detent with a newer modernc.org/sqlite."),
	engine(Opening, "store_unavailable", "the store cannot be opened",
		"The file, its folder or its lock cannot be opened, or the file system knows no locks.",
		"See that the folder exists, and who may read and write it and the file."),
	engine(Opening, "file_exists", "a file of that name is there already",
		"`detent backup` never writes over a file.",
		"Give another name, or remove the file first."),
	engine(Opening, "store_owned", "another process owns the store",
		"One process owns a store and carries its sessions. Others read it, and hand their events, answers and starts to the owner; what only the owner may do is refused.",
		"End the owner, or use a command that hands its request over. Where the deployment files differ, use the owner's."),
	engine(Opening, "damaged", "a row cannot be what was written",
		"What was read does not fit the rest: a page, a hash or a body was changed outside of Detent, or the disk lost it. The session is parked and the others go on; nothing is repaired by deleting.",
		"`detent doctor` and `detent verify ID` say where. Restore a backup, or remove the session with `detent delete ID`."),
	engine(Keeping, "store_failed", "the store failed, and the engine stopped",
		"The disk reported an error after which nothing can be trusted, such as that of a sync. Nothing more is acknowledged; what was acknowledged is stored.",
		"Look at the disk and at the system's log, then start again: the sessions go on where they were."),
	engine(Keeping, "disk_full", "the disk is full",
		"The commit was refused as a whole and nothing was changed. The sessions stand and go on as soon as there is space.",
		"Free some space, or run `detent compact --shrink`, and send again. A reader that keeps an old view open for long also keeps the log from being emptied."),
	engine(Keeping, "overload", "too much waits",
		"The event was refused before it was accepted: the queue of the session or of the whole engine is at its bound.",
		"Send again later, more slowly. The event's own id makes that safe."),
	engine(Keeping, "closed", "the engine is closing, or what makes the call was closed",
		"Nothing new is taken any more. As the failure of a call: the tool was closed while it ran.",
		"Start again; what was accepted is there."),
	engine(Keeping, "no_such_session", "there is no session of that id",
		"The store has no session of the id: it never had, or the session was deleted or compacted away.",
		"`detent ps` lists the sessions. Look whether `--db` names the right store."),
	engine(Keeping, "no_such_chart", "a chart is not there",
		"No chart of the id or digest is known: neither in the store, nor beside the chart that was named. A session whose own chart is gone is parked; as the failure of a call, `chart:ID` names no chart.",
		"Put the chart's file beside the one that is run, under its id, or name it; then `detent retry ID`."),
	engine(Keeping, "session_exists", "there is a session of that id already",
		"Another start has the id, with another chart or input.",
		"Go on with that session by `detent resume ID`, or give another `--id`."),
	engine(Keeping, "event_conflict", "one id of an event, two payloads",
		"An event's id stands for one event. The session knows the id with another name or payload.",
		"Give each event an id of its own, and send the very same event again only with the same id."),
	engine(Keeping, "wrong_status", "the session's status does not allow it",
		"For example a session that is over cannot be suspended, and one that is neither parked nor failed cannot be retried.",
		"`detent show ID` says its status."),
	engine(Keeping, "no_such_effect", "there is no such call",
		"Nothing of the id waits to be settled or answered in the session: it has ended, or was answered already.",
		"`detent show ID` lists the calls that are open, `detent pending` what waits for a person."),
	engine(Keeping, "answer_refused", "the answer does not fit the question",
		"Who answers may not, the answer is none of the choices or does not fit its schema, the time is over, or the arguments that were looked at are not those of the call.",
		"`detent pending ID` shows the question, who may answer it, and its digest."),
	engine(Keeping, "bad_id", "an id that cannot be kept",
		"An id is empty, too long, or holds characters that cannot be shown.",
		"Use letters, digits and `. _ - / :`."),
	engine(Keeping, "poison", "the session broke the engine's step",
		"A step of the session broke several times. The session is parked so that the others run on.",
		"This is a mistake in Detent or in Go code that the chart calls: report it with `detent export ID`. `detent retry ID` tries again."),
	engine(Keeping, "bad_export", "the document is no export",
		"The document that was to be taken in is not what `detent export` writes, was changed, or is of a newer format.",
		"Export the session again; do not edit the document."),
	engine(Keeping, "not_repeatable", "the call may not be made again unasked",
		"The call is `at_most_once` and nobody knows whether it happened. `retry` never repeats such a call.",
		"Find out what happened on the other side, then `detent settle ID CALL` with `--done JSON`, `--failed`, or `--again` if it may happen twice."),
	engine(Keeping, "suspended", "somebody suspended the session",
		"The session stands where it is and takes its events once it goes on.",
		"`detent resume ID` goes on with it."),
	engine(Keeping, "preempted", "a more important session needs the room",
		"The session gave way to one of a higher priority. The engine lets it go on by itself.",
		"Nothing; or raise its `--priority`, or the `concurrency` of what both wait for."),
}
