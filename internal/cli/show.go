package cli

import (
	"bytes"
	"encoding/json"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
)

// showKeys are the members of show that are always there, in their order. What
// else is known of a session follows, by name.
var showKeys = []string{"session", "chart", "digest", "status", "sequence", "configuration", "data", "timers", "effects", "pending", "since"}

// shown is a session by the contract of show: JSON for people and programs.
func shown(v *durable.View) ([]byte, error) {
	text, err := host.Encode(v)
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	member := func(key string) {
		value, ok := all[key]
		delete(all, key)
		if !ok || string(value) == "null" {
			value = json.RawMessage("[]")
			if key == "data" {
				value = json.RawMessage("{}")
			}
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(key) // a text always can
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	for _, key := range showKeys {
		member(key)
	}
	for _, key := range sortedKeys(all) {
		if string(all[key]) != "null" {
			member(key)
		}
	}
	var out bytes.Buffer
	err = json.Indent(&out, []byte("{"+b.String()+"}"), "", "  ")
	return out.Bytes(), err
}
