package process

import (
	"context"
	"os/exec"
	"sync"
	"time"
)

// run starts a program in a group of its own and waits for its end. When ctx
// is done, the group is asked to end, and killed after the grace. The error is
// about the start; how the program ended is in cmd.ProcessState.
func run(ctx context.Context, cmd *exec.Cmd, grace time.Duration) error {
	apart(cmd)
	// What left the group may hold the pipes open; that is not waited for.
	cmd.WaitDelay = grace
	if err := cmd.Start(); err != nil {
		return err
	}
	m, err := gather(cmd)
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return err
	}
	defer m.free()
	g := &group{cmd: cmd, members: m}
	gone := make(chan struct{})
	ender := make(chan struct{})
	go func() {
		defer close(ender)
		select {
		case <-gone:
			return
		case <-ctx.Done():
			g.ask()
		}
		wait := time.NewTimer(grace)
		defer wait.Stop()
		select {
		case <-gone:
		case <-wait.C:
			g.kill()
		}
	}()
	m.await(cmd)
	if endsUnreaped {
		g.kill()
		g.leave()
	}
	_ = cmd.Wait() // the state tells more
	if !endsUnreaped {
		g.kill()
		g.leave()
	}
	close(gone)
	<-ender
	return nil
}

// group is a process group while its number is ours.
type group struct {
	mu      sync.Mutex
	cmd     *exec.Cmd
	members members
	left    bool
}

func (g *group) ask() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.left {
		g.members.ask(g.cmd)
	}
}

func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.left {
		g.members.kill(g.cmd)
	}
}

// leave ends the use of the group's number, which the system may give to
// another soon.
func (g *group) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left = true
}
