package cli

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/detent-run/detent/deployment"
	"github.com/detent-run/detent/host"
)

// setup is how the engine of a command makes calls and where it logs.
type setup struct {
	performers host.Performers
	digest     string
	log        *slog.Logger
	calls      int
	eventBytes int
	fixed      bool // the fixed planner answers for models
	close      func()
}

// deploymentName is what a deployment file is called.
const deploymentName = "detent.yaml"

// setUp reads the deployment file: the one that is named, else the one beside
// the chart, else the one here. None is an
// empty one: calls reach people and the fixed planner.
func (a *app) setUp(p *location, chartName string) (*setup, *problem) {
	d, name, bad := a.deployment(p, chartName)
	if bad != nil {
		return nil, bad
	}
	folder := filepath.Dir(name)
	if name != deploymentName {
		p.config = name // for the command that goes on
	}
	log, files, bad := a.logger(d, folder)
	if bad != nil {
		d.Close()
		return nil, bad
	}
	return &setup{performers: d.Performers(), digest: d.Digest(), log: log, calls: d.Concurrency, eventBytes: d.EventBytes, fixed: d.FixedPlanner(), close: func() {
		d.Close()
		for _, f := range files {
			f.Close()
		}
	}}, nil
}

// deployment reads the deployment file and puts into p the store that it
// names. The name of the file is empty where there is none.
func (a *app) deployment(p *location, chartName string) (*deployment.Deployment, string, *problem) {
	name, data := a.deploymentFile(p, chartName), []byte("{}")
	if name != "" {
		var err error
		if data, err = a.env.ReadFile(name); err != nil {
			return nil, name, failure("the deployment file "+plain(name)+" cannot be read: "+reason(err), "--config names another")
		}
	}
	folder := filepath.Dir(name)
	d, found := deployment.Read(name, data, deployment.Options{Dir: folder})
	if d == nil || found.Errors() {
		showDiagnostics(a.err, a.warnings, data, found)
		return nil, name, failure("the deployment file "+plain(name)+" cannot be used", "mend what stands above")
	}
	if d.Store != "" && !p.given() {
		p.db, p.named = beside(folder, d.Store), true
	}
	return d, name, nil
}

// find puts into p the store that is meant: the one that --db names, the one
// of the deployment file, or the default.
func (a *app) find(p *location) *problem {
	if p.given() {
		return nil
	}
	d, _, bad := a.deployment(p, "")
	if bad != nil {
		return bad
	}
	d.Close()
	return nil
}

func beside(folder, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(folder, name)
}

// deploymentFile finds the file, "" if there is none.
func (a *app) deploymentFile(p *location, chartName string) string {
	if p.config != "" {
		return p.config
	}
	places := []string{deploymentName}
	if chartName != "" && chartName != "-" {
		places = []string{filepath.Join(filepath.Dir(chartName), deploymentName), deploymentName}
	}
	for _, name := range places {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
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
	var all []slog.Handler
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
	return slog.New(slog.NewMultiHandler(all...)), files, nil
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
