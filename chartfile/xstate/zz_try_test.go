package xstate_test

import (
	"os"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/xstate"
)

func TestTry(t *testing.T) {
	for _, p := range []string{"hermes/hermes", "collections/collections", "hermes-skip/hermes-skip", "hermes-parallel/hermes-parallel", "investigation/investigation"} {
		b, _ := os.ReadFile("../../examples/" + p + ".yaml")
		f, _ := chartfile.Read(p, b)
		_, err := xstate.Module(f.Definition)
		t.Logf("%s:\n%v", p, err)
	}
}
