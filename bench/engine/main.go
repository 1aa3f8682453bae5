// Command engine measures what one durable event costs: Detent's engine beside
// a bare write of the same rows and beside DBOS Transact, all in one run.
// docs/benchmarks.md says what is measured and how.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }
