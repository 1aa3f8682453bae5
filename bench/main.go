// Command bench measures one step of a statechart in memory: Detent beside
// two Go libraries and a hand-written switch, all in one run, and compares
// the figures with Detent's targets. README.md says how it measures.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }
