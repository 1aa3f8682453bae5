package pins_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/detent-run/detent/examples/internal/pins"
)

func TestLoose(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	for name, text := range map[string]string{
		"testdata/told.transcript":       "# Pins down that \"it\n# rains\".\n\nstart\n",
		"testdata/mute.transcript":       "start\n",
		"testdata/below/deep.transcript": "# Pins down \"more\".\n",
		"a_test.go":                      "package a\n\nfunc TestIt(t *testing.T) {}\n",
	} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := pins.Loose([]pins.Line{
		{Text: "it rains", Transcript: "told"},
		{Text: "more", Transcript: "below/deep"},
		{Text: "it is tested", Test: "TestIt"},
		{Text: "it comes later", Waits: "spring"},
		{Text: "it snows", Transcript: "told"},
		{Text: "it hails", Transcript: "gone"},
		{Text: "it thunders", Test: "TestThunder"},
		{Text: "it freezes", Real: "TestFrost"},
		{Text: "nothing"},
		{Text: "both", Test: "TestIt", Waits: "spring"},
	})
	want := []string{
		`the head of testdata/told.transcript does not quote "it snows"`,
		`the head of testdata/gone.transcript does not quote "it hails"`,
		`"it thunders" is to be shown by TestThunder, which is no test here`,
		`"it freezes" is to be shown by TestFrost, which is no test of cmd/detent`,
		`"nothing" needs a transcript, a test or a reason, and one only`,
		`"both" needs a transcript, a test or a reason, and one only`,
		`the head of testdata/mute.transcript does not say what it pins down`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("loose are\n%q\nwant\n%q", got, want)
	}
}
