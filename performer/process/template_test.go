package process_test

import (
	"github.com/detent-run/detent/performer/performertest"
)

type text = performertest.Text

const canary = performertest.Canary

var show, redact = performertest.Show, performertest.Redact
