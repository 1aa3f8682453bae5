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
	//              calls model:intent {"results":0,"retryCount":0,"userInput":"detents"}
	//    0:00.1  done.invoke.analyzing      -> searching
	//              by way of INTENT_DETECTED
	//              calls tool:search {"results":0,"retryCount":1,"userInput":"detents"}
	//    0:00.2  done.invoke.searching      stays in searching
	//              by way of SEARCH_FAILED
	//              calls tool:search {"results":0,"retryCount":2,"userInput":"detents"}
	//    0:00.3  done.invoke.searching      stays in searching
	//              by way of SEARCH_FAILED
	//              calls tool:search {"results":0,"retryCount":3,"userInput":"detents"}
	//    0:00.4  done.invoke.searching      -> generating
	//              by way of SEARCH_COMPLETE
	//              calls model:writer {"results":1,"retryCount":0,"userInput":"detents"}
	//    0:00.5  done.invoke.generating     -> responding
	//              by way of GENERATION_COMPLETE
	//              calls tool:send {"results":1,"retryCount":0,"userInput":"detents"}
	//    0:00.6  done.invoke.responding     -> idle
	//              by way of RESPONSE_SENT
	//    0:00.6  USER_INPUT                 -> analyzing
	//              calls model:intent {"results":0,"retryCount":0,"userInput":"the moon"}
	//    0:00.7  done.invoke.analyzing      -> searching
	//              by way of INTENT_DETECTED
	//              calls tool:search {"results":0,"retryCount":1,"userInput":"the moon"}
	//    0:00.8  done.invoke.searching      stays in searching
	//              by way of SEARCH_FAILED
	//              calls tool:search {"results":0,"retryCount":2,"userInput":"the moon"}
	//    0:00.9  done.invoke.searching      stays in searching
	//              by way of SEARCH_FAILED
	//              calls tool:search {"results":0,"retryCount":3,"userInput":"the moon"}
	//    0:01.0  done.invoke.searching      -> fallingBack
	//              by way of SEARCH_FAILED
	//    0:01.5  (timer)                    -> responding
	//              calls tool:send {"results":0,"retryCount":3,"userInput":"the moon"}
	//    0:01.6  done.invoke.responding     -> idle
	//              by way of RESPONSE_SENT
	//
	// The same states were passed: true
}
