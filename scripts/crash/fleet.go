package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// fleet holds the proxy in front of the replicas of a service and the servers behind them.
type fleet struct {
	size     int
	sessions int           // in all
	cut      time.Duration // length of each partition from the database; 0: none
	link     *link         // nil: the database is a file
	kept     *pgDatabase   // nil: likewise
	own      *cluster      // the server of kept, if the command started it
	redis    *redisServer  // nil: there is no cache
	dying    []int         // the next deaths of own
	outages  outages

	proxy  *roundRobin
	server *http.Server
	served sync.WaitGroup

	patient atomic.Bool // the clients wait longer, because the database is out of reach
	tally   tally
}

// newFleet makes the ledger as a service of replicas.
func newFleet(ctx context.Context, dir, binary string, o options) (*service, error) {
	s := newLedger(dir, binary, o.clients, o.faults)
	f := &fleet{size: o.replicas, sessions: o.sessions, cut: o.partition, outages: outages{}}
	f.tally.begin(o.replicas)
	s.fleet = f
	if o.dsn == "" && !o.ownDatabase {
		return s, nil
	}
	if err := f.serve(ctx, dir, o, s); err != nil {
		f.close()
		return nil, errors.Join(err, f.drop())
	}
	return s, nil
}

// serve makes the shared database, and its server and cache if the options ask for them.
func (f *fleet) serve(ctx context.Context, dir string, o options, s *service) (err error) {
	if o.ownDatabase {
		if f.own, err = newCluster(ctx); err != nil {
			return err
		}
		o.dsn = f.own.DSN("postgres")
	}
	if f.kept, err = newDatabase(ctx, o.dsn); err != nil {
		return err
	}
	s.database = f.kept
	dsn, err := f.connect()
	if err != nil {
		return err
	}
	s.args = append(s.args, "--set", "memory.storage=postgres", "--set", "memory.dsn="+dsn)
	if o.redis {
		if f.redis, err = newRedisServer(ctx, filepath.Join(dir, "redis")); err != nil {
			return err
		}
		s.args = append(s.args, "--set", "memory.redis_url="+f.redis.url())
	}
	return nil
}

// drop removes the database, or the command's own server.
func (f *fleet) drop() (err error) {
	switch {
	case f.own != nil:
		return f.own.remove()
	case f.kept != nil:
		return f.kept.drop()
	}
	return nil
}

// leave ends the command's own server and prints its folder.
func (f *fleet) leave(stderr io.Writer) error {
	if f.own == nil {
		return nil
	}
	fmt.Fprintln(stderr, "crash: the PostgreSQL server's folder is "+f.own.dir)
	return f.own.Stop(syscall.SIGINT)
}

// connect makes the link and returns the dsn that goes over it.
func (f *fleet) connect() (dsn string, err error) {
	addr, err := f.kept.address()
	if err != nil {
		return "", err
	}
	if f.link, err = newLink(addr); err != nil {
		return "", err
	}
	return f.kept.by(f.link.addr)
}

// open starts the proxy in front of the replicas and returns its address.
func (f *fleet) open(replicas []*process) (addr string, err error) {
	var addrs []string
	for _, p := range replicas {
		addrs = append(addrs, p.Addr)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	f.proxy = newRoundRobin(addrs, f.tally.add)
	f.server = &http.Server{Handler: f.proxy, ReadHeaderTimeout: 10 * time.Second}
	f.served.Go(func() { _ = f.server.Serve(listener) }) // until close
	return listener.Addr().String(), nil
}

func (f *fleet) close() {
	if f.server != nil {
		_ = f.server.Close()
		f.served.Wait()
	}
	if f.link != nil {
		f.link.close()
	}
	if f.redis != nil {
		f.redis.proc.Kill()
	}
}

// perClient returns the number of sessions of each client, at least one.
func (f *fleet) perClient(clients int) int { return max(1, (f.sessions+clients-1)/clients) }

// victim chooses a replica, every other time the busiest one.
func (f *fleet) victim(s *service, rng *rand.Rand) (*process, int) {
	i := rng.IntN(f.size)
	if rng.IntN(2) == 0 {
		i = f.proxy.busiest()
	}
	return s.processes[i], i
}

// wait bounds the time for one answer; 0: the HTTP client does.
func (s *service) wait() time.Duration {
	switch {
	case s.fleet != nil && s.fleet.patient.Load():
		return patientWait
	case s.faults.pauses:
		return clientWait
	}
	return 0
}

// rest returns the pause before a client sends a message again.
func (s *service) rest(rng *rand.Rand) time.Duration {
	if s.fleet == nil {
		return 10 * time.Millisecond
	}
	return time.Duration(50+rng.IntN(200)) * time.Millisecond
}

// tally counts the answers of the replicas.
type tally struct {
	mu       sync.Mutex // guards what follows
	statuses map[string]int
	codes    map[string]int // of refusals
	bare     int            // 503 without Retry-After
	odd      int            // unexpected statuses
	during   *partition
	first    []time.Time // first turn of each replica since watch
}

func (t *tally) begin(replicas int) {
	t.statuses, t.codes, t.first = map[string]int{}, map[string]int{}, make([]time.Time, replicas)
}

// expected reports whether a replica may give such an answer: a success, or a status that allows
// the client to send the request again. An erasure gets 204, or 404 if it is done already.
func expected(a answer) bool {
	switch a.status {
	case http.StatusOK:
		return true
	case http.StatusNoContent, http.StatusNotFound:
		return a.method == http.MethodDelete
	}
	return harness.Repeatable(a.status)
}

func (t *tally) add(a answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	status := strconv.Itoa(a.status)
	t.statuses[status]++
	if a.status >= http.StatusBadRequest {
		t.codes[a.code]++
	}
	unavailable := a.status == http.StatusServiceUnavailable
	if unavailable && a.after == "" {
		t.bare++
	}
	if !expected(a) {
		t.odd++
	}
	if a.status == http.StatusOK && a.method == http.MethodPost && t.first[a.replica].IsZero() {
		t.first[a.replica] = time.Now()
	}
	if p := t.during; p != nil {
		p.Statuses[status]++
		if unavailable && a.after != "" {
			p.Unavailable++
			p.waits = append(p.waits, a.took)
		}
	}
}

// watch starts to count for a partition, or for none if p is nil.
func (t *tally) watch(p *partition) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.during = p
	clear(t.first)
}

// answered returns the time of the first turn of each replica since watch, and whether all have
// answered one.
func (t *tally) answered() (first []time.Time, all bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all = true
	for _, at := range t.first {
		all = all && !at.IsZero()
		first = append(first, at)
	}
	return first, all
}
