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

// Postgres is a PostgreSQL server with its own data folder, which can be started again after
// its end. It runs as a group of processes, which Kill ends together.
type Postgres struct {
	Addr     string   // it listens on
	Settings []string // name=value

	programs string
	data     string
	as       *syscall.Credential // the user of the server; nil: the user of this process

	first  *Program // the parent of the others in the last launch; nil before the first
	output Tail     // standard error of the last launch
}

// NewPostgres finds the programs of the server and picks an address. Initialise or Follow makes
// the data folder, Start the process.
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

// postgresPrograms returns the folder of the newest installed PostgreSQL, as Debian lays them
// out, or of the one in PATH.
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

// unprivileged returns the user postgres, which Debian's package makes, when this process runs
// as root: PostgreSQL refuses to. Otherwise it returns nil.
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

// command prepares a PostgreSQL program in its own process group, so that an interrupt from the
// terminal does not reach it.
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

// makeParent makes the folder above the data folder, for the user of the server.
func (s *Postgres) makeParent() error {
	parent := filepath.Dir(s.data)
	if err := os.MkdirAll(parent, 0o755); err != nil || s.as == nil {
		return err
	}
	return os.Chown(parent, int(s.as.Uid), int(s.as.Gid))
}

// Initialise makes the data folder of a primary.
func (s *Postgres) Initialise(ctx context.Context) error {
	if err := s.makeParent(); err != nil {
		return err
	}
	return s.call(ctx, "initdb", "-D", s.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
}

// Follow makes the data folder of a standby by copying a running primary.
func (s *Postgres) Follow(ctx context.Context, primary *Postgres) error {
	if err := s.makeParent(); err != nil {
		return err
	}
	return s.call(ctx, "pg_basebackup", "-D", s.data, "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d", primary.DSN("postgres")+"&application_name=standby")
}

// DSN returns the connection URL of a database. Every server has one named postgres.
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
	// No context ends it: its owner does.
	cmd := s.command(context.Background(), "postgres", args...)
	s.output.Reset()
	cmd.Stderr = &s.output
	p, err := Begin(cmd)
	if err != nil {
		return err
	}
	s.first = p
	return nil
}

// Start launches the server and waits until it answers. After a kill the next launch may fail
// because old processes still hold the shared memory; Start then launches the server again.
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
		return fmt.Errorf("%w\n%s", err, s.output.String())
	}
	return nil
}

// Exited returns a channel that closes once the parent process has ended.
func (s *Postgres) Exited() <-chan struct{} { return s.first.Exited() }

// Answers reports whether the server answers a query over a new connection.
func (s *Postgres) Answers(ctx context.Context) bool {
	_, err := s.Value(ctx, "SELECT 1")
	return err == nil
}

// Value runs a query that returns one value, for at most five seconds.
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

// Execute runs one statement.
func Execute(ctx context.Context, dsn, statement string) (err error) {
	c, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close(ctx)) }()
	_, err = c.Exec(ctx, statement)
	return err
}

// Stop sends the signal of a pg_ctl mode and waits for the end of the server.
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

// Kill ends every process of the server. It stops all of them first, so that none sees another
// die or writes what that one left in shared memory.
func (s *Postgres) Kill() {
	if !s.first.Running() {
		return
	}
	s.first.Signal(syscall.SIGSTOP) // it starts no more children
	children := s.Children()
	for _, sig := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL} {
		for _, pid := range children {
			_ = syscall.Kill(pid, sig) // it may be gone already
		}
	}
	s.first.Kill()
}

// Children lists the ids of the server's processes below the parent.
func (s *Postgres) Children() []int { return s.first.Children() }

// Freeze stops the first process whose command line contains a word. It stays stopped until
// Kill.
func (s *Postgres) Freeze(word string) error {
	for _, pid := range s.Children() {
		if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil && strings.Contains(string(line), word) {
			return syscall.Kill(pid, syscall.SIGSTOP)
		}
	}
	return fmt.Errorf("the server has no %s", word)
}

// Promote turns a standby into the primary.
func (s *Postgres) Promote(ctx context.Context) error {
	return s.call(ctx, "pg_ctl", "promote", "-D", s.data, "-w", "-t", "60")
}
