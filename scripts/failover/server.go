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
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// patience is how long anything may take that is waited for, on a busy machine.
const patience = 90 * time.Second

// server is one PostgreSQL server, over all its lives.
type server struct {
	programs string
	dir      string
	port     string
	as       *syscall.Credential // whom it runs as; nil: as the command does

	proc   *exec.Cmd
	exited chan struct{}
	log    bytes.Buffer // of the server that runs, read once it has exited
}

// newServer says where a server is to be. It makes nothing.
func newServer(dir string) (*server, error) {
	s := &server{dir: dir}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b string) int { return release(b) - release(a) })
	if len(found) > 0 {
		s.programs = filepath.Dir(found[0])
	} else if path, err := exec.LookPath("postgres"); err == nil {
		s.programs = filepath.Dir(path)
	} else {
		return nil, errors.New("there is no PostgreSQL, neither in /usr/lib/postgresql nor in PATH; install it (scripts/services.sh start postgres does)")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	_, s.port, _ = net.SplitHostPort(listener.Addr().String())
	if err := listener.Close(); err != nil {
		return nil, err
	}
	if os.Geteuid() != 0 {
		return s, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("root cannot run PostgreSQL, and there is no other user for it: %w", err)
	}
	uid, _ := strconv.ParseUint(u.Uid, 10, 32)
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	s.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return s, err
}

// release is the number in a path of Debian's.
func release(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path)))) // 0: none
	return n
}

func (s *server) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.programs, name), args...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.as, Setpgid: true}
	return cmd
}

func (s *server) call(ctx context.Context, name string, args ...string) error {
	if out, err := s.command(ctx, name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// room makes the folder that the server's data are made in.
func (s *server) room() error {
	if err := os.MkdirAll(filepath.Dir(s.dir), 0o755); err != nil {
		return err
	}
	if s.as == nil {
		return nil
	}
	return os.Chown(filepath.Dir(s.dir), int(s.as.Uid), int(s.as.Gid))
}

// initialise makes a primary.
func (s *server) initialise(ctx context.Context) error {
	if err := s.room(); err != nil {
		return err
	}
	return s.call(ctx, "initdb", "-D", s.dir, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
}

// follow makes a standby of a primary that runs.
func (s *server) follow(ctx context.Context, primary *server) error {
	if err := s.room(); err != nil {
		return err
	}
	return s.call(ctx, "pg_basebackup", "-D", s.dir, "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d", primary.dsn("postgres")+"&application_name=standby")
}

// dsn leads to a database of the server.
func (s *server) dsn(database string) string {
	return "postgres://postgres@127.0.0.1:" + s.port + "/" + database + "?sslmode=disable"
}

// start runs the server, and waits until it answers.
func (s *server) start(ctx context.Context, settings ...string) error {
	args := []string{"-D", s.dir, "-p", s.port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200"}
	for _, c := range settings {
		args = append(args, "-c", c)
	}
	s.log.Reset()
	s.proc = s.command(context.WithoutCancel(ctx), "postgres", args...)
	s.proc.Stderr = &s.log
	if err := s.proc.Start(); err != nil {
		return err
	}
	exited := make(chan struct{})
	s.exited = exited
	go func() {
		_ = s.proc.Wait()
		close(exited)
	}()
	return await(ctx, "the server to answer", func() bool {
		_, err := s.value(ctx, "SELECT 1")
		return err == nil
	}, exited)
}

// value asks the server one thing.
func (s *server) value(ctx context.Context, text string) (out string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	c, err := pgx.Connect(ctx, s.dsn("postgres"))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, c.Close(ctx)) }()
	var v any
	if err := c.QueryRow(ctx, text).Scan(&v); err != nil {
		return "", err
	}
	return fmt.Sprint(v), nil
}

func (s *server) order(ctx context.Context, text string) (err error) {
	c, err := pgx.Connect(ctx, s.dsn("postgres"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close(ctx)) }()
	_, err = c.Exec(ctx, text)
	return err
}

// processes are the server's: itself and its children, by what /proc says.
func (s *server) processes() []int {
	list := []int{s.proc.Process.Pid}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(s.proc.Process.Pid) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
			list = append(list, pid)
		}
	}
	return list
}

// kill ends all processes at once: none is left that could write what the others had in memory.
func (s *server) kill() {
	if s.exited == nil {
		return
	}
	list := s.processes()
	for _, sig := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL} {
		for _, pid := range list {
			_ = syscall.Kill(pid, sig) // it may be gone already
		}
	}
	<-s.exited
	s.exited = nil
}

// stop stops one of the server's processes, until all are killed.
func (s *server) stop(what string) error {
	for _, pid := range s.processes() {
		if name, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil && strings.Contains(string(name), what) {
			return syscall.Kill(pid, syscall.SIGSTOP)
		}
	}
	return fmt.Errorf("the server has no %s", what)
}

// promote makes a standby the primary.
func (s *server) promote(ctx context.Context) error {
	return s.call(ctx, "pg_ctl", "promote", "-D", s.dir, "-w", "-t", "60")
}

// await waits until something is so.
func await(ctx context.Context, what string, is func() bool, ended <-chan struct{}) error {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if is() {
			return nil
		}
		select {
		case <-ended:
			return fmt.Errorf("waiting for %s: the process has ended", what)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return fmt.Errorf("waited %s for %s", patience, what)
}
