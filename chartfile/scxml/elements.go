package scxml

import "slices"

// rule says what may stand in an element.
type rule struct {
	attributes []string
	needs      []string // attributes that must be there
	children   []string
	tolerated  []string // children that the recommendation does not have here and that others take
	once       []string // children of which there is one at most
	text       bool     // text is its content
	anything   bool     // any XML, or any text, is its content
}

var (
	executable = []string{"raise", "if", "foreach", "log", "assign", "script", "send", "cancel"}
	stateNames = []string{"state", "parallel", "final", "history"}
)

// rules are the elements of SCXML, as the recommendation lists them.
var rules = map[string]rule{
	"scxml": {attributes: []string{"initial", "name", "version", "datamodel", "binding"},
		children: []string{"state", "parallel", "final", "datamodel", "script"}, tolerated: []string{"transition"}, once: []string{"datamodel"}},
	"state": {attributes: []string{"id", "initial"}, once: []string{"initial", "datamodel"},
		children: []string{"onentry", "onexit", "transition", "initial", "state", "parallel", "final", "history", "datamodel", "invoke"}},
	"parallel": {attributes: []string{"id"}, once: []string{"datamodel"},
		children: []string{"onentry", "onexit", "transition", "state", "parallel", "history", "datamodel", "invoke"}},
	"final":      {attributes: []string{"id"}, children: []string{"onentry", "onexit", "donedata"}, once: []string{"donedata"}},
	"history":    {attributes: []string{"id", "type"}, children: []string{"transition"}, once: []string{"transition"}},
	"initial":    {children: []string{"transition"}, once: []string{"transition"}},
	"transition": {attributes: []string{"event", "cond", "target", "type"}, children: executable},
	"onentry":    {children: executable},
	"onexit":     {children: executable},
	"finalize":   {children: executable},

	"raise":   {attributes: []string{"event"}, needs: []string{"event"}},
	"if":      {attributes: []string{"cond"}, needs: []string{"cond"}, children: slices.Concat(executable, []string{"elseif", "else"}), once: []string{"else"}},
	"elseif":  {attributes: []string{"cond"}, needs: []string{"cond"}},
	"else":    {},
	"foreach": {attributes: []string{"array", "item", "index"}, needs: []string{"array", "item"}, children: executable},
	"log":     {attributes: []string{"label", "expr"}},
	"assign":  {attributes: []string{"location", "expr"}, needs: []string{"location"}, anything: true},
	"script":  {attributes: []string{"src"}, text: true},
	"cancel":  {attributes: []string{"sendid", "sendidexpr"}},
	"send": {attributes: []string{"event", "eventexpr", "target", "targetexpr", "type", "typeexpr", "id", "idlocation", "delay", "delayexpr", "namelist"},
		children: []string{"content", "param"}, once: []string{"content"}},
	"invoke": {attributes: []string{"type", "typeexpr", "src", "srcexpr", "id", "idlocation", "namelist", "autoforward"},
		children: []string{"content", "param", "finalize"}, once: []string{"content", "finalize"}},

	"datamodel": {children: []string{"data"}},
	"data":      {attributes: []string{"id", "src", "expr"}, needs: []string{"id"}, anything: true},
	"donedata":  {children: []string{"content", "param"}, once: []string{"content"}},
	"content":   {attributes: []string{"expr"}, anything: true},
	"param":     {attributes: []string{"name", "expr", "location"}, needs: []string{"name"}},
}

// rivals are attributes of which an element has one at most.
var rivals = map[string][][2]string{
	"send":   {{"event", "eventexpr"}, {"target", "targetexpr"}, {"type", "typeexpr"}, {"id", "idlocation"}, {"delay", "delayexpr"}},
	"invoke": {{"type", "typeexpr"}, {"src", "srcexpr"}, {"id", "idlocation"}},
	"cancel": {{"sendid", "sendidexpr"}},
	"param":  {{"expr", "location"}},
	"data":   {{"src", "expr"}},
}

// holders lists, in the order of the alphabet, the elements that a child may
// stand in.
func holders(child string) []string {
	var out []string
	for name, r := range rules {
		if slices.Contains(r.children, child) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
