package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// marker is the variable of the environment that makes a process a child.
const marker = "DETENT_SANDBOX"

// protocol is what both sides must speak.
const protocol = 1

// hello is the first message, of the parent: what the child is to be.
type hello struct {
	Protocol int
	Limits   Limits
}

// greeting is the child's answer: what it is, or why not.
type greeting struct {
	Protocol int
	Name     string
	Held     []string // the bounds that hold
	Error    string
}

// mains are the names that Main was called with.
var mains sync.Map

// Main lets the running program be its own child process for the [Child]ren
// of that name. In such a child it confines the process, answers requests with
// what handle makes of them, and never returns. In every other process it
// returns at once. Call it first thing in main, and in TestMain: what runs
// before it runs in each child, too, without bounds.
//
// Requests come one at a time. A panic of handle ends the child. What it
// prints is not shown.
func Main(name string, handle func(request []byte) (response []byte)) {
	mains.Store(name, true)
	if os.Getenv(marker) != name {
		return
	}
	in, out := os.Stdin, os.Stdout
	os.Stdin, os.Stdout = nil, os.Stderr // the messages' alone
	if err := serve(name, in, out, handle); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve answers requests until there are no more.
func serve(name string, in io.Reader, out io.Writer, handle func([]byte) []byte) error {
	limits, err := greet(name, in, out)
	if err != nil {
		return err
	}
	requests := make(chan []byte)
	go receive(in, limits.Request, requests)
	for request := range requests {
		response := handle(request)
		mark := byte(markResponse)
		if left() < 2*limits.Deadline+time.Second {
			mark = markLast
		}
		if err := writeFrame(out, mark, response); err != nil {
			return err
		}
	}
	return nil
}

// receive reads requests. It does not wait for the answers, so that it sees
// the end of the parent also while one is being made, and then ends the
// process.
func receive(in io.Reader, limit int, requests chan<- []byte) {
	for {
		mark, request, err := readFrame(in, limit)
		if err != nil || mark != markRequest {
			os.Exit(0)
		}
		requests <- request
	}
}

// greet confines the process as the parent asks, before anything else is read.
func greet(name string, in io.Reader, out io.Writer) (Limits, error) {
	mark, body, err := readFrame(in, maxGreeting)
	if err != nil {
		return Limits{}, err
	}
	var h hello
	if err := json.Unmarshal(body, &h); err != nil {
		return Limits{}, err
	}
	g := greeting{Protocol: protocol, Name: name}
	if mark != markHello || h.Protocol != protocol {
		err = fmt.Errorf("the parent speaks another protocol")
	} else {
		g.Held, err = Confine(h.Limits)
	}
	if err != nil {
		g.Error = err.Error()
	}
	answer, wrong := json.Marshal(g)
	return h.Limits, errors.Join(err, wrong, writeFrame(out, markHello, answer))
}

// maxGreeting bounds the first two messages, in bytes.
const maxGreeting = 4096
