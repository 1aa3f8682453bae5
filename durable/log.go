package durable

import (
	"context"
	"log/slog"
	"strings"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

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
