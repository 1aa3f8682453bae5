package main

// What the program prints is part of it.
func Example() {
	main()
	// Output:
	//    0:00.0  start                      -> Active.Planning
	//              calls model:default: Plan the collection for c-17
	//    0:00.9  done.invoke.planner        -> Active.Executing.ToolInvocation.AssembleMessage
	//              calls tool:letter.assemble {"customer":"c-17","plan":["letter","handshake"]}
	//    0:01.0  done.invoke.assemble       -> Active.Executing.ToolInvocation.Handshake
	//              calls tool:bank.handshake {"customer":"c-17","message":"Dear c-17"}
	//    0:01.2  error.invoke.handshake     -> Active.Executing.ToolInvocation.Retrying
	//    0:01.7  (timer)                    -> Active.Executing.ToolInvocation.Handshake
	//              calls tool:bank.handshake {"customer":"c-17","message":"Dear c-17"}
	//    0:01.9  error.invoke.handshake     -> Active.Executing.ToolInvocation.Retrying
	//    0:02.9  (timer)                    -> Active.Executing.ToolInvocation.Handshake
	//              calls tool:bank.handshake {"customer":"c-17","message":"Dear c-17"}
	//    0:03.1  error.invoke.handshake     -> Active.Executing.ToolInvocation.Retrying
	//            retry 3, last status 429, 400 ms of 1500 ms left
	//
	// The night begins, and the process is killed.
	//    0:04.2  SUSPEND                    -> Suspended
	// All that is left is a document of 827 bytes.
	//
	// Eight hours later, on another machine:
	// 8:00:00.0  RESUME                     -> Active.Executing.ToolInvocation.Retrying
	//            retry 3, last status 429, 400 ms of 1500 ms left
	//
	// 8:00:00.4  (timer)                    -> Active.Executing.ToolInvocation.Handshake
	//              calls tool:bank.handshake {"customer":"c-17","message":"Dear c-17"}
	// 8:00:00.6  done.invoke.handshake      -> Active.Executing.ToolInvocation.WaitingAck
	// 8:00:01.5  CALLBACK                   -> Active.CodeVerifying.SyntaxChecking
	//              calls tool:code.syntax {"code":"if False:\n  pass\n  output = {'pay': 1200}\noutput = True"}
	// 8:00:01.6  done.invoke.syntax         -> Active.CodeVerifying.SandboxRunning
	//              calls tool:code.sandbox {"code":"output = {'pay': 1200}","input":{"attempts":3,"customer":"c-17"}}
	// 8:00:01.9  done.invoke.sandbox        -> Completed
	//              the session is completed {"decision":{"pay":1200}}
}
