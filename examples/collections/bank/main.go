// Bank is a small real bank for the example beside it: an HTTP service that
// shakes hands once for each idempotency key, can be told to be as unpleasant
// as real ones are, and keeps its own record of what really happened. README.md
// shows how to use it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bank:", err)
		os.Exit(1)
	}
}

// run serves until the process is told to end.
func run(args []string) error {
	flags := flag.NewFlagSet("bank", flag.ContinueOnError)
	listen := flags.String("listen", "127.0.0.1:8080", "the `ADDRESS` to listen on; port 0 picks one")
	record := flags.String("record", "bank.jsonl", "the `FILE` that keeps what happened; it is read at the start")
	var mood Mood
	flags.IntVar(&mood.Limit, "limit", 0, "answer this `NUMBER` of handshakes with 429 first")
	flags.IntVar(&mood.Lose, "lose", 0, "lose the answers to this `NUMBER` of handshakes, after the deed")
	flags.BoolVar(&mood.Mute, "mute", false, "be unable to say whether a handshake happened: 503")
	decide := flags.Duration("decide", time.Second, "how long after a handshake its callback is made")
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), "bank [flags] [-- PROGRAM ARGUMENT…]\n\nThe program is called for each callback, with SESSION CALLBACK=JSON --key KEY behind its arguments.\n\n")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	ledger, err := OpenLedger(*record)
	if err != nil {
		return err
	}
	defer ledger.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	b := New(ledger, mood, log)
	defer func() {
		stop() // callbacks end before the ledger closes
		b.Wait()
	}()
	if command := flags.Args(); len(command) > 0 {
		b.Tell(ctx, command, *decide)
	}
	return serve(ctx, *listen, b)
}

// serve listens until ctx is done, and then lets those end who are being
// served.
func serve(ctx context.Context, address string, handler http.Handler) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("the bank is open at http://%s\n", listener.Addr())
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	rest, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return server.Shutdown(rest)
}
