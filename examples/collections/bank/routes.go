package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// maxBody bounds what one request may hold, in bytes.
const maxBody = 64 << 10

var errOtherCustomer = errors.New("the key belongs to another customer")

func (b *Bank) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /handshakes", b.postHandshake)
	mux.HandleFunc("GET /handshakes/{key}", b.getHandshake)
	mux.HandleFunc("GET /mood", func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, b.Mood()) })
	mux.HandleFunc("PUT /mood", b.putMood)
	return http.MaxBytesHandler(mux, maxBody)
}

// order is what a client sends for a handshake.
type order struct {
	Customer string `json:"customer"`
	Message  any    `json:"message"`
	Session  string `json:"session"` // whom the callback is for
}

func (b *Bank) postHandshake(w http.ResponseWriter, r *http.Request) {
	key := r.Header.Get("Idempotency-Key")
	if !plain(key) {
		refuse(w, http.StatusBadRequest, "the header Idempotency-Key must have 1 to 200 plain characters")
		return
	}
	var o order
	if !body(w, r, &o) {
		return
	}
	if !plain(o.Customer) {
		refuse(w, http.StatusBadRequest, "customer must have 1 to 200 plain characters")
		return
	}
	switch limited, err := b.limited(key); {
	case err != nil:
		b.fail(w, err)
		return
	case limited:
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusTooManyRequests, "too many handshakes; come again in a second")
		return
	}
	if b.hold(r.Context(), "before") != nil {
		panic(http.ErrAbortHandler)
	}
	h, first, err := b.shake(key, Handshake{Customer: o.Customer, Session: o.Session})
	switch {
	case errors.Is(err, errOtherCustomer):
		refuse(w, http.StatusConflict, err.Error())
		return
	case err != nil:
		b.fail(w, err)
		return
	}
	if first && b.tell != nil && h.Session != "" {
		b.tell(key, h)
	}
	if b.hold(r.Context(), "after") != nil {
		panic(http.ErrAbortHandler)
	}
	switch lost, err := b.loses(key); {
	case err != nil:
		b.fail(w, err)
	case lost:
		panic(http.ErrAbortHandler) // closes the connection
	default:
		reply(w, http.StatusOK, h)
	}
}

func (b *Bank) getHandshake(w http.ResponseWriter, r *http.Request) {
	h, status, err := b.find(r.PathValue("key"))
	switch {
	case err != nil:
		b.fail(w, err)
	case status == http.StatusOK:
		reply(w, status, h)
	case status == http.StatusNotFound:
		refuse(w, status, "there was no handshake under this key")
	default:
		refuse(w, status, "the archive is closed; whether there was a handshake cannot be said")
	}
}

func (b *Bank) putMood(w http.ResponseWriter, r *http.Request) {
	var m Mood
	if !body(w, r, &m) {
		return
	}
	if m.Limit < 0 || m.Lose < 0 || m.Hold != "" && m.Hold != "before" && m.Hold != "after" {
		refuse(w, http.StatusBadRequest, `limit and lose are 0 or more, hold is "", "before" or "after"`)
		return
	}
	b.SetMood(m)
	reply(w, http.StatusOK, m)
}

// fail ends a request whose line could not be recorded: nothing may be said
// that the record does not have.
func (b *Bank) fail(w http.ResponseWriter, err error) {
	b.log.Error("the record cannot be written", "problem", err)
	refuse(w, http.StatusInternalServerError, "the bank's record cannot be written")
}

// body reads a request's JSON object, and answers if it is none.
func body(w http.ResponseWriter, r *http.Request, into any) bool {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(into)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		refuse(w, http.StatusRequestEntityTooLarge, "the body is too large")
	case err != nil:
		refuse(w, http.StatusBadRequest, "the body must be a JSON object with known fields")
	default:
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return true
		}
		refuse(w, http.StatusBadRequest, "something stands behind the JSON object")
	}
	return false
}

// plain reports whether a text can stand in headers, paths and records.
func plain(text string) bool {
	strange := func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`/\"`, c) }
	return text != "" && len(text) <= 200 && !strings.ContainsFunc(text, strange)
}

func refuse(w http.ResponseWriter, status int, why string) {
	reply(w, status, map[string]string{"error": why})
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // who has gone hears nothing
}
