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

// redisServer is a Redis of the command's own, over all its lives.
type redisServer struct {
	dir    string
	addr   string
	client *goredis.Client

	proc   *harness.Program // the life that runs, or the last one
	stdout harness.Tail     // of it

	old []byte // what it held some time ago; nil: it was not asked yet

	reads    int // windows that were asked for
	restored int // entries that it had after it was started with what it held before
}

// newRedisServer starts one, with a folder of its own.
func newRedisServer(ctx context.Context, dir string) (*redisServer, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	addr, err := harness.FreeAddress()
	if err != nil {
		return nil, err
	}
	logging.Disable() // of connections that break, which they are to
	r := &redisServer{dir: dir, addr: addr, client: goredis.NewClient(&goredis.Options{Addr: addr, DisableIdentity: true})}
	return r, r.start(ctx)
}

func (r *redisServer) url() string { return "redis://" + r.addr + "/0" }

func (r *redisServer) dump() string { return filepath.Join(r.dir, "dump.rdb") }

// start runs the server until it answers. It begins with what is in its dump, if there is one.
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

// contents are what it holds now.
func (r *redisServer) contents(ctx context.Context) ([]byte, error) {
	if err := r.client.Save(ctx).Err(); err != nil {
		return nil, err
	}
	return os.ReadFile(r.dump())
}

var windowReads = regexp.MustCompile(`cmdstat_lrange:calls=(\d+)`)

// count adds up how often this life of it was asked for a window.
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
