package harness

import (
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

// Postgres is a PostgreSQL server in a folder of its own, over all its lives. It is not a
// [Program]: it has many processes, which die together.
type Postgres struct {
	Addr     string   // where it listens
	Settings []string // name=value, besides those that it needs to run here

	programs string
	data     string
	as       *syscall.Credential // whom it runs as; nil: as this process does

	first *Program // the life that runs, or the last one; nil before the first
	said  Tail
}

// NewPostgres finds the programs of a server whose data are to be in a folder, which need not
// exist. It starts nothing.
func NewPostgres(data string, settings ...string) (s *Postgres, err error) {
	s = &Postgres{data: data, Settings: settings}
	if s.programs, err = postgresPrograms(); err != nil {
		return nil, err
	}
	if s.as, err = unprivileged(); err != nil {
		return nil, err
	}
	s.Addr, err = FreeAddress()
	return s, err
}

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
		return "", errors.New("there is no PostgreSQL, neither in /usr/lib/postgresql nor in PATH; scripts/services.sh start postgres installs it")
	}
	return filepath.Dir(path), nil
}

// unprivileged is whom servers run as that refuse to be run by root: Debian's package makes
// the user postgres. nil: as this process does.
func unprivileged() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("root cannot run PostgreSQL, and there is no other user for it: %w", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}

// command is a program of PostgreSQL's. A group of its own keeps a terminal's interrupt from it.
func (s *Postgres) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.programs, name), args...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.as, Setpgid: true}
	return cmd
}

func (s *Postgres) call(ctx context.Context, name string, args ...string) error {
	if out, err := s.command(ctx, name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// makeRoom makes the folder that the data folder is made in.
func (s *Postgres) makeRoom() error {
	room := filepath.Dir(s.data)
	if err := os.MkdirAll(room, 0o755); err != nil || s.as == nil {
		return err
	}
	return os.Chown(room, int(s.as.Uid), int(s.as.Gid))
}

// Initialise makes the data of a primary.
func (s *Postgres) Initialise(ctx context.Context) error {
	if err := s.makeRoom(); err != nil {
		return err
	}
	return s.call(ctx, "initdb", "-D", s.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
}

// Follow makes the data of a standby from a primary that runs.
func (s *Postgres) Follow(ctx context.Context, primary *Postgres) error {
	if err := s.makeRoom(); err != nil {
		return err
	}
	return s.call(ctx, "pg_basebackup", "-D", s.data, "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d", primary.DSN("postgres")+"&application_name=standby")
}

// DSN leads to a database of the server. Every server has one named postgres.
func (s *Postgres) DSN(database string) string {
	return "postgres://postgres@" + s.Addr + "/" + database + "?sslmode=disable"
}

// Launch starts the server.
func (s *Postgres) Launch() error {
	host, port, err := net.SplitHostPort(s.Addr)
	if err != nil {
		return err
	}
	args := []string{"-D", s.data, "-p", port}
	for _, setting := range slices.Concat([]string{"listen_addresses=" + host, "unix_socket_directories=", "max_connections=200"}, s.Settings) {
		args = append(args, "-c", setting)
	}
	// It outlives any context: its deaths and its owner end it.
	cmd := s.command(context.Background(), "postgres", args...)
	s.said.Reset()
	cmd.Stderr = &s.said
	p, err := Begin(cmd)
	if err != nil {
		return err
	}
	s.first = p
	return nil
}

// Start runs the server until it answers. Where one has been killed the next may find that
// its processes still hold on to its memory, and is started again.
func (s *Postgres) Start(ctx context.Context) error {
	if err := s.Launch(); err != nil {
		return err
	}
	var failed error
	err := Await(ctx, "PostgreSQL to answer", func() bool {
		if s.Answers(ctx) {
			return true
		}
		if !s.first.Running() {
			failed = s.Launch()
		}
		return failed != nil
	}, nil)
	if err = errors.Join(failed, err); err != nil {
		s.Kill()
		return fmt.Errorf("%w\n%s", err, s.said.String())
	}
	return nil
}

// Exited is closed once the server's first process has ended.
func (s *Postgres) Exited() <-chan struct{} { return s.first.Exited() }

// Answers reports whether the server answers a question over a new connection.
func (s *Postgres) Answers(ctx context.Context) bool {
	_, err := s.Value(ctx, "SELECT 1")
	return err == nil
}

// Value asks the server one thing, for five seconds at most.
func (s *Postgres) Value(ctx context.Context, query string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	c, err := pgx.Connect(ctx, s.DSN("postgres"))
	if err != nil {
		return "", err
	}
	defer c.Close(ctx)
	var v any
	err = c.QueryRow(ctx, query).Scan(&v)
	return fmt.Sprint(v), err
}

// Execute has a server carry out one statement.
func Execute(ctx context.Context, dsn, statement string) (err error) {
	c, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close(ctx)) }()
	_, err = c.Exec(ctx, statement)
	return err
}

// Stop asks the server to end, by the signal of one of pg_ctl's modes, and waits for it.
func (s *Postgres) Stop(mode syscall.Signal) error {
	s.first.Signal(mode)
	select {
	case <-s.Exited():
		return nil
	case <-time.After(Patience):
		s.Kill()
		return fmt.Errorf("PostgreSQL did not end within %s", Patience)
	}
}

// Kill ends every process of the server at once, as a power switch would. All are stopped
// before: none sees another die, or writes what that one left in memory.
func (s *Postgres) Kill() {
	if !s.first.Running() {
		return
	}
	s.first.Signal(syscall.SIGSTOP) // it starts no others from now on
	children := s.Children()
	for _, sig := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL} {
		for _, pid := range children {
			_ = syscall.Kill(pid, sig) // it may be gone already
		}
	}
	s.first.Kill()
}

// Children are the processes that the server's first one has started.
func (s *Postgres) Children() []int { return s.first.Children() }

// Freeze stops the first of the server's processes whose command line holds a word, until all
// are killed.
func (s *Postgres) Freeze(word string) error {
	for _, pid := range s.Children() {
		if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil && strings.Contains(string(line), word) {
			return syscall.Kill(pid, syscall.SIGSTOP)
		}
	}
	return fmt.Errorf("the server has no %s", word)
}

// Promote makes a standby the primary.
func (s *Postgres) Promote(ctx context.Context) error {
	return s.call(ctx, "pg_ctl", "promote", "-D", s.data, "-w", "-t", "60")
}
