package deployment

import (
	"errors"

	"github.com/detent-run/detent/statechart"
)

// readResult takes the value of an expression out of the instance that
// computed it.
func readResult(in *statechart.Instance) (any, error) {
	for _, variables := range in.Data() {
		if v, ok := variables["result__"]; ok {
			return v, nil
		}
	}
	return nil, errors.New("the expression gave nothing")
}
