module github.com/detent-run/detent/bench

go 1.26.0

require (
	github.com/looplab/fsm v1.0.3
	github.com/qmuntal/stateless v1.7.2
)

require github.com/expr-lang/expr v1.17.8
