package chartfile_test

import (
	"flag"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/chartgen"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

var (
	chartsFlag = flag.Int("charts", 400, "how many random charts TestRandomCharts writes, reads and plays")
	seedFlag   = flag.Uint64("seed", 1, "the seed of the random charts")
)

// A random chart, its expressions put into the language of files, is written,
// read and compiled. What was read is what was written, and every event of its
// script does the same as in the chart that never was a file.
func TestRandomCharts(t *testing.T) {
	n := *chartsFlag
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // many small charts, little memory
	numbers := make(chan uint64)
	var workers sync.WaitGroup
	var written, refused, steps atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for number := range numbers {
				c := chartgen.ForFile(chartgen.New(*seedFlag, number))
				chart, err := statechart.Compile(c.Definition, chartgen.Registry(c.Typed))
				if err != nil { // what it lost as a file made it illegal
					refused.Add(1)
					continue
				}
				steps.Add(int64(roundTrip(t, c, chart)))
				written.Add(1)
			}
		})
	}
	for number := uint64(0); written.Load() < int64(n) && !t.Failed(); number++ {
		numbers <- number
	}
	close(numbers)
	workers.Wait()
	if refused.Load()*20 > int64(n) {
		t.Errorf("%d charts beside %d could not be made into files", refused.Load(), n)
	}
	t.Logf("seed %d: %d charts written and read as YAML and JSON, %d macrosteps alike", *seedFlag, written.Load(), steps.Load())
}

// roundTrip takes a case through both formats and returns how many macrosteps
// were compared.
func roundTrip(t *testing.T, c chartgen.Case, chart *statechart.Chart) int {
	t.Helper()
	def := chartgen.Rendered(c)
	steps := 0
	for _, f := range []struct {
		name   string
		format document.Format
	}{{"chart.yaml", chartfile.YAML}, {"chart.json", chartfile.JSON}} {
		text, err := chartfile.Write(def, f.format)
		if err != nil {
			t.Errorf("seed %d chart %d: %v", c.Seed, c.Number, err)
			return 0
		}
		file := readBack(t, f.name, text)
		if file == nil {
			t.Errorf("of seed %d chart %d", c.Seed, c.Number)
			return 0
		}
		if got, want := normal(file.Definition), normal(def); !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d chart %d, as %s:\n%s\nis read as\n%s\nnot as\n%s", c.Seed, c.Number, f.name, text, chartgen.JSON(got), chartgen.JSON(want))
			return 0
		}
		if again, err := chartfile.Write(file.Definition, f.format); err != nil || string(again) != string(text) {
			t.Errorf("seed %d chart %d, written again: %v\n%s\nbefore\n%s", c.Seed, c.Number, err, again, text)
		}
		if f.format == chartfile.YAML {
			steps = sameRuns(t, c, chart, file, text)
		}
	}
	return steps
}

func readBack(t *testing.T, name string, text []byte) *chartfile.File {
	t.Helper()
	file, found := chartfile.Read(name, text)
	if len(found) > 0 {
		t.Errorf("%v\nin\n%s", found, text)
		return nil
	}
	return file
}

// sameRuns plays the script on both charts.
func sameRuns(t *testing.T, c chartgen.Case, chart *statechart.Chart, file *chartfile.File, text []byte) int {
	t.Helper()
	registry := chartfile.Behaviour()
	chartgen.Register(registry, c.Typed)
	fromFile, found := file.Compile(registry)
	if len(found) > 0 {
		t.Errorf("seed %d chart %d: %v\nin\n%s", c.Seed, c.Number, found, text)
		return 0
	}
	if c.Number%8 == 0 {
		direct, err := statechart.Compile(normal(chartgen.Rendered(c)), registry)
		if err != nil || direct.Digest() != fromFile.Digest() {
			t.Errorf("seed %d chart %d has another digest as a file: %v\n%s", c.Seed, c.Number, err, text)
		}
	}
	want, got := chartgen.Play(chart, c), chartgen.Play(fromFile, c)
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Errorf("seed %d chart %d, step %d:\n%s\nfrom the file\n%s\nof\n%s", c.Seed, c.Number, i, want[i], strings.Join(got[i:min(i+1, len(got))], ""), text)
			return i
		}
	}
	return len(want)
}

// normal brings what means the same to one form: empty lists to nil, and what
// the root says of the chart to where a file says it.
func normal(d statechart.Definition) statechart.Definition {
	if d.Description == "" {
		d.Description = d.Root.Description
	}
	d.Root.Name, d.Root.ID, d.Root.Description = "", "", ""
	return trimmed(reflect.ValueOf(d)).Interface().(statechart.Definition)
}

func trimmed(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(trimmed(v.Field(i)))
		}
	case reflect.Slice:
		if v.Len() == 0 {
			return reflect.Zero(v.Type())
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(trimmed(v.Index(i)))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(trimmed(v.Elem()))
		}
	}
	return out
}
