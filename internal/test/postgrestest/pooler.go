//go:build unix

package postgrestest

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// PgBouncer starts PgBouncer in transaction mode, with two connections to the server
// for each database, and returns how to reach a database by way of it. more are lines of its
// configuration.
func PgBouncer(t *testing.T, dsn string, more ...string) func(database string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	switch {
	case err != nil && os.Getenv(Require) == "1":
		t.Fatalf("%s=1 and pgbouncer is not installed", Require)
	case err != nil:
		t.Skip("pgbouncer is not installed")
	}
	server, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal("the dsn cannot be read")
	}
	dir, port := t.TempDir(), freePort(t)
	target := fmt.Sprintf("host=%s port=%d user=%s", server.Host, server.Port, server.User)
	if server.Password != "" {
		target += " password=" + server.Password
	}
	file := filepath.Join(dir, "pgbouncer.ini")
	if err := os.WriteFile(file, fmt.Appendf(nil, `[databases]
* = %s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
max_client_conn = 500
server_idle_timeout = 1
%s
`, target, port, strings.Join(more, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, file)
	cmd.SysProcAttr = unprivileged(t, dir)
	log := &strings.Builder{}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	u := url.URL{Scheme: "postgres", User: url.User(server.User), Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), RawQuery: "sslmode=disable"}
	reach := func(database string) string {
		v := u
		v.Path = "/" + database
		return v.String()
	}
	for try := 1; ; try++ { // until it listens
		c, err := pgx.Connect(context.Background(), reach(server.Database)+"&default_query_exec_mode=exec")
		if err == nil {
			_ = c.Close(context.Background())
			return reach
		}
		if try == 200 {
			t.Fatalf("pgbouncer does not answer: %v\n%s", err, log)
		}
		time.Sleep(10 * time.Millisecond) // it is the condition that is waited for
	}
}

// unprivileged is a user that PgBouncer agrees to run as.
func unprivileged(t *testing.T, dir string) *syscall.SysProcAttr {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Skip("pgbouncer does not run as root, and there is no user nobody")
	}
	uid, _ := strconv.Atoi(nobody.Uid)
	gid, _ := strconv.Atoi(nobody.Gid)
	for _, d := range []string{dir, filepath.Dir(dir)} { // the test's own folders
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
