package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"

	"github.com/slotway/slotway/scripts/harness"
)

// redisServer is the command's own Redis, which can be started again after its end.
type redisServer struct {
	dir    string
	addr   string
	client *goredis.Client

	proc   *harness.Program // of the last start
	stdout harness.Tail     // of the last start

	old []byte // earlier contents; nil: none yet

	reads    int // windows that slotway read
	restored int // entries in the old contents that it started with
}

// newRedisServer starts a server in a folder.
func newRedisServer(ctx context.Context, dir string) (*redisServer, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	addr, err := harness.FreeAddress()
	if err != nil {
		return nil, err
	}
	logging.Disable() // connections break on purpose
	r := &redisServer{dir: dir, addr: addr, client: goredis.NewClient(&goredis.Options{Addr: addr, DisableIdentity: true})}
	return r, r.start(ctx)
}

func (r *redisServer) url() string { return "redis://" + r.addr + "/0" }

func (r *redisServer) dump() string { return filepath.Join(r.dir, "dump.rdb") }

// start runs the server and waits until it answers. The server loads its dump if there is one.
func (r *redisServer) start(ctx context.Context) error {
	host, port, err := net.SplitHostPort(r.addr)
	if err != nil {
		return err
	}
	cmd := exec.Command("redis-server", "--bind", host, "--port", port, "--dir", r.dir, "--save", "", "--appendonly", "no")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a terminal's interrupt is not for it
	r.stdout.Reset()
	cmd.Stdout = &r.stdout
	if r.proc, err = harness.Begin(cmd); err != nil {
		return err
	}
	answers := func() bool { return r.client.Ping(ctx).Err() == nil }
	if err := harness.Await(ctx, "redis-server to answer", answers, r.proc.Exited()); err != nil {
		return fmt.Errorf("%w\n%s", err, r.stdout.String())
	}
	return nil
}

// contents returns a dump of the server.
func (r *redisServer) contents(ctx context.Context) ([]byte, error) {
	if err := r.client.Save(ctx).Err(); err != nil {
		return nil, err
	}
	return os.ReadFile(r.dump())
}

var windowReads = regexp.MustCompile(`cmdstat_get:calls=(\d+)`)

// count adds the windows that slotway has read since the last start.
func (r *redisServer) count(ctx context.Context) error {
	info, err := r.client.Info(ctx, "commandstats").Result()
	if err != nil {
		return err
	}
	if m := windowReads.FindStringSubmatch(info); m != nil {
		n, err := strconv.Atoi(m[1])
		r.reads += n
		return err
	}
	return nil
}
