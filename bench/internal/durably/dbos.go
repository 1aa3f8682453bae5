package durably

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
	_ "github.com/dbos-inc/dbos-transact-golang/dbos/driver/sqlite" // SQLite for DBOS
)

// DBOS is DBOS Transact. A session is a workflow and an event a step of it
// that returns what the event carries: when the step returns, its output is a
// row of the database.
type DBOS struct {
	client  dbos.Context
	runs    atomic.Int64
	cluster *Cluster // nil on SQLite
	closers []func() error
}

// NewDBOSOnSQLite opens it on a new file. As its driver comes it syncs at
// checkpoints only, so a power cut may lose finished steps; synced makes it
// sync each commit, as Detent does.
func NewDBOSOnSQLite(directory string, synced bool) (*DBOS, error) {
	path := filepath.ToSlash(filepath.Join(directory, "dbos.db"))
	if !synced {
		return openDBOS(dbos.Config{DatabaseURL: "sqlite:" + path})
	}
	// The same settings as its own, but for the one.
	db, err := sql.Open("sqlite", path+"?_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=foreign_keys(ON)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(4)
	d, err := openDBOS(dbos.Config{SQLiteSystemDB: db})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	d.closers = append(d.closers, db.Close)
	return d, nil
}

// ErrNoPostgres says that there is no Postgres on this machine.
var ErrNoPostgres = errors.New("there is no Postgres here: initdb and pg_ctl are neither on the path nor in /usr/lib/postgresql")

// NewDBOSOnPostgres opens it on a cluster of its own, which syncs each commit.
func NewDBOSOnPostgres(directory string) (*DBOS, error) {
	cluster, err := StartCluster(filepath.Join(directory, "postgres"))
	if err != nil {
		return nil, err
	}
	d, err := openDBOS(dbos.Config{DatabaseURL: cluster.URL})
	if err != nil {
		return nil, errors.Join(err, cluster.Stop())
	}
	d.cluster, d.closers = cluster, append(d.closers, cluster.Stop)
	return d, nil
}

func openDBOS(c dbos.Config) (*DBOS, error) {
	c.AppName, c.Logger = "detent-bench", slog.New(slog.DiscardHandler)
	client, err := dbos.NewContext(context.Background(), c)
	if err != nil {
		return nil, err
	}
	dbos.RegisterWorkflow(client, steps, dbos.WithWorkflowName("steps"))
	if err := dbos.Launch(client); err != nil {
		return nil, err
	}
	return &DBOS{client: client}, nil
}

// steps is the workflow.
func steps(ctx dbos.Context, events int) (int, error) {
	for range events {
		_, err := dbos.RunAsStep(ctx, func(context.Context) (map[string]any, error) { return payload, nil }, dbos.WithStepName("go"))
		if err != nil {
			return 0, err
		}
	}
	return events, nil
}

// Batch runs one workflow of so many steps: its start and end are two more
// writes, which fall on all the steps together.
func (d *DBOS) Batch(session, events int) error {
	if events == 0 {
		return nil
	}
	id := fmt.Sprintf("%s-%d", sessionID(session), d.runs.Add(1))
	h, err := dbos.RunWorkflow(d.client, steps, events, dbos.WithWorkflowID(id))
	if err != nil {
		return err
	}
	_, err = h.GetResult()
	return err
}

// Send is a workflow of one step.
func (d *DBOS) Send(session int) error { return d.Batch(session, 1) }

// ServerCPU is what Postgres has used.
func (d *DBOS) ServerCPU() time.Duration {
	if d.cluster == nil {
		return 0
	}
	return d.cluster.CPU()
}

// Close ends it, and its cluster.
func (d *DBOS) Close() error {
	dbos.Shutdown(d.client, 5*time.Second)
	var err error
	for _, f := range d.closers {
		err = errors.Join(err, f())
	}
	return err
}
