package cli

import (
	"log/slog"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer/human"
	"github.com/detent-run/detent/performer/plan"
)

// performers are who makes the calls of a session.
func (a *app) performers(_ location, _ string) (host.Performers, string, *problem) {
	people := human.New()
	return host.Table{
		"human:*": {Performer: people, Traits: host.Traits{Mode: host.AtLeastOnce}},
		"model:*": {Performer: plan.New(), Traits: host.Traits{Mode: host.AtLeastOnce}},
	}, "", nil
}

// logger is where the engine logs.
func (a *app) logger(location) *slog.Logger { return nil }
