package host

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Retry is when a failed attempt is followed by another. The zero value: never.
type Retry struct {
	// Max counts retries after the first attempt; at most 1,000.
	Max int `json:"max,omitempty"`
	// Initial is the wait before the first retry, in milliseconds; default
	// 1,000. Factor multiplies it each time; default 2. MaxInterval bounds it;
	// default 5 minutes.
	Initial     int64   `json:"initial,omitempty"`
	Factor      float64 `json:"factor,omitempty"`
	MaxInterval int64   `json:"maxInterval,omitempty"`
	// Jitter is the share by which a wait may be longer, from 0 to 1. It is
	// derived from the key and the attempt, so it is the same again.
	Jitter float64 `json:"jitter,omitempty"`
	// On lists the codes to retry on; empty: all.
	On []string `json:"on,omitempty"`
}

const (
	defaultInitial     = 1000
	defaultFactor      = 2
	defaultMaxInterval = 5 * 60 * 1000
	maxRetries         = 1000
)

// Allows reports whether an attempt that ended with the failure may be
// followed by another; attempt counts from 1. Whether the mode allows it is
// the host's to say.
func (r Retry) Allows(attempt int, f *Failure) bool {
	if attempt > r.Max || f != nil && f.Final {
		return false
	}
	return len(r.On) == 0 || f != nil && slices.Contains(r.On, f.Code)
}

// Wait is the time before the attempt that follows the given one, which
// counts from 1, in milliseconds.
func (r Retry) Wait(key string, attempt int) int64 {
	initial, factor, most := r.Initial, r.Factor, r.MaxInterval
	if initial <= 0 {
		initial = defaultInitial
	}
	if factor < 1 {
		factor = defaultFactor
	}
	if most <= 0 {
		most = defaultMaxInterval
	}
	wait := float64(initial)
	for i := 1; i < attempt && wait < float64(most); i++ {
		wait *= factor
	}
	wait = min(wait, float64(most))
	if r.Jitter > 0 {
		sum := sha256.Sum256([]byte(key + "/" + strconv.Itoa(attempt)))
		share := float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
		wait += wait * min(r.Jitter, 1) * share
	}
	return int64(wait)
}

// ReadRetry reads a chart's retry object: max, initial, factor, maxInterval,
// jitter, on. Times are milliseconds or durations such as "500ms".
func ReadRetry(object map[string]any) (Retry, error) {
	var r Retry
	for name, v := range object {
		var err error
		switch name {
		case "max":
			var n int64
			n, err = whole(v)
			if err == nil && (n < 0 || n > maxRetries) {
				err = fmt.Errorf("0 to %d, not %d", maxRetries, n)
			}
			r.Max = int(n)
		case "initial":
			r.Initial, err = milliseconds(v)
		case "maxInterval":
			r.MaxInterval, err = milliseconds(v)
		case "factor":
			r.Factor, err = number(v)
		case "jitter":
			r.Jitter, err = number(v)
		case "on":
			r.On, err = texts(v)
		default:
			err = fmt.Errorf("there is no such field")
		}
		if err != nil {
			return Retry{}, fmt.Errorf("retry.%s: %w", name, err)
		}
	}
	return r, nil
}

func whole(v any) (int64, error) {
	if n, ok := v.(int64); ok {
		return n, nil
	}
	return 0, fmt.Errorf("must be a whole number")
}

func number(v any) (float64, error) {
	switch n := v.(type) {
	case int64:
		return float64(n), nil
	case float64:
		return n, nil
	}
	return 0, fmt.Errorf("must be a number")
}

func milliseconds(v any) (int64, error) {
	if text, ok := v.(string); ok {
		d, err := time.ParseDuration(text)
		if err != nil {
			return 0, fmt.Errorf("%q is no duration; write 500ms, 45s or 15m", text)
		}
		return d.Milliseconds(), nil
	}
	return whole(v)
}

func texts(v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("must be a list of codes")
	}
	out := make([]string, len(list))
	for i, e := range list {
		if out[i], ok = e.(string); !ok {
			return nil, fmt.Errorf("must be a list of codes")
		}
	}
	return out, nil
}
