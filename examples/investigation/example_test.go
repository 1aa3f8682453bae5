package main

// What the program prints is part of it.
func Example() {
	main()
	// Output:
	// model: a script, no model is configured
	//    0:00.0  start                      -> Planning
	//              calls decide:investigator: Make a plan to answer: Why is the door stuck?
	//              offered are PLAN_READY
	//    0:00.5  done.invoke.planner        -> InvestigationSuperState.DataGathering
	//              by way of PLAN_READY
	//              calls decide:investigator: Why is the door stuck? Plan: look, guess, test. Evidence: []
	//              offered are LOOK_UP, HYPOTHESIS
	//    0:01.0  done.invoke.gatherer       stays in InvestigationSuperState.DataGathering
	//              by way of LOOK_UP
	//              calls tool:search sticking doors
	//              offered are LOOK_UP, HYPOTHESIS
	//    0:01.5  done.do.lookup             stays in InvestigationSuperState.DataGathering
	//              evidence + doors stick when wood is damp, or when they are locked
	//              calls decide:investigator: Why is the door stuck? Plan: look, guess, test. Evidence: ["doors stick when wood is damp, or when they are locked"]
	//              offered are LOOK_UP, HYPOTHESIS
	//    0:02.0  done.invoke.gatherer       stays in InvestigationSuperState.DataGathering
	//              calls decide:investigator: Why is the door stuck? Plan: look, guess, test. Evidence: ["doors stick when wood is damp, or when they are locked"]
	//              turned down: CONFIRM is not offered here
	//              offered are LOOK_UP, HYPOTHESIS
	//    0:02.5  done.invoke.gatherer       -> InvestigationSuperState.HypothesisTesting.SyntaxChecking
	//              by way of HYPOTHESIS
	//              calls tool:syntax turn(key)
	//    0:03.0  done.invoke.syntax         -> InvestigationSuperState.HypothesisTesting.SandboxRunning
	//              calls tool:sandbox turn(key)
	//    0:03.5  done.invoke.sandbox        -> InvestigationSuperState.Reviewing
	//              calls decide:investigator: Why is the door stuck? Tested: [{"hypothesis":"it is locked","outcome":{"observed":"it was never locked"}}]
	//              offered are CONFIRM, REJECT, MORE_DATA, REPLAN
	//    0:04.0  done.invoke.reviewer       -> InvestigationSuperState.HypothesisTesting.SyntaxChecking
	//              by way of REJECT
	//              calls tool:syntax measure(wood)
	//    0:04.5  done.invoke.syntax         -> InvestigationSuperState.HypothesisTesting.SandboxRunning
	//              calls tool:sandbox measure(wood)
	//    0:05.0  done.invoke.sandbox        -> InvestigationSuperState.Reviewing
	//              calls decide:investigator: Why is the door stuck? Tested: [{"hypothesis":"it is locked","outcome":{"observed":"it was never locked"}},{"hypothesis":"it is damp","outcome":{"observed":"humidity 81 %"}}]
	//              offered are CONFIRM, REJECT, MORE_DATA, REPLAN
	//    0:05.5  done.invoke.reviewer       -> Completed
	//              by way of CONFIRM
	//              the session is completed {"conclusion":"the wood is damp","findings":[{"hypothesis":"it is locked","outcome":{"observed":"it was never locked"}},{"hypothesis":"it is damp","outcome":{"observed":"humidity 81 %"}}]}
}
