package chartfile

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// KeyTable is the table of an object's keys for the documentation; false when
// there is no object of that name.
func KeyTable(name string) (string, bool) {
	keys, ok := tableKeys(name)
	if !ok {
		return "", false
	}
	var b strings.Builder
	b.WriteString("| key | value | meaning |\n|---|---|---|\n")
	for _, k := range keys {
		what := wanted(k.Type)
		switch {
		case k.Enum != nil && k.Type.Kind() == reflect.Slice:
			what = "a list of `" + strings.Join(k.Enum, "`, `") + "`"
		case k.Enum != nil:
			what = "`" + strings.Join(k.Enum, "`, `") + "`"
		case k.Type.Kind() == reflect.Slice && wanted(k.Type) == "a list":
			what = "a list"
		}
		if k.Required {
			what += "; required"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.Key, strings.ReplaceAll(what, "|", `\|`), strings.ReplaceAll(k.Doc, "|", `\|`))
	}
	return b.String(), true
}

func tableKeys(name string) ([]formatKey, bool) {
	only := func(object, without reflect.Type) []formatKey {
		return slices.DeleteFunc(slices.Clone(keysOf(object)), func(k formatKey) bool {
			return slices.ContainsFunc(keysOf(without), func(o formatKey) bool { return o.Key == k.Key && k.Key != "id" && k.Key != "description" })
		})
	}
	switch name {
	case "file":
		return only(reflect.TypeFor[fileObject](), reflect.TypeFor[stateObject]()), true
	case "timed":
		plain := reflect.TypeFor[transitionObject]()
		timed := slices.Concat(keysOf(reflect.TypeFor[timedTransitionObject]()), keysOf(reflect.TypeFor[repeatedTransitionObject]()))
		return slices.DeleteFunc(timed, func(k formatKey) bool {
			return slices.ContainsFunc(keysOf(plain), func(o formatKey) bool { return o.Key == k.Key })
		}), true
	}
	object, ok := map[string]reflect.Type{
		"state": reflect.TypeFor[stateObject](), "transition": reflect.TypeFor[transitionObject](), "promotion": reflect.TypeFor[promotionObject](),
		"event": reflect.TypeFor[eventObject](), "invocation": reflect.TypeFor[invocationObject](), "retry": reflect.TypeFor[retryObject](),
		"approval": reflect.TypeFor[approvalObject](), "requires": reflect.TypeFor[requiresObject](), "limits": reflect.TypeFor[limitsObject](),
		"budget": reflect.TypeFor[budgetObject](),
	}[name]
	if !ok {
		return nil, false
	}
	return keysOf(object), true
}
