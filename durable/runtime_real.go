package durable

import (
	"context"
	"math/rand/v2"
	"time"
)

// RealRuntime returns the runtime of the process. This file is the only one
// of the package that may start a goroutine, read the clock or draw a number.
func RealRuntime() Runtime { return realRuntime{} }

type realRuntime struct{}

func (realRuntime) Now() int64            { return time.Now().UnixMilli() }
func (realRuntime) Go(_ string, f func()) { go f() }
func (realRuntime) Draw() uint64          { return rand.Uint64() }
func (realRuntime) Gate() Gate            { return make(realGate, 1) }

type realGate chan struct{}

func (g realGate) Open() {
	select {
	case g <- struct{}{}:
	default:
	}
}

// maxSleep bounds one wait for a time, in milliseconds, so that a clock that was set, or a
// machine that slept, is noticed soon.
const maxSleep = 1000

func (g realGate) Wait(ctx context.Context, until int64) error {
	if until == 0 {
		select {
		case <-g:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	for {
		left := until - time.Now().UnixMilli()
		if left <= 0 {
			return ErrTime
		}
		timer := time.NewTimer(time.Duration(min(left, maxSleep)) * time.Millisecond)
		select {
		case <-g:
			timer.Stop()
			return nil
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		case <-timer.C:
		}
	}
}
