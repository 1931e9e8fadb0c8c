package postgres

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// BenchmarkTurn is one turn as the router makes it: load with window and request id, change,
// commit. Beside the rate it reports what a turn costs: round trips, bytes of write-ahead log
// and of tables, and microseconds of CPU here and, when the server runs on this machine, in
// the server's connections.
func BenchmarkTurn(b *testing.B) {
	for _, c := range []struct {
		name                       string
		opts                       Options
		history, clients, sessions int
	}{
		{"described/clients=1", Options{Pooled: true}, 10, 1, 1},
		{"described/clients=16", Options{Pooled: true}, 10, 16, 256},
		{"prepared/clients=1", Options{}, 10, 1, 1},
		{"prepared/clients=1/history=10000", Options{}, 10_000, 1, 1},
		{"prepared/clients=1/no heads", Options{CacheCounters: -1}, 10, 1, 1},
		{"prepared/clients=16", Options{}, 10, 16, 256},
		{"prepared/clients=64", Options{}, 10, 64, 1024},
	} {
		b.Run(c.name, func(b *testing.B) { benchTurns(b, &c.opts, c.history, c.clients, c.sessions) })
	}
}

func benchTurns(b *testing.B, opts *Options, history, clients, sessions int) {
	dsn := newSchema(b)
	s := open(b, dsn, opts)
	for i := range sessions {
		preload(b, s, testKey(i), history)
	}
	var warm sync.WaitGroup // connections and descriptions
	for i := range min(clients, 16) {
		warm.Go(func() {
			for range 50 {
				benchTurn(b, s, testKey(i*(sessions/clients)))
			}
		})
	}
	warm.Wait()
	pids := backends(b, s)
	execute(b, dsn, `CHECKPOINT`)
	const size = `SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`
	const wal = `SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint`
	bytes, log, trips, here, there := value[int64](b, dsn, size), value[int64](b, dsn, wal), s.pool.Stat().AcquireCount(), ownCPU(), serverCPU(pids)
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ReportAllocs()
	b.ResetTimer()
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			own := sessions / clients // no session has two clients
			for n := 0; left.Add(-1) >= 0; n++ {
				benchTurn(b, s, testKey(c*own+n%own))
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	n := float64(b.N)
	b.ReportMetric(n/b.Elapsed().Seconds(), "turns/s")
	b.ReportMetric(float64(ownCPU()-here)/n/1e3, "cpu-µs/turn")
	if there >= 0 {
		b.ReportMetric(float64(serverCPU(pids)-there)/n/1e3, "server-cpu-µs/turn")
	}
	b.ReportMetric(float64(s.pool.Stat().AcquireCount()-trips)/n, "trips/turn")
	b.ReportMetric(float64(value[int64](b, dsn, wal)-log)/n, "wal-B/turn")
	b.ReportMetric(float64(value[int64](b, dsn, size)-bytes)/n, "table-B/turn")
}

func preload(tb testing.TB, store memory.Backend, key memory.Key, messages int) {
	d := &memory.Delta{Key: key, At: noon, State: memory.State{Params: map[string]any{"order_id": "O-12345", "customer": "c"}}}
	for i := range messages {
		d.Messages = append(d.Messages, memory.Message{Seq: int64(i + 1), Turn: 1, Role: memory.User, Text: benchQuestion, Timestamp: noon})
	}
	if err := store.Commit(context.Background(), d); err != nil {
		tb.Fatal(err)
	}
}

// What a turn says, as long as in the benchmark of memory/sqlite.
const (
	benchQuestion = "Hello, I would like to know where my order O-12345 is, please."
	benchAnswer   = "Your order O-12345 was shipped on Monday and should arrive by Thursday."
	benchResponse = `{"reply":"Your order O-12345 was shipped on Monday and should arrive by Thursday.","intent":"order_status","state":"responded"}`
)

func benchTurn(tb testing.TB, store memory.Backend, key memory.Key) {
	ctx := context.Background()
	snap, err := store.Load(ctx, key, memory.LoadOptions{Recent: 16, RequestID: "a request not seen before"})
	if err == nil {
		n := snap.Turns + 1
		err = store.Commit(ctx, &memory.Delta{
			Key: key, Base: snap.State.Version, At: noon, State: snap.State,
			Messages: []memory.Message{
				{Seq: snap.NextSeq, Turn: n, Role: memory.User, Text: benchQuestion, Timestamp: noon, Tokens: 16},
				{Seq: snap.NextSeq + 1, Turn: n, Role: memory.Agent, Text: benchAnswer, Timestamp: noon, Tokens: 16},
			},
			Turn: &memory.Turn{
				RequestID: fmt.Sprintf("request-%016x", uint64(n)*0x9e3779b97f4a7c15), Number: n, Intent: "order_status",
				Outcome: "responded", Response: []byte(benchResponse), At: noon,
			},
		})
	}
	if err != nil {
		tb.Error(err)
	}
}

// backends are the processes of the server behind the pool's connections.
func backends(tb testing.TB, s *Store) (pids []uint32) {
	tb.Helper()
	for _, c := range s.pool.AcquireAllIdle(context.Background()) {
		pids = append(pids, c.Conn().PgConn().PID())
		defer c.Release()
	}
	return pids
}

func ownCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// serverCPU is what the processes have used, by proc(5), in ticks of 10 ms; -1 where they are
// not on this machine. Connections that are made later do not count.
func serverCPU(pids []uint32) time.Duration {
	var total time.Duration
	for _, pid := range pids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return -1
		}
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		for _, f := range fields[11:13] { // utime, stime
			ticks, _ := strconv.ParseInt(f, 10, 64)
			total += time.Duration(ticks) * 10 * time.Millisecond
		}
	}
	return total
}
