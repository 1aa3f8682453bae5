package cli

import (
	"path/filepath"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/deployment"
)

// checkedDeployment is a deployment file that was read for detent check.
type checkedDeployment struct {
	read  *deployment.Deployment // nil: something is wrong with it
	data  []byte
	found chartfile.Diagnostics
}

// checkedDeployments are those of one command line, by name: each is read once.
type checkedDeployments map[string]*checkedDeployment

// isDeployment tells a deployment file by its name.
func isDeployment(name string) bool { return filepath.Base(name) == deploymentName }

// file reads a deployment file, or gives what was read before.
func (all checkedDeployments) file(a *app, name string) *checkedDeployment {
	if d := all[name]; d != nil {
		return d
	}
	d := &checkedDeployment{}
	all[name] = d
	var err error
	if d.data, err = a.env.ReadFile(name); err != nil {
		d.found = chartfile.Diagnostics{{Code: chartfile.CodeUnreadable, Severity: chartfile.Error, File: name,
			Message: "the deployment file cannot be read: " + reason(err), Hint: "--config names another"}}
		return d
	}
	d.read, d.found = deployment.Read(name, d.data, deployment.Options{Dir: filepath.Dir(name)})
	return d
}

// chart checks a chart with the deployment file that detent run would take.
// Without any there is nothing to say.
func (all checkedDeployments) chart(a *app, config, name string, l *loaded) chartfile.Diagnostics {
	config = a.deploymentFile(&location{config: config}, name)
	if config == "" {
		return nil
	}
	d := all.file(a, config)
	if d.read == nil {
		return nil
	}
	return deployment.Check(&l.definition, d.read, l.place)
}
