package durable

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// calm is a log whose panics are nobody's problem: what is stored goes on.
type calm struct{ slog.Handler }

// Handle is [slog.Handler.Handle].
func (c calm) Handle(ctx context.Context, r slog.Record) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the log panicked: %v", p)
		}
	}()
	return c.Handler.Handle(ctx, r)
}

// WithAttrs is [slog.Handler.WithAttrs].
func (c calm) WithAttrs(attrs []slog.Attr) slog.Handler { return calm{c.Handler.WithAttrs(attrs)} }

// WithGroup is [slog.Handler.WithGroup].
func (c calm) WithGroup(name string) slog.Handler { return calm{c.Handler.WithGroup(name)} }

// logRow logs a row once it is durable: every transition at level info,
// warnings and failures above it. Payloads are not logged.
func (e *Engine) logRow(session string, r *host.Record) {
	level := slog.LevelInfo
	switch {
	case r.Outcome == statechart.Failed.String() || r.Status == string(Failed) || r.Status == string(Parked):
		level = slog.LevelError
	case r.Outcome == statechart.Refused.String():
		level = slog.LevelWarn
	}
	ctx := context.Background()
	if e.log.Enabled(ctx, level) {
		attrs := []slog.Attr{slog.String("session", session), slog.String("event", r.Event), slog.String("outcome", r.Outcome),
			slog.String("from", strings.Join(r.From, " ")), slog.String("to", strings.Join(r.To, " ")),
			slog.Uint64("sequence", r.Sequence), slog.Int64("took", r.Took())}
		if r.Reason != nil {
			attrs = append(attrs, slog.String("reason", string(r.Reason.Code)))
		}
		e.log.LogAttrs(ctx, level, "step", attrs...)
	}
	for i := range r.Effects {
		f := &r.Effects[i]
		switch f.Type {
		case statechart.EffectWarn:
			text, _ := f.Data.(string)
			e.log.LogAttrs(ctx, slog.LevelWarn, text, slog.String("session", session), slog.String("state", f.State), slog.Uint64("sequence", r.Sequence))
		case statechart.EffectLog:
			e.log.LogAttrs(ctx, logLevel(f.Name), "log", slog.String("session", session), slog.String("state", f.State), slog.Any("value", f.Data), slog.Uint64("sequence", r.Sequence))
		}
	}
}

func logLevel(name string) slog.Level {
	switch name {
	case "debug":
		return slog.LevelDebug
	case "warn", "warning":
		return slog.LevelWarn
	case "error":
		return slog.LevelError
	}
	return slog.LevelInfo
}
