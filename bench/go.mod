module github.com/detent-run/detent/bench

go 1.26.0

require (
	github.com/looplab/fsm v1.0.3
	github.com/qmuntal/stateless v1.7.2
)

require (
	github.com/dop251/goja v0.0.0-20260917113740-793a2a65c13b
	github.com/expr-lang/expr v1.17.8
)

require (
	github.com/dlclark/regexp2/v2 v2.5.2 // indirect
	github.com/go-sourcemap/sourcemap v2.1.3+incompatible // indirect
	github.com/google/pprof v0.0.0-20261105003125-4bf881d7fb0b // indirect
	golang.org/x/text v0.44.0 // indirect
)
