package main

import (
	"testing"

	"github.com/detent-run/detent/charttest"
	"github.com/detent-run/detent/statechart"
)

func chart(t testing.TB) *statechart.Chart {
	t.Helper()
	c, err := compile()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTranscripts(t *testing.T) {
	charttest.Run(t, chart(t), "testdata/*.transcript", charttest.Options{})
}
