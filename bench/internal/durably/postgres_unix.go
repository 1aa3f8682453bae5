//go:build unix

package durably

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Cluster is a Postgres of its own, in a folder, with the settings that it
// comes with: each commit is synced.
type Cluster struct {
	URL     string
	command string // pg_ctl
	data    string
	owner   *syscall.Credential // nil: whoever runs this
	server  int
}

// tool finds a program of Postgres: on the path, or the newest where Debian
// keeps them.
func tool(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err != nil || len(found) == 0 {
		return "", ErrNoPostgres
	}
	slices.Sort(found)
	return found[len(found)-1], nil
}

// StartCluster makes a cluster in a folder and starts it.
func StartCluster(folder string) (*Cluster, error) {
	initdb, err := tool("initdb")
	if err != nil {
		return nil, err
	}
	c := &Cluster{data: filepath.Join(folder, "data")}
	if c.command, err = tool("pg_ctl"); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	if os.Getuid() == 0 { // Postgres refuses to run as root
		if err := c.giveAway(folder); err != nil {
			return nil, err
		}
	}
	if err := c.run(initdb, "-D", c.data, "-U", "bench", "-A", "trust", "-E", "UTF8", "--no-locale"); err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	options := fmt.Sprintf("-p %d -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=120", port)
	if err := c.run(c.command, "-D", c.data, "-w", "-l", filepath.Join(folder, "log"), "-o", options, "start"); err != nil {
		return nil, err
	}
	pid, err := os.ReadFile(filepath.Join(c.data, "postmaster.pid"))
	if err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	first, _, _ := strings.Cut(string(pid), "\n")
	if c.server, err = strconv.Atoi(first); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	c.URL = fmt.Sprintf("postgres://bench@127.0.0.1:%d/postgres?sslmode=disable", port)
	return c, nil
}

// nobody is the user and group without rights of nearly every Unix.
const nobody = 65534

// giveAway makes the folder one of somebody else, who then runs Postgres. The
// folders above it must let others pass.
func (c *Cluster) giveAway(folder string) error {
	c.owner = &syscall.Credential{Uid: nobody, Gid: nobody}
	return os.Chown(folder, nobody, nobody)
}

func (c *Cluster) run(name string, args ...string) error {
	command := exec.Command(name, args...)
	command.Dir = filepath.Dir(c.data)
	command.Env = append(os.Environ(), "LC_ALL=C")
	if c.owner != nil {
		command.SysProcAttr = &syscall.SysProcAttr{Credential: c.owner}
	}
	// A file and not a pipe: the server keeps it open.
	out, err := os.CreateTemp("", "detent-bench-postgres-")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	command.Stdout, command.Stderr = out, out
	if err := command.Run(); err != nil {
		said, _ := os.ReadFile(out.Name())
		return fmt.Errorf("%s: %w: %s", filepath.Base(name), err, strings.TrimSpace(string(said)))
	}
	return nil
}

// freePort finds a port that nobody listens on.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// CPU is what the server and its children have used.
func (c *Cluster) CPU() time.Duration { return treeCPU(c.server) }

// Stop ends the cluster.
func (c *Cluster) Stop() error { return c.run(c.command, "-D", c.data, "-m", "fast", "-w", "stop") }
