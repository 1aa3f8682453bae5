package houserules

import (
	"cmp"
	"fmt"
	"slices"
)

// The house budget.
const (
	functionP90Limit    = 40
	functionLimit       = 120
	fileP90Limit        = 500
	coreNamesLimit      = 80
	interfaceLimit      = 8
	mainDependencyLimit = 15
	percentileOfBudget  = 90
)

// figure is one measured thing: a function, a file, an interface.
type figure struct {
	name, where string
	size        int
}

// figures are sorted by size, smallest first.
type figures []figure

func (f figures) sort() figures {
	slices.SortFunc(f, func(a, b figure) int {
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.name, b.name))
	})
	return f
}

// percentile gives the size that p percent of the figures do not exceed.
func (f figures) percentile(p int) int {
	if len(f) == 0 {
		return 0
	}
	return f[(len(f)*p+99)/100-1].size
}

// largest gives the last figure, the zero figure when there is none.
func (f figures) largest() figure {
	if len(f) == 0 {
		return figure{}
	}
	return f[len(f)-1]
}

// over reports every figure above a limit.
func (f figures) over(limit int, unit string) []finding {
	var found []finding
	for _, one := range f {
		if one.size > limit {
			found = append(found, finding{one.name, one.where, fmt.Sprintf("has %d %s, the limit is %d", one.size, unit, limit)})
		}
	}
	return found
}

// String gives the figures as one line of the printed budget.
func (f figures) String() string {
	most := f.largest()
	return fmt.Sprintf("n %d, median %d, p90 %d, max %d (%s)", len(f), f.percentile(50), f.percentile(percentileOfBudget), most.size, most.name)
}
