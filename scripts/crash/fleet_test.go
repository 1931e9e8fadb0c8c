package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"
)

func TestTallyOfStatuses(t *testing.T) {
	var tl tally
	tl.begin(2)
	p := &partition{Statuses: map[string]int{}}
	tl.add(answer{status: 200, method: http.MethodPost})
	tl.watch(p)
	if _, all := tl.answered(); all {
		t.Error("an answer from before counts")
	}
	for _, a := range []answer{
		{replica: 0, method: http.MethodPost, status: 503, after: "1", took: 7e6},
		{replica: 0, method: http.MethodPost, status: 503, after: "1", took: 3e6, code: "draining"},
		{replica: 0, method: http.MethodPost, status: 503, after: "1", took: 9e6},
		{replica: 1, method: http.MethodPost, status: 503},
		{replica: 1, method: http.MethodPost, status: 500},
		{replica: 1, method: http.MethodPost, status: 404},
		{replica: 1, method: http.MethodDelete, status: 404},
		{replica: 0, method: http.MethodPost, status: 429},
		{replica: 0, method: http.MethodPost, status: 504},
	} {
		tl.add(a)
	}
	want := &partition{Statuses: map[string]int{"503": 4, "500": 1, "404": 2, "429": 1, "504": 1}, Unavailable: 3, MedianMS: 7, SlowestMS: 9}
	p.measure()
	if diff := cmp.Diff(want, p, cmpopts.IgnoreUnexported(partition{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{"": 8, "draining": 1}, tl.codes); diff != "" {
		t.Error(diff)
	}
	if tl.bare != 1 || tl.odd != 2 {
		t.Errorf("%d without Retry-After, %d unexpected", tl.bare, tl.odd)
	}
	tl.watch(nil)
	tl.add(answer{replica: 0, method: http.MethodPost, status: 200})
	tl.add(answer{replica: 1, method: http.MethodGet, status: 200})
	if _, all := tl.answered(); all {
		t.Error("one replica has not answered yet")
	}
	tl.add(answer{replica: 1, method: http.MethodPost, status: 200})
	if first, all := tl.answered(); !all || first[0].After(first[1]) {
		t.Errorf("%v", first)
	}
	if diff := cmp.Diff(4, p.Statuses["503"]); diff != "" {
		t.Error("a partition that is over still counts")
	}
}

func TestConversationsThatMove(t *testing.T) {
	question := "append"
	asks := reply{Confirming: &question}
	done := reply{}
	if err := json.Unmarshal([]byte(`{"tool_calls":[{"tool":"append","status":"ok"}]}`), &done); err != nil {
		t.Fatal(err)
	}
	r := fleetReport{Replicas: 3}
	for _, turns := range [][]said{
		{{by: 1}, {by: 1}},
		{{by: 1}, {by: 2}, {by: 2}, {by: 3}},
		{{by: 2, reply: asks}, {by: 3, reply: done}, {by: 1, reply: asks}, {by: 1, reply: done}},
		{{by: 0}, {by: 2}},
	} {
		r.take(&session{turns: turns})
	}
	want := fleetReport{Replicas: 3, SessionsOnSeveral: 2, MovedTurns: 4, MovedConfirmations: 1}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
	if bad := r.violations(); len(bad) > 0 {
		t.Errorf("a good run fails: %q", bad)
	}
	for name, spoil := range map[string]func(*fleetReport){
		"nothing moved":     func(r *fleetReport) { r.MovedTurns = 0 },
		"no yes moved":      func(r *fleetReport) { r.MovedConfirmations = 0 },
		"bare 503":          func(r *fleetReport) { r.Bare = 1 },
		"500":               func(r *fleetReport) { r.Odd = 1 },
		"no partition":      func(r *fleetReport) { r.NoPartition = 1 },
		"a wrong window":    func(r *fleetReport) { r.WrongWindows = 1 },
		"an idle cache":     func(r *fleetReport) { r.Cache = &cacheReport{} },
		"a silent database": func(r *fleetReport) { r.Partitions = []*partition{{Kind: held, Seconds: 30}} },
	} {
		bad := r
		spoil(&bad)
		if got := bad.violations(); len(got) != 1 {
			t.Errorf("%s: %q", name, got)
		}
	}
	r.Partitions = []*partition{{Kind: held, Seconds: 2}}
	if bad := r.violations(); len(bad) > 0 {
		t.Errorf("a partition that ends before anybody gives up: %q", bad)
	}
	if bad := (&fleetReport{Replicas: 1}).violations(); len(bad) > 0 {
		t.Errorf("one replica alone: %q", bad)
	}
}

func TestPartitionsAreSpread(t *testing.T) {
	f := &fleet{cut: 1}
	made := 0
	var at []int
	for over := range 100 {
		if _, due := f.due(float64(over)/100, made); due {
			at = append(at, over)
			made++
		}
	}
	if diff := cmp.Diff([]int{34, 67}, at); diff != "" {
		t.Error(diff)
	}
	if _, due := (&fleet{}).due(1, 0); due {
		t.Error("one is made that nobody asked for")
	}
}

func TestWrongFleetFlags(t *testing.T) {
	for _, args := range []string{
		"-replicas -1", "-replicas 3", "-dsn postgres://u@h/d", "-partition 1s", "-replicas 1 -partition 1s",
		"-replicas 1 -sessions 0", "-sessions 5", "-own-database", "-redis", "-replicas 1 -redis", "-replicas 2 -own-database -dsn postgres://u@h/d", "-cycles 3 -minutes 1", "-minutes -1", "-memory -replicas 1",
	} {
		if code := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); code != 2 {
			t.Errorf("%s: exit code %d, want 2", args, code)
		}
	}
}

// A dsn may hold a password.
func TestDSN(t *testing.T) {
	d := &pgDatabase{dsn: "postgres://user:hunter2@db.example:6000/name?sslmode=disable"}
	got, err := d.by("127.0.0.1:7")
	if want := "postgres://user:hunter2@127.0.0.1:7/name?sslmode=disable"; got != want || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	if addr, err := d.address(); addr != "db.example:6000" || err != nil {
		t.Errorf("%s, %v", addr, err)
	}
	for _, dsn := range []string{"host=h password=hunter2", "postgres://user:hunter2@h:x/d", "mysql://user:hunter2@h/d"} {
		if _, err := postgresURL(dsn); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", dsn, err)
		}
	}
}

// Replicas, end to end: one on a file, where there is no server.
func TestOneReplica(t *testing.T) {
	t.Parallel()
	needHeavy(t)
	var stdout, stderr bytes.Buffer
	args := []string{"-replicas", "1", "-cycles", "2", "-clients", "6", "-sessions", "12", "-seed", "4", "-json"}
	if code := run(t.Context(), args, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, stdout.String(), stderr.String())
	}
	var r report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil || r.Cycles != 2 || r.Sessions != 12 || r.Fleet.Statuses["200"] == 0 {
		t.Errorf("%v in %s", err, stdout.String())
	}
}

// Three replicas on a server, which they are kept from for a moment, end to end.
func TestReplicasOnPostgres(t *testing.T) {
	t.Parallel()
	const env = "SLOTWAY_TEST_POSTGRES_DSN"
	dsn := os.Getenv(env)
	needHeavy(t)
	switch {
	case dsn == "" && os.Getenv("SLOTWAY_REQUIRE_SERVICES") == "1":
		t.Fatal(env + " is not set")
	case dsn == "":
		t.Skip(env + " is not set: give it the URL of a PostgreSQL server on which databases can be made")
	}
	var stdout, stderr bytes.Buffer
	args := []string{"-replicas", "3", "-dsn", dsn, "-cycles", "3", "-partition", "2s", "-clients", "12", "-sessions", "24", "-seed", "5", "-json"}
	if code := run(t.Context(), args, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, stdout.String(), stderr.String())
	}
	var r report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil || r.Cycles != 3 || r.Sessions != 24 || len(r.Fleet.Partitions) != 2 || r.Fleet.MovedTurns == 0 {
		t.Errorf("%v in %s", err, stdout.String())
	}
	if left := databases(t, dsn); len(left) > 0 {
		t.Errorf("databases are left over: %q", left)
	}
}

// databases are those that this process has made and not dropped.
func databases(t *testing.T, dsn string) (names []string) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	rows, err := c.Query(t.Context(), `SELECT datname FROM pg_database WHERE datname LIKE $1`, fmt.Sprintf("slotway_crash_%d_%%", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	names, err = pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return names
}
