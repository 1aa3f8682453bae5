// Command detent checks, drives and converts statecharts from the terminal.
package main

import (
	"os"

	"github.com/detent-run/detent/internal/cli"
)

func main() {
	os.Exit(cli.Run(cli.System(), os.Args[1:]))
}
