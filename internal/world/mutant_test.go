package world_test

import (
	"testing"

	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// Asked for by deliberate bugs (internal/mutants).

func TestMutantAnswersDueTogetherComeInTheOrderOfTheCalls(t *testing.T) {
	w := world.New(world.Options{Performers: map[string]world.Performer{"x": world.Always(world.Done(nil).In(10))}})
	begin(t, w, "s", compile(t, "calling", statechart.State{Name: "a", Invoke: []statechart.Invocation{{ID: "one", Src: "x"}, {ID: "two", Src: "x"}}}))
	must(t, w.Advance(10))
	wantRecords(t, w, 1,
		"s#2 done.invoke.one: ignored not_taken [a]",
		"s#3 done.invoke.two: ignored not_taken [a]")
}

func TestMutantNobodyReceivesForASessionThatIsOver(t *testing.T) {
	w := world.New(world.Options{})
	begin(t, w, "over", compile(t, "over", statechart.State{Name: "f", Type: statechart.Final}))
	begin(t, w, "s", compile(t, "sending", statechart.State{Name: "a", On: []statechart.Transition{
		on("go", "", statechart.Action{Send: "hello", To: "over"}), on("error.communication", "b")}}, statechart.State{Name: "b"}))
	send(t, w, "s", "go")
	must(t, w.Run())
	wantRecords(t, w, 2,
		"s#2 go: taken [a]",
		"s#3 error.communication: taken [b]")
}
