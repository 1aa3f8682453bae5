package handwritten

import "github.com/detent-run/detent/bench/internal/workload"

// Hooks are the functions of a machine, shared by its instances.
type Hooks struct {
	Guard       [3]func(*workload.Context) bool
	Act         [7]func(*workload.Context)
	Entry, Exit [6]func(*workload.Context)
}

// NewHooks returns the functions that the workloads use.
func NewHooks() *Hooks {
	h := &Hooks{Guard: [3]func(*workload.Context) bool{workload.HasTask, workload.HasPlan, workload.HasTool}}
	for i := range h.Act {
		h.Act[i] = workload.Act
	}
	for i := range h.Entry {
		h.Entry[i], h.Exit[i] = workload.Enter, workload.Exit
	}
	return h
}
