package main

// What the program prints is part of it.
func Example() {
	main()
	// Output:
	// you: detents
	//             analyzing
	//             searching
	//             searching
	//             searching
	//             generating
	//             responding
	// assistant: A detent is a catch that holds a mechanism in place.
	//             idle
	// you: the moon
	//             analyzing
	//             searching
	//             searching
	//             searching
	//             fallingBack
	//             responding
	// assistant: I am sorry, the search does not answer. Please try again later.
	//             idle
	//
	// The same, with the calls declared in the chart:
	//    0:00.0  start                      -> idle
	//    0:00.0  USER_INPUT                 -> analyzing
	//              calls model:intent: What does the user want? "detents"
	//    0:00.1  done.invoke.detector       -> searching
	//              by way of INTENT_DETECTED
	//              calls tool:search {"attempt":1,"query":"detents"}
	//    0:00.2  error.invoke.searcher      stays in searching
	//              by way of SEARCH_FAILED
	//              calls tool:search {"attempt":2,"query":"detents"}
	//    0:00.3  error.invoke.searcher      stays in searching
	//              by way of SEARCH_FAILED
	//              calls tool:search {"attempt":3,"query":"detents"}
	//    0:00.4  done.invoke.searcher       -> generating
	//              by way of SEARCH_COMPLETE
	//              calls model:writer: Answer "detents" from ["a catch that holds a mechanism in place"], or name a tool.
	//    0:00.5  done.invoke.writer         -> responding
	//              by way of GENERATION_COMPLETE
	//              calls tool:reply {"text":"A detent is a catch that holds a mechanism in place."}
	//    0:00.6  done.invoke.sender         -> idle
	//              by way of RESPONSE_SENT
	//    0:00.6  USER_INPUT                 -> analyzing
	//              calls model:intent: What does the user want? "the moon"
	//    0:00.7  done.invoke.detector       -> searching
	//              by way of INTENT_DETECTED
	//              calls tool:search {"attempt":1,"query":"the moon"}
	//    0:00.8  error.invoke.searcher      stays in searching
	//              by way of SEARCH_FAILED
	//              calls tool:search {"attempt":2,"query":"the moon"}
	//    0:00.9  error.invoke.searcher      stays in searching
	//              by way of SEARCH_FAILED
	//              calls tool:search {"attempt":3,"query":"the moon"}
	//    0:01.0  error.invoke.searcher      -> fallingBack
	//              by way of SEARCH_FAILED
	//    0:01.5  (timer)                    -> responding
	//              calls tool:reply {"text":"I am sorry, the search does not answer. Please try again later."}
	//    0:01.6  done.invoke.sender         -> idle
	//              by way of RESPONSE_SENT
	//
	// The same states were passed: true
}
