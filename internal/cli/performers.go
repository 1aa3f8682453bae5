package cli

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/detent-run/detent/deployment"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer/human"
	"github.com/detent-run/detent/performer/plan"
)

// setup is how the engine of a command makes calls and where it logs.
type setup struct {
	performers host.Performers
	digest     string
	log        *slog.Logger
	calls      int
	eventBytes int
	close      func()
}

// deploymentName is what a deployment file is called.
const deploymentName = "detent.yaml"

// setUp reads the deployment file: the one that is named, else the one beside
// the chart, else the one here. Without any, calls reach people and the fixed
// planner.
func (a *app) setUp(p *location, chartName string) (*setup, *problem) {
	own := host.Table{
		"human:*": {Performer: human.New(), Traits: host.Traits{Mode: host.AtLeastOnce}},
		"model:*": {Performer: plan.New(), Traits: host.Traits{Mode: host.AtLeastOnce}},
	}
	s := &setup{performers: own, close: func() {}}
	name, bad := a.deploymentFile(p, chartName)
	if name == "" || bad != nil {
		return s, bad
	}
	data, err := a.env.ReadFile(name)
	if err != nil {
		return nil, failure("the deployment file "+plain(name)+" cannot be read: "+reason(err), "--config names another")
	}
	folder := filepath.Dir(name)
	d, found := deployment.Read(name, data, deployment.Options{Dir: folder})
	if d == nil || found.Errors() {
		showDiagnostics(a.err, a.warnings, data, found)
		return nil, failure("the deployment file "+plain(name)+" cannot be used", "mend what stands above")
	}
	if d.Store != "" && p.db == defaultStore {
		p.db = beside(folder, d.Store)
	}
	s.performers, s.digest, s.calls, s.eventBytes = host.Chain(d.Performers(), own), d.Digest(), d.Concurrency, d.EventBytes
	log, files, bad := a.logger(d, folder)
	if bad != nil {
		d.Close()
		return nil, bad
	}
	s.log = log
	s.close = func() {
		d.Close()
		for _, f := range files {
			f.Close()
		}
	}
	return s, nil
}

func beside(folder, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(folder, name)
}

// deploymentFile finds the file, "" if there is none.
func (a *app) deploymentFile(p *location, chartName string) (string, *problem) {
	if p.config != "" {
		return p.config, nil
	}
	places := []string{deploymentName}
	if chartName != "" && chartName != "-" {
		places = []string{filepath.Join(filepath.Dir(chartName), deploymentName), deploymentName}
	}
	for _, name := range places {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return name, nil
		}
	}
	return "", nil
}

// logger opens agent.log and errors.log, where the deployment wants them.
func (a *app) logger(d *deployment.Deployment, folder string) (*slog.Logger, []io.Closer, *problem) {
	if d.LogDir == "" {
		return nil, nil, nil
	}
	dir := beside(folder, d.LogDir)
	level := slog.LevelInfo
	_ = level.UnmarshalText([]byte(d.LogLevel)) // the file was checked
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, failure("the folder of the logs cannot be made: "+reason(err), "log.dir in the deployment file says where it is")
	}
	var files []io.Closer
	var all bothLogs
	for _, f := range []struct {
		name  string
		level slog.Level
	}{{"agent.log", level}, {"errors.log", max(level, slog.LevelError)}} {
		file, err := os.OpenFile(filepath.Join(dir, f.name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			for _, open := range files {
				open.Close()
			}
			return nil, nil, failure("the log "+f.name+" cannot be opened: "+reason(err), "log.dir in the deployment file says where it is")
		}
		files = append(files, file)
		all = append(all, slog.NewJSONHandler(redacted{file, d}, &slog.HandlerOptions{Level: f.level}))
	}
	return slog.New(all), files, nil
}

// redacted writes lines in which no secret stands.
type redacted struct {
	to io.Writer
	d  *deployment.Deployment
}

// Write writes one line.
func (r redacted) Write(line []byte) (int, error) {
	if _, err := io.WriteString(r.to, r.d.Redact(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}

// bothLogs hands each line to every log that wants it.
type bothLogs []slog.Handler

// Enabled reports whether any log wants the level.
func (b bothLogs) Enabled(ctx context.Context, level slog.Level) bool {
	for _, h := range b {
		if h.Enabled(ctx, level) {
			return true
		}
	}
	return false
}

// Handle writes the line.
func (b bothLogs) Handle(ctx context.Context, r slog.Record) error {
	var first error
	for _, h := range b {
		if h.Enabled(ctx, r.Level) {
			if err := h.Handle(ctx, r.Clone()); err != nil && first == nil {
				first = err
			}
		}
	}
	return first
}

// WithAttrs is that of each log.
func (b bothLogs) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := make(bothLogs, len(b))
	for i, h := range b {
		out[i] = h.WithAttrs(attrs)
	}
	return out
}

// WithGroup is that of each log.
func (b bothLogs) WithGroup(name string) slog.Handler {
	out := make(bothLogs, len(b))
	for i, h := range b {
		out[i] = h.WithGroup(name)
	}
	return out
}
