package deployment_test

import (
	"os"
	"strings"
	"testing"

	"github.com/detent-run/detent/deployment"
)

// The page's example can be used.
func TestPageExample(t *testing.T) {
	page, err := os.ReadFile("../docs/deployment-file.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "```yaml\n")
	block, _, found := strings.Cut(block, "```")
	d := read(t, block, deployment.Options{})
	if got := strings.Join(d.Tools(), " "); !found || got != "bank.handshake calc" {
		t.Errorf("the example has the tools %q", got)
	}
}
