package ecmascript

import (
	"encoding/json"
	"errors"

	"modernc.org/quickjs"
)

// forms are the texts that have to be well formed for a source to be what it
// is used as; the source takes the place between the two halves of each.
//
// What is whole in brackets of two sorts has none of its own to close, so what
// stands in parentheses then is one expression. No such text may be run before
// all of them were seen to be well formed: a source that closes the brackets
// of one would go on behind them.
var forms = map[sort][][2]string{
	checkValue:    {inBrackets, inParentheses},
	checkLocation: {inBrackets, inParentheses, {"(function (value) { \"use strict\"; (\n", "\n) = value; })"}},
	checkScript:   {{}},
}

var (
	inBrackets    = [2]string{"(function () { \"use strict\"; return [\n", "\n]; })"}
	inParentheses = [2]string{"(function () { \"use strict\"; return (\n", "\n); })"}
)

// check reports whether source is well formed. It compiles and runs nothing,
// so that the engine is as it was.
func (e *engine) check(s sort, source string) ([]byte, error) {
	for _, form := range forms[s] {
		_, err := e.vm.Compile(form[0]+source+form[1], quickjs.EvalGlobal)
		var js *quickjs.Error
		switch {
		case err == nil:
			continue
		case !errors.As(err, &js) || engineError(err) == errDeadline:
			return nil, engineError(err)
		}
		return json.Marshal(response{Error: js.Name + ": " + js.Message})
	}
	return []byte("{}"), nil
}
