package main

// What the program prints is part of it.
func Example() {
	main()
	// Output:
	// planner: fixed, no model is configured
	//    0:00.0  start                      -> idle
	//    0:00.0  receive_task               ignored: no guard of a transition for the event holds
	//    0:00.0  receive_task               -> planning
	//              calls model:planner: Report on detents
	//
	// Plan it in steps of one tool each. Last result: null
	//    0:00.0  receive_task               deferred: the event is kept until a transition takes it
	//    0:00.8  done.invoke.planner        -> executing
	//              by way of plan_ready
	//              calls decide:executor {"lastResult":null,"step":{"input":"what is a detent","tool":"web_search"},"task":"Report on detents"}
	//    0:01.0  done.invoke.executor       -> waiting
	//              by way of call_tool
	//              calls tool:web_search what is a detent
	//    0:13.0  done.invoke.tool           -> executing
	//              by way of tool_result_received
	//              calls decide:executor {"lastResult":{"found":"a catch that holds a mechanism in place"},"step":{"input":"report.md","tool":"file_writer"},"task":"Report on detents"}
	//    0:13.2  done.invoke.executor       -> waiting
	//              by way of call_tool
	//              calls tool:file_writer report.md
	//    0:13.3  done.invoke.tool           -> executing
	//              by way of tool_result_received
	//              calls decide:executor {"lastResult":{"ok":true},"step":null,"task":"Report on detents"}
	//    0:13.5  done.invoke.executor       -> completed
	//              by way of finish_execution
	//
	// result: Report on detents: done in 2 of 2 steps
	//
	//    0:14.0  reset                      -> idle
	//    0:14.0  receive_task               -> planning
	//              calls model:planner: Then rest
	//
	// Plan it in steps of one tool each. Last result: null
}
