package deployment_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/detent-run/detent/deployment"
	"github.com/detent-run/detent/host"
)

// A process tool does what it says, in the folder that it is given.
func TestFirstChartMarks(t *testing.T) {
	data, err := os.ReadFile("testdata/mark.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	d := read(t, string(data), deployment.Options{Dir: dir})
	p, traits, _ := d.Performers().Find("tool:mark")
	out := p.Perform(context.Background(), host.Call{Key: "k", Input: map[string]any{"step": `one; touch two "$(x)"`}})
	got, _ := os.ReadFile(filepath.Join(dir, "marks.txt"))
	if out.Kind != host.KindDone || traits.Mode != host.AtMostOnce || string(got) != "one; touch two \"$(x)\"\n" {
		t.Errorf("%+v %+v left %q", out, out.Failure, got)
	}
}
