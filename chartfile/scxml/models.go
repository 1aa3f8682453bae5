package scxml

import (
	"slices"
	"strings"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// The data models that are built in.
const (
	modelNull   = "null"
	modelDetent = "detent"
)

// nullModel has no values: conditions ask which states are active.
type nullModel struct{}

func (nullModel) Language(Details) statechart.Language { return nil }

func (nullModel) Globals() []string { return nil }

// detentModel is the language of chart files.
type detentModel struct{}

func (detentModel) Language(d Details) statechart.Language {
	return expression.Document{Name: d.Name, States: d.States}
}

func (detentModel) Globals() []string { return nil }

// find returns the data model of a name.
func (o *Options) find(name string) (DataModel, bool) {
	switch name {
	case modelNull:
		return nullModel{}, true
	case modelDetent:
		return detentModel{}, true
	}
	m, ok := o.DataModels[name]
	return m, ok && m != nil
}

// known lists the names of all data models.
func (o *Options) known() string {
	names := []string{modelNull, modelDetent}
	for name, m := range o.DataModels {
		if m != nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names[2:])
	return strings.Join(names, ", ")
}
