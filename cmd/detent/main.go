// Command detent checks, drives and converts statecharts from the terminal.
package main

import (
	"os"

	"github.com/detent-run/detent/internal/cli"
	"github.com/detent-run/detent/performer/code"
)

func main() {
	code.Main() // in a child that runs code, this does not return
	os.Exit(cli.Run(cli.System(), os.Args[1:]))
}
