package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/scripts/harness"
)

// needServers skips a test where the servers that it starts are not installed.
func needServers(t *testing.T) {
	t.Helper()
	_, err := harness.NewPostgres(t.TempDir())
	if err == nil {
		_, err = exec.LookPath("redis-server")
	}
	switch {
	case err != nil && os.Getenv("SLOTWAY_REQUIRE_SERVICES") == "1":
		t.Fatal(err)
	case err != nil:
		t.Skip(err)
	}
}

// The database and the cache die under three replicas, end to end.
func TestDatabaseDies(t *testing.T) {
	t.Parallel()
	needHeavy(t)
	needServers(t)
	var stdout, stderr bytes.Buffer
	args := []string{"-replicas", "3", "-own-database", "-redis", "-cycles", "6", "-faults", "clock", "-clients", "12", "-sessions", "24", "-seed", "43", "-json"}
	if code := run(t.Context(), args, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, stdout.String(), stderr.String())
	}
	var r report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	deaths := 0
	for _, d := range databaseDeaths {
		if o := r.Fleet.Outages[d.kind]; o != nil {
			deaths += o.Times
		}
	}
	if r.Cycles != 6 || deaths != 2 || r.Harms[cacheEmptied]+r.Harms[cacheStale] != 2 || r.Fleet.Windows == 0 {
		t.Errorf("%d deaths of the database in %s", deaths, stdout.String())
	}
	if r.Harms[dbKilled] == 0 {
		t.Error("it was not killed: choose another seed")
	}
}

// Each death of the database does what it says, and what was committed is there afterwards.
func TestEveryDeathOfTheDatabase(t *testing.T) {
	t.Parallel()
	needHeavy(t)
	needServers(t)
	c, err := newCluster(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.remove(); err != nil {
			t.Error(err)
		}
	})
	connect := func() *pgx.Conn {
		conn, err := pgx.Connect(t.Context(), c.DSN("postgres"))
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	conn := connect()
	if _, err := conn.Exec(t.Context(), `CREATE TABLE said (death text)`); err != nil {
		t.Fatal(err)
	}
	s := &service{harms: map[string]int{}}
	rng := rand.New(rand.NewPCG(3, 50)) // it dies in the midst of its recovery too, and stalls for one second
	var want []string
	for _, d := range databaseDeaths {
		want = append(want, d.kind)
		if _, err := conn.Exec(t.Context(), `INSERT INTO said VALUES ($1)`, d.kind); err != nil {
			t.Fatalf("%s: %v", d.kind, err)
		}
		if err := d.do(c, t.Context(), s, rng); err != nil {
			t.Fatalf("%s: %v", d.kind, err)
		}
		if alive := conn.Ping(t.Context()) == nil; alive != (d.kind == dbStalled) {
			t.Errorf("%s: a connection from before lives: %v", d.kind, alive)
		}
		_ = conn.Close(t.Context()) // most are broken
		conn = connect()
		rows, err := conn.Query(t.Context(), `SELECT death FROM said`)
		if err != nil {
			t.Fatal(err)
		}
		got, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("after %s: %v (-want +got)\n%s", d.kind, err, diff)
		}
	}
	_ = conn.Close(t.Context())
	if s.harms[dbRecovering] == 0 {
		t.Error("it was not killed while it recovered: choose another seed")
	}
}

func TestOutages(t *testing.T) {
	back := time.Now()
	at := func(ms ...int) (all []time.Time) {
		for _, n := range ms {
			all = append(all, back.Add(time.Duration(n)*time.Millisecond))
		}
		return all
	}
	o := outages{}
	o.of(dbKilled).recovered(back, at(30, 20, 90), true)
	o.of(dbKilled).recovered(back, at(7, 700, 8), false)
	o.of(dbKilled).recovered(back, at(60, 50, 40), true)
	want := &outage{Statuses: map[string]int{}, First: spread{Median: 20, Max: 40}, All: spread{Median: 90, Max: 90}}
	if diff := cmp.Diff(want, o[dbKilled], cmpopts.IgnoreUnexported(spread{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWindowsAreHeldAgainstTheTurns(t *testing.T) {
	s := &session{last: 3}
	for n, id := range []string{"a", "b", "c"} {
		s.turns = append(s.turns, turn(id, int64(n)+1))
	}
	whole := []windowMessage{{2, "user", "say b"}, {2, "agent", "reply to b"}, {3, "user", "say c"}, {3, "tool", "[]"}, {3, "agent", "reply to c"}}
	if wrong := s.contradicts(whole); wrong != "" {
		t.Errorf("a good window is wrong: %s", wrong)
	}
	for name, window := range map[string][]windowMessage{
		"empty":           nil,
		"stale":           whole[:2],
		"ahead":           append(whole[:5:5], windowMessage{4, "user", "say d"}),
		"another message": {{3, "user", "say b"}, {3, "agent", "reply to c"}},
		"another reply":   {{3, "user", "say c"}, {3, "agent", "reply to b"}},
		"unknown turn":    {{0, "user", "say"}, {3, "agent", "reply to c"}},
	} {
		if s.contradicts(window) == "" {
			t.Errorf("%s: nothing is wrong with it", name)
		}
	}
}
