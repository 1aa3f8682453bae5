package main

import (
	"testing"

	"github.com/detent-run/detent/charttest"
)

func TestTranscripts(t *testing.T) {
	chart, err := compile()
	if err != nil {
		t.Fatal(err)
	}
	charttest.Run(t, chart, "testdata/*.transcript", charttest.Options{})
}
