package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"sync"

	modernc "modernc.org/sqlite"
)

// This file is the only one that knows the driver. It goes past database/sql:
// a connection here belongs to one goroutine at a time, so the pool, its
// locking and its conversions would only cost.

// conn is one connection with its prepared statements. One caller at a time.
type conn struct {
	c     driver.Conn
	stmts map[string]driver.Stmt
	args  []driver.NamedValue
	// statements were run by it so far.
	statements int64
}

// maxStatements bounds the prepared statements of a connection. Filters make
// many texts; past the bound all are prepared anew.
const maxStatements = 96

// lighter makes SQLite sync with fdatasync where there is one, as the builds
// of distributions do: data and size become durable, and the time of the last
// change does not cost a second write. The driver knows it only for the whole
// process.
var lighter = sync.OnceFunc(func() { _, _ = modernc.Fdatasync(true) })

// connect opens a file. The mode is "ro", "rw" or "rwc", as SQLite names it.
func connect(path, mode string, pragmas ...string) (*conn, error) {
	lighter()
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}
	if !strings.HasPrefix(u.Path, "/") {
		u.Path = "/" + u.Path
	}
	connector, err := modernc.NewConnector(u.String() + "?mode=" + mode + "&_error_rc=1")
	if err != nil {
		return nil, err
	}
	c, err := connector.Connect(context.Background())
	if err != nil {
		return nil, err
	}
	db := &conn{c: c, stmts: map[string]driver.Stmt{}}
	for _, p := range pragmas {
		if err := db.pragma(p); err != nil {
			return nil, errors.Join(err, db.close())
		}
	}
	return db, nil
}

// pragma sets one, or runs one for what it does.
func (c *conn) pragma(p string) error {
	return c.query(context.Background(), "PRAGMA "+p, func([]driver.Value) error { return nil })
}

func (c *conn) close() error {
	c.forget()
	return c.c.Close()
}

func (c *conn) forget() {
	for text, s := range c.stmts {
		_ = s.Close() // it only frees memory
		delete(c.stmts, text)
	}
}

func (c *conn) prepare(text string) (driver.Stmt, error) {
	if s, ok := c.stmts[text]; ok {
		return s, nil
	}
	if len(c.stmts) >= maxStatements {
		c.forget()
	}
	s, err := c.c.Prepare(text)
	if err != nil {
		return nil, err
	}
	c.stmts[text] = s
	return s, nil
}

func (c *conn) bind(args []any) []driver.NamedValue {
	c.args = c.args[:0]
	for i, a := range args {
		switch v := a.(type) {
		case int:
			a = int64(v)
		case uint64:
			a = int64(v)
		case bool:
			a = int64(0)
			if v {
				a = int64(1)
			}
		}
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	return c.args
}

// exec runs one statement and tells how many rows it changed. It cannot be
// interrupted: what writes ends one way or the other.
func (c *conn) exec(text string, args ...any) (int64, error) {
	r, err := c.run(text, args)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// insert runs one statement and tells the row that it made.
func (c *conn) insert(text string, args ...any) (int64, error) {
	r, err := c.run(text, args)
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

func (c *conn) run(text string, args []any) (driver.Result, error) {
	s, err := c.prepare(text)
	if err != nil {
		return nil, err
	}
	c.statements++
	return s.(driver.StmtExecContext).ExecContext(context.Background(), c.bind(args))
}

// query calls each for every row; the values are the caller's, the slice is
// not. It ends early when ctx does.
func (c *conn) query(ctx context.Context, text string, each func(row []driver.Value) error, args ...any) error {
	s, err := c.prepare(text)
	if err != nil {
		return err
	}
	c.statements++
	rows, err := s.(driver.StmtQueryContext).QueryContext(ctx, c.bind(args))
	if err != nil {
		return err
	}
	row := make([]driver.Value, len(rows.Columns()))
	for {
		if err = rows.Next(row); err != nil {
			break
		}
		if err = each(row); err != nil {
			break
		}
	}
	if closed := rows.Close(); closed != nil && (err == nil || err == io.EOF) {
		return closed
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// number reads one number, 0 when there is no row.
func (c *conn) number(text string, args ...any) (n int64, err error) {
	err = c.query(context.Background(), text, func(row []driver.Value) error {
		n = num(row[0])
		return nil
	}, args...)
	return n, err
}

// written is how many pages the connection has put into the log since the last
// time that it was asked.
func (c *conn) written() int {
	n, _, err := c.c.(modernc.DBStatus).Status(modernc.DBStatusCacheWrite, true)
	if err != nil {
		return 0
	}
	return n
}

// resultOf is SQLite's extended result code of an error, 0 if it has none.
func resultOf(err error) int {
	var e *modernc.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

func num(v driver.Value) int64 {
	n, _ := v.(int64)
	return n
}

func text(v driver.Value) string {
	s, _ := v.(string)
	return s
}

func blob(v driver.Value) []byte {
	b, _ := v.([]byte)
	return b
}
