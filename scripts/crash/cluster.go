package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// cluster is a PostgreSQL server of the command's own, in a folder of its own, over all its
// lives. What it says is committed is on the disk.
type cluster struct {
	programs string
	dir      string
	addr     string              // where it listens
	as       *syscall.Credential // whom it runs as; nil: as the command does

	proc   *exec.Cmd
	exited chan struct{}
	stderr bytes.Buffer // of the server that runs, read once it has exited
}

// clusterTime is how long a server may take to end, or to answer after it was started: what
// it has to recover is little.
const clusterTime = 60 * time.Second

var errNoPostgres = errors.New("there is no PostgreSQL: neither in /usr/lib/postgresql nor in PATH")

// postgresPrograms is the folder of the newest PostgreSQL that is installed, as Debian lays
// them out, or of the one in PATH.
func postgresPrograms() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil {
		return "", err
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path)))) // 0: of no release
		return n
	}
	slices.SortFunc(found, func(a, b string) int { return version(b) - version(a) })
	if len(found) > 0 {
		return filepath.Dir(found[0]), nil
	}
	path, err := exec.LookPath("postgres")
	if err != nil {
		return "", errNoPostgres
	}
	return filepath.Dir(path), nil
}

// unprivileged is whom servers run as that refuse to be run by root: Debian's package makes
// the user postgres. nil: as the command does.
func unprivileged() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("root cannot run PostgreSQL: %w", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}

// newCluster makes a server and starts it.
func newCluster(ctx context.Context) (c *cluster, err error) {
	c = &cluster{}
	if c.programs, err = postgresPrograms(); err != nil {
		return nil, err
	}
	if c.as, err = unprivileged(); err != nil {
		return nil, err
	}
	if c.addr, err = freeAddress(); err != nil {
		return nil, err
	}
	if c.dir, err = os.MkdirTemp("", "slotway-crash-postgres-"); err != nil {
		return nil, err
	}
	if c.as != nil {
		err = os.Chown(c.dir, int(c.as.Uid), int(c.as.Gid))
	}
	if err == nil {
		initdb := c.command(ctx, "initdb", "-D", c.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
		if out, failed := initdb.CombinedOutput(); failed != nil {
			err = fmt.Errorf("initdb: %w\n%s", failed, out)
		}
	}
	if err == nil {
		err = c.start(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, c.remove())
	}
	return c, nil
}

func (c *cluster) data() string { return filepath.Join(c.dir, "data") }

// dsn leads to the database that every cluster has.
func (c *cluster) dsn() string {
	return "postgres://postgres@" + c.addr + "/postgres?sslmode=disable"
}

// command is a program of PostgreSQL's. A group of its own keeps a terminal's interrupt from it.
func (c *cluster) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(c.programs, name), args...)
	cmd.Dir = c.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.as, Setpgid: true}
	return cmd
}

// launch starts the server, which has its settings from here: the ones that durability hangs
// on are said once more, and checkpoints come often, so that there is something to recover
// from now and then.
func (c *cluster) launch() error {
	host, port, err := net.SplitHostPort(c.addr)
	if err != nil {
		return err
	}
	args := []string{"-D", c.data(), "-p", port}
	for _, setting := range []string{
		"fsync=on", "synchronous_commit=on", "full_page_writes=on", "restart_after_crash=on",
		"checkpoint_timeout=30s", "listen_addresses=" + host, "unix_socket_directories=", "max_connections=200",
	} {
		args = append(args, "-c", setting)
	}
	// Its end comes from its deaths, and from close, not from a context.
	proc := c.command(context.Background(), "postgres", args...)
	c.stderr.Reset()
	proc.Stderr = &c.stderr
	exited, err := begin(proc)
	if err != nil {
		return err
	}
	c.proc, c.exited = proc, exited
	return nil
}

// start runs the server until it answers. Where one has been killed the next may find that
// its processes still hold on to its memory, and is started again.
func (c *cluster) start(ctx context.Context) error {
	if err := c.launch(); err != nil {
		return err
	}
	for end := time.Now().Add(clusterTime); time.Now().Before(end); {
		if c.answers(ctx) {
			return nil
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			return err
		}
		if c.running() {
			continue
		}
		if err := c.launch(); err != nil {
			return err
		}
	}
	c.kill()
	return fmt.Errorf("PostgreSQL does not answer:\n%s", c.stderr.String())
}

// running says whether the server's first process is there.
func (c *cluster) running() bool {
	select {
	case <-c.exited:
		return false
	default:
		return true
	}
}

// answers says whether the server answers a question over a new connection.
func (c *cluster) answers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.dsn())
	if err != nil {
		return false
	}
	defer conn.Close(ctx)
	var one int
	return conn.QueryRow(ctx, `SELECT 1`).Scan(&one) == nil
}

// stop asks the server to end, by the signal of one of pg_ctl's modes, and waits for it.
func (c *cluster) stop(mode syscall.Signal) error {
	if err := c.proc.Process.Signal(mode); err != nil {
		return fmt.Errorf("stop PostgreSQL: %w", err)
	}
	select {
	case <-c.exited:
		return nil
	case <-time.After(clusterTime):
		c.kill()
		return fmt.Errorf("PostgreSQL did not end within %s", clusterTime)
	}
}

// kill ends every process of the server at once, as a power switch would. The first one is
// stopped before, so that it cannot see any of the others die.
func (c *cluster) kill() {
	if c.exited == nil || !c.running() {
		return
	}
	_ = c.proc.Process.Signal(syscall.SIGSTOP)
	for _, pid := range c.children() {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone already
	}
	_ = c.proc.Process.Kill()
	<-c.exited
}

// children are the processes that the server has started.
func (c *cluster) children() (pids []int) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	parent := []byte(strconv.Itoa(c.proc.Process.Pid))
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// pid (name) state parent ..., where the name may hold anything
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && len(fields) > 1 && bytes.Equal(fields[1], parent) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// remove ends the server for good, and removes its folder.
func (c *cluster) remove() error {
	c.kill()
	return os.RemoveAll(c.dir)
}
