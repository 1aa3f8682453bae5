package document

import (
	"errors"

	"go.yaml.in/yaml/v4"
)

// errTooDeep stops the YAML library; its text comes back in a message.
var errTooDeep = errors.New("deeper than the limit")

// bounds limits how deep the YAML library goes, which counts brackets and
// indents apart. What it lets through is counted exactly afterwards.
type bounds struct{ depth int }

func (b bounds) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth > b.depth+1 {
		return errTooDeep
	}
	return nil
}

// CheckAlias is asked when aliases are expanded, which nobody does.
func (b bounds) CheckAlias(int, int) error { return nil }

// noAliases lets aliases stand as nodes without looking for what they name:
// each is refused, with its place.
type noAliases struct{}

func (noAliases) NewAliasDataContext(yaml.AliasDataServices) (yaml.AliasDataContext, error) {
	return noAliases{}, nil
}

func (noAliases) BeginDocument() error                  { return nil }
func (noAliases) DefineAnchor(string, *yaml.Node) error { return nil }
func (noAliases) EndDocument() error                    { return nil }

func (noAliases) ResolveAlias(string) (*yaml.Node, bool, error) {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str"}, true, nil
}
