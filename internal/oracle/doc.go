// Package oracle is a second, slow, obvious interpreter of statecharts: the
// algorithm of W3C SCXML's Appendix D over sets of linked states, written to
// be read next to its pseudo-code. It shares only the data types of package
// statechart with the product and is what the product is compared with on
// random charts. Functions that are named as in Appendix D do what is said
// there; where the project's rules depart from it, a comment names the rule
// (R1 to R34 of the semantics).
//
// Where the rules leave room, these choices hold, for both interpreters:
//
//  1. A transition's domain is found once, when it is selected. What its
//     histories stand for is looked up again for the entry, after the exits
//     have recorded; leaving a parallel for its own history restores what was
//     just left (R16).
//  2. A local transition whose targets resolve to its source leaf alone exits
//     and enters nothing, also when another transition exits that leaf (R9).
//     Written with a target it is taken, never forbidden.
//  3. When the domain lies below the parent of a history that is the target,
//     nothing above the domain is entered (R16).
//  4. After every event that reached selection, whatever came of it, the
//     eventless transitions and the internal queue are exhausted (R5). Only
//     stale events, warnAfter and delayed sends to others end without that.
//  5. Candidates of one state and one rank stand in the order On, After, Every,
//     OnDone, then each Invoke's OnDone, OnError, OnUnknown, OnProgress; all but
//     On match exactly the one event, in both dialects (R6).
//  6. A set of forbidden transitions only is no microstep for an event; for
//     eventless transitions it is one, so that it runs into the bound (R29).
//  7. An event that would be kept while limits.deferred is reached is refused as
//     if it had never come. A kept event whose delivery passes a bound is not
//     kept any more. A look at kept events raises nothing and costs no fuel
//     (R32).
//  8. Only a selection that does something takes a kept event: a forbidden
//     transition does not (R32).
//  9. Events that are never kept (the engine's, internal ones) are not hidden
//     from the ancestors of a deferring state (R32).
//  10. unhandled: reject concerns events without a source; the engine's that
//     nothing takes are ignored (R34).
//  11. An event from outside that fails or parks the session does so at once;
//     the internal queue is dropped. Effects asked for so far stay (R21).
//  12. InitialActions of a history run where its parent is entered or restarted,
//     after the parent's own, with the parent's scope and path; not where the
//     parent merely stays active (R12).
//  13. A parallel root that is done outputs its own Output or nil; its status is
//     failed when an active final child of the root says so (R19).
//  14. A failing Output raises error.execution of kind data, then the done event
//     comes with nil. The arguments of a do that fail raise kind do and end
//     their block (R20, R21).
//  15. Start is taken, also when it ends the session. A start that fails leaves
//     no configuration, data, timers or calls.
//  16. Of an every, coalesce is next due at the first multiple after now, all at
//     the next multiple; skip is as coalesce, and a tick a whole period late or
//     more is stale (R27).
//  17. A history of a parallel without a default stands for all regions (R15).
//  18. A history keeps the scopes and timers of its parent and of every exited
//     state that restoring would enter, found when it is recorded (R33).
//  19. Cancel ends an active or a parked session; no bound holds for it, kept
//     events are warnings, and no end is reported (R25).
//  20. The warnings of kept events that end with their session do not count as
//     effects (R29): who keeps much could else never end.
//  21. In the scxml dialect every event is known, and the end of a call that is
//     gone is an event like any other.
package oracle
