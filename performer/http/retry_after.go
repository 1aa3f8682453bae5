package http

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxWait bounds what a server may ask for.
const maxWait = 24 * time.Hour

// retryAfter is how long the server asks to wait; 0 if it does not. A date is
// taken against the server's own clock, so that ours need not agree with it.
func retryAfter(h http.Header) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return 0
	}
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return min(time.Duration(n)*time.Second, maxWait)
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxWait)
}
