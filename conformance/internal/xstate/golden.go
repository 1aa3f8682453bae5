package xstate

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"

	"github.com/detent-run/detent/internal/chartgen"
)

// Golden is what XState made of one case, as it is committed, so that our
// side is checked against it where there is no node.
type Golden struct {
	Seed   uint64 `json:"seed"`
	Number uint64 `json:"number"`
	// Module is the digest of the module that was run, Script what was played
	// on it, as far as it was compared.
	Module string        `json:"module"`
	Script []chartgen.Op `json:"script"`
	// Steps hold of each observation the fields that are not as in the one
	// before.
	Steps []map[string]json.RawMessage `json:"steps"`
}

// NewGolden makes the golden of a case: of steps as many as our side
// compares.
func NewGolden(c Case, module []byte, steps []Observation) Golden {
	g := Golden{Seed: c.Seed, Number: c.Number, Module: Digest(module), Script: c.Script[:max(0, len(steps)-1)]}
	last := map[string]string{}
	for _, o := range steps {
		changed := map[string]json.RawMessage{}
		fields := o.Fields()
		for name, text := range fields {
			if last[name] != text {
				changed[name] = json.RawMessage(text)
			}
		}
		last = fields
		g.Steps = append(g.Steps, changed)
	}
	return g
}

// Case is the case again: the chart of its numbers and the committed script.
func (g Golden) Case() (Case, error) {
	c, _, err := New(g.Seed, g.Number)
	c.Script = g.Script
	return c, err
}

// Observations are the steps in full.
func (g Golden) Observations() ([]Observation, error) {
	var out []Observation
	all := map[string]json.RawMessage{}
	for _, changed := range g.Steps {
		maps.Copy(all, changed)
		text, err := json.Marshal(all)
		if err != nil {
			return nil, err
		}
		var o Observation
		if err := json.Unmarshal(text, &o); err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// Digest is the digest of a module.
func Digest(module []byte) string {
	h := sha256.Sum256(module)
	return hex.EncodeToString(h[:8])
}

// WriteGoldens writes goldens one a line.
func WriteGoldens(goldens []Golden) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for _, g := range goldens {
		if err := encoder.Encode(g); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// ReadGoldens reads what [WriteGoldens] wrote.
func ReadGoldens(r io.Reader) ([]Golden, error) {
	var out []Golden
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g Golden
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			return nil, fmt.Errorf("golden %d: %w", len(out)+1, err)
		}
		for i := range g.Script {
			g.Script[i].Data = integers(g.Script[i].Data)
		}
		out = append(out, g)
	}
	return out, lines.Err()
}

// integers makes integers of the numbers of a payload, which are no others.
func integers(v any) any {
	switch v := v.(type) {
	case float64:
		return int64(v)
	case map[string]any:
		for k := range v {
			v[k] = integers(v[k])
		}
	}
	return v
}
