package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
)

func newBench(f *flags) *cobra.Command {
	cmd := &cobra.Command{Use: "bench", Example: "  slotway bench turns --sessions 1000", Short: "Run the benchmark of turns behind the documented figures"}
	return group(cmd, newBenchTurns(f))
}

// benchFlags configure `bench turns`.
type benchFlags struct {
	sessions   int
	clients    int
	history    int
	stored     int // sessions of others in the store
	durability string
	duration   time.Duration
	tools      string
	json       bool
	dsn        string // of PostgreSQL; "": SQLite
	cpuProfile string // file for the profile of the measured turns; "": none
	user       string // that the sessions belong to; default benchUser
	database   string // file that the turns are stored in, once they are
	opened     int    // sessions left waiting for an answer, to see what one costs
}

func newBenchTurns(f *flags) *cobra.Command {
	var b benchFlags
	cmd := &cobra.Command{
		Use: "turns",
		Example: `  slotway bench turns
  slotway bench turns --sessions 1000 --json`,
		Short: "Measure turns per second of the default agent's order lookup",
		Long: `Measure the order lookup of the default agent: the agent asks for the number after
"I want to check my order", then looks up "It's O-12345" and answers. Without --history every
conversation is a new session; with it, each session starts with that many messages and is used
for the whole run. Then --waiting sessions are left in the middle of their lookup, which shows what
one costs in memory and how long it takes to go on. The database is created in a folder of its own (inside --data, otherwise in
the system's temporary folder) and removed afterwards.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if b.opened < 1 {
				return usagef("--waiting must be above zero")
			}
			if err := b.check(); err != nil {
				return err
			}
			result, err := b.run(cmd, f)
			if err != nil {
				return err
			}
			return output(cmd, b.json, result, printBench)
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&b.sessions, "sessions", 64, "conversations under way at once")
	fl.IntVar(&b.clients, "clients", 0, "goroutines that talk (default: one a session, at most 64)")
	fl.IntVar(&b.history, "history", 0, "messages that each session begins with")
	fl.IntVar(&b.stored, "stored", 0, "other sessions that the store holds before the measurement begins")
	fl.IntVar(&b.opened, "waiting", 10_000, "sessions left waiting for an answer, to see what they cost")
	fl.StringVar(&b.durability, "durability", "durable", "durable, relaxed, or none: kept in memory only")
	fl.DurationVar(&b.duration, "duration", 5*time.Second, "how long to measure")
	fl.StringVar(&b.dsn, "dsn", "", "measure on this PostgreSQL database, where what is written stays; run it several times at once for replicas")
	fl.StringVar(&b.tools, "tools", "sql", "sql: the demo shop's database; static: fixed results, which leaves the runtime alone")
	fl.StringVar(&b.cpuProfile, "cpuprofile", "", "write a CPU profile of the measured turns to this file, for 'go tool pprof'")
	fl.BoolVar(&b.json, "json", false, "one JSON object")
	return cmd
}

func (b *benchFlags) check() error {
	switch {
	case b.sessions < 1 || b.clients < 0 || b.history < 0 || b.stored < 0 || b.duration <= 0:
		return usagef("--sessions and --duration must be above zero, --clients, --history and --stored not below")
	case b.durability != "durable" && b.durability != "relaxed" && b.durability != "none":
		return usagef("--durability is durable, relaxed or none, got %q", b.durability)
	case b.tools != "sql" && b.tools != "static":
		return usagef("--tools is sql or static, got %q", b.tools)
	}
	if b.dsn != "" {
		b.user, b.durability = benchUser+"-"+rand.Text(), "postgres" // others measure beside us
	}
	if b.clients == 0 {
		b.clients = min(b.sessions, 64)
	}
	b.clients = min(b.clients, b.sessions)
	return nil
}

// benchResult is the result of `bench turns`.
type benchResult struct {
	Sessions       int     `json:"sessions"`
	Clients        int     `json:"clients"`
	History        int     `json:"history"`               // messages of a session at the beginning
	Stored         int     `json:"stored"`                // other sessions in the store at the beginning
	HistoryAtEnd   float64 `json:"history_at_end"`        // and at the end, on average
	Durability     string  `json:"durability"`            // durable, relaxed, none or postgres
	Tools          string  `json:"tools"`                 // sql or static
	Turns          int     `json:"turns"`                 // measured
	TurnsPerS      float64 `json:"turns_per_s"`           // all clients together
	P50            float64 `json:"p50_us"`                // of one turn
	P99            float64 `json:"p99_us"`                //
	Max            float64 `json:"max_us"`                //
	CPU            float64 `json:"cpu_us_per_turn"`       // of the whole process; 0 if unknown
	Allocs         float64 `json:"allocs_per_turn"`       // objects
	RawCommits     float64 `json:"raw_commits_per_s"`     // the database alone with the same rows and clients; 0 with none
	Ratio          float64 `json:"ratio_to_raw"`          // turns_per_s by raw_commits_per_s
	RawBytes       float64 `json:"raw_bytes_per_turn"`    // growth of the database by those commits
	Append         float64 `json:"append_us"`             // median of an append of 2 kB with fsync; 0 with none
	BytesPerTurn   float64 `json:"bytes_per_turn"`        // growth of the database; 0 with none
	KBPerSession   float64 `json:"kb_per_session"`        // heap per open session, over live_sessions of them
	KBPerCached    float64 `json:"kb_per_cached_session"` // the same over as many sessions as the cache holds
	LiveSessions   int     `json:"live_sessions"`
	Resumed        float64 `json:"resume_p50_us"`        // the answer to a session that waits in the file
	ResumedCached  float64 `json:"resume_cached_p50_us"` // and in the cache
	MaxCached      int     `json:"max_conversations"`    // the setting that bounds what stays in memory
	ElapsedSeconds float64 `json:"elapsed_s"`
}

func printBench(out io.Writer, r *benchResult) error {
	rows := [][2]string{
		{"turns per second", fmt.Sprintf("%.0f (%d turns, %d clients, %d sessions, %s, tools %s)", r.TurnsPerS, r.Turns, r.Clients, r.Sessions, r.Durability, r.Tools)},
		{"a turn takes", fmt.Sprintf("%.0f µs (p50), %.0f µs (p99), %.0f µs (max)", r.P50, r.P99, r.Max)},
		{"a turn costs", fmt.Sprintf("%.0f µs of CPU, %.0f allocations, %.0f bytes on disk", r.CPU, r.Allocs, r.BytesPerTurn)},
		{"history", fmt.Sprintf("%d messages at the beginning, %.0f at the end", r.History, r.HistoryAtEnd)},
	}
	if r.RawCommits > 0 {
		rows = append(rows, [2]string{"of bare commits", fmt.Sprintf("%.2f of %.0f per second, of %.0f bytes each", r.Ratio, r.RawCommits, r.RawBytes)},
			[2]string{"of a bare append", fmt.Sprintf("%.1f times the %.0f µs (p50) of 2 kB with fsync", r.P50/r.Append, r.Append)})
	}
	if r.LiveSessions > 0 { // not with PostgreSQL: other processes use the same database
		rows = append(rows, [2]string{"an open session", fmt.Sprintf("%.2f KB of memory (%d sessions), %.2f KB while it is cached (at most %d)",
			r.KBPerSession, r.LiveSessions, r.KBPerCached, r.MaxCached)})
	}
	if r.Resumed > 0 {
		rows = append(rows, [2]string{"to go on with it takes", fmt.Sprintf("%.0f µs (p50), %.0f µs while it is cached", r.Resumed, r.ResumedCached)})
	}
	return printRows(out, rows)
}

// quantile returns the duration below which a share p of all lies, in microseconds; 0 for none.
func quantile(sorted []time.Duration, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return float64(sorted[int(p*float64(len(sorted)-1))].Nanoseconds()) / 1e3
}

// databaseBytes is the size of a database including its log; 0 if it cannot be read.
func databaseBytes(ctx context.Context, path string) int64 {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return 0
	}
	defer db.Close()
	var pages, size int64
	if db.QueryRowContext(ctx, "SELECT page_count, page_size FROM pragma_page_count, pragma_page_size").Scan(&pages, &size) != nil {
		return 0
	}
	return pages * size
}

// live opens sessions with one turn each in a runtime of its own and measures how the heap grows: per
// session while all of them are cached, and over all.
func (b *benchFlags) live(ctx context.Context, cmd *cobra.Command, f *flags, dir string, r *benchResult) (err error) {
	a, err := b.app(ctx, f, filepath.Join(dir, "live"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if err := b.warmUp(ctx, a); err != nil {
		return err
	}
	bar := countBar(cmd, "sessions", b.opened)
	defer bar.finish()
	before := heapBytes()
	cached := min(b.opened, r.MaxCached) - warmSessions // those of the warm-up have places too
	if cached > 0 {
		if err := b.open(ctx, a, 0, cached, bar); err != nil {
			return err
		}
		r.KBPerCached = float64(heapBytes()-before) / 1024 / float64(cached)
	}
	if err := b.open(ctx, a, max(cached, 0), b.opened, bar); err != nil {
		return err
	}
	r.KBPerSession = float64(heapBytes()-before) / 1024 / float64(b.opened)
	return b.resume(ctx, a, r)
}

// resumed is how many of the sessions that wait are answered, one after the other.
const resumed = 200

// resume answers sessions that were opened last, which are cached, and some that were opened first, which
// are not if there are more than the cache holds.
func (b *benchFlags) resume(ctx context.Context, a *slotway.Runtime, r *benchResult) (err error) {
	n := min(resumed, b.opened/2, r.MaxCached)
	if r.ResumedCached, err = b.answer(ctx, a, b.opened-n, b.opened); err != nil || b.opened < r.MaxCached+n {
		return err
	}
	r.Resumed, err = b.answer(ctx, a, 0, n)
	return err
}

// answer gives waiting sessions what they wait for, and returns the median of the durations in microseconds.
func (b *benchFlags) answer(ctx context.Context, a *slotway.Runtime, from, until int) (p50 float64, err error) {
	var all []time.Duration
	for i := from; i < until; i++ {
		took, err := (&slot{key: b.key(a, fmt.Sprintf("live-%d", i)), n: 1}).turn(ctx, a)
		if err != nil {
			return 0, err
		}
		all = append(all, took)
	}
	slices.Sort(all)
	return quantile(all, 0.5), nil
}

// open begins the sessions from one number up to another, which is excluded.
func (b *benchFlags) open(ctx context.Context, a *slotway.Runtime, from, until int, bar *bar) error {
	const clients = 64
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for i := from + c; i < until && ctx.Err() == nil; i += clients {
				if _, err := (&slot{key: b.key(a, fmt.Sprintf("live-%d", i))}).turn(ctx, a); err != nil {
					cancel(err)
				}
				bar.add(1)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// heapBytes is the size of the heap after garbage collection, pools included.
func heapBytes() int64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// appendTime is the median time in microseconds of an append of a turn's bytes that is on disk when it
// returns: nothing that must last is faster.
func appendTime(path string, d time.Duration) (median float64, err error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, fmt.Errorf("measure an append: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var took []time.Duration
	for end := time.Now().Add(d); time.Now().Before(end); {
		begin := time.Now()
		if _, err := file.Write(make([]byte, appendBytes)); err != nil {
			return 0, fmt.Errorf("measure an append: %w", err)
		}
		if err := file.Sync(); err != nil {
			return 0, fmt.Errorf("measure an append: %w", err)
		}
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	return quantile(took, 0.5), nil
}

// appendBytes is about what a turn adds to the database.
const appendBytes = 2000

// storedWriters is how many sessions are written at a time: the store commits them together.
const storedWriters = 128

// storeOthers fills the store with sessions of other users, of one finished order lookup each, that
// nobody talks to during the measurement.
func (b *benchFlags) storeOthers(ctx context.Context, cmd *cobra.Command, a *slotway.Runtime) error {
	bar := countBar(cmd, "stored", b.stored)
	defer bar.finish()
	now := memory.Moment(time.Now())
	var next atomic.Int64
	var all sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for range storedWriters {
		all.Go(func() {
			for i := next.Add(1); i <= int64(b.stored) && ctx.Err() == nil; i = next.Add(1) {
				err := a.Store().Commit(ctx, b.storedSession(a, i, now))
				mu.Lock()
				if bar.add(1); err != nil && failed == nil {
					failed = fmt.Errorf("store a session: %w", err)
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	all.Wait()
	if failed == nil {
		failed = ctx.Err()
	}
	return failed
}

// storedSession is the whole of a session in one commit.
func (b *benchFlags) storedSession(a *slotway.Runtime, i int64, now time.Time) *memory.Delta {
	key := memory.Key{UserID: fmt.Sprintf("%s-%d", benchUser, i%1000), AgentID: a.Agent().ID, SessionID: fmt.Sprintf("stored-%d", i)}
	reply := "Order " + benchOrder + ", wool blanket, is pending. Expected arrival: Friday."
	d := &memory.Delta{
		Key: key, At: now,
		State: memory.State{Params: map[string]any{"order_id": benchOrder}, LastIntentID: "order_status"},
		Turn: &memory.Turn{
			RequestID: fmt.Sprintf("request-%016x", uint64(i)*0x9e3779b97f4a7c15), Number: 1, Intent: "order_status", Outcome: "responded",
			Response: []byte(`{"session_id":"` + key.SessionID + `","turn":1,"intent":"order_status","reply":"` + reply + `","params":{"order_id":"` + benchOrder + `"}}`), At: now,
		},
	}
	for n, text := range []string{benchQuestion, "What's your order number?", benchAnswer, reply} {
		role := memory.User
		if n%2 == 1 {
			role = memory.Agent
		}
		d.Messages = append(d.Messages, memory.Message{Seq: int64(n + 1), Turn: 1, Role: role, Text: text, Timestamp: now})
	}
	return d
}

// profile records where the CPU time goes until stop is called, for `go tool pprof`. file "": nowhere.
func profile(file string) (stop func() error, err error) {
	if file == "" {
		return func() error { return nil }, nil
	}
	out, err := os.Create(file)
	if err != nil {
		return nil, fmt.Errorf("write the CPU profile: %w", err)
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return nil, errors.Join(fmt.Errorf("write the CPU profile: %w", err), out.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return out.Close()
	}, nil
}
