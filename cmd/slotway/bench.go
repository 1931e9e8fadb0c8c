package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
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
