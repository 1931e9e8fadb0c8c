package postgres

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// laidOut is a schema whose empty tables are laid out anew by statements.
func laidOut(t *testing.T, statements string) string {
	t.Helper()
	dsn := newSchema(t)
	if _, err := Migrate(t.Context(), dsn, "up"); err != nil {
		t.Fatal(err)
	}
	c := connectTo(t, dsn)
	defer func() { _ = c.Close(t.Context()) }()
	if _, err := c.Exec(t.Context(), statements, pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatal(err)
	}
	return dsn
}

// shards is how many parts each table has, by the hash of its session.
const shards = 4

// sharded lays the tables of what belongs to sessions out over shards.
func sharded() string {
	var b strings.Builder
	for _, table := range []string{"sessions", "messages", "turns", "plan_steps", "jobs", "views", "leases"} {
		fmt.Fprintf(&b, `ALTER TABLE %[1]s RENAME TO whole; CREATE TABLE %[1]s (LIKE whole INCLUDING ALL) PARTITION BY HASH (session); DROP TABLE whole;`, table)
		for i := range shards {
			fmt.Fprintf(&b, `CREATE TABLE %[1]s_%[2]d PARTITION OF %[1]s FOR VALUES WITH (MODULUS %[3]d, REMAINDER %[2]d);`, table, i, shards)
		}
	}
	return b.String()
}

// months are the statements of the section on time partitions in docs/operate/scale.md.
func months(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/operate/scale.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```sql\n(.*?)```").FindSubmatch(page)
	if found == nil {
		t.Fatal("docs/operate/scale.md shows no SQL")
	}
	return string(found[1])
}

// The store is what it is where each table lies on many shards, or by months.
func TestStoreLaidOut(t *testing.T) {
	for name, statements := range map[string]string{"shards": sharded(), "months": months(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T) memory.Backend { return open(t, laidOut(t, statements), &Options{MaxConns: 2}) })
		})
	}
}

// listings look at all shards: the sessions of a list, those that are idle, and the jobs that are due.
var listings = []string{"FROM sessions s WHERE s.version > 0", "WHERE updated_at <", "WHERE true AND NOT j.dead"}

// Whatever is of one session, a turn first of all, meets one shard: so PostgreSQL plans each statement that the store has
// sent. Only listings look at all.
func TestOneShard(t *testing.T) {
	t.Parallel()
	db, err := connect(t.Context(), laidOut(t, sharded()), (&Options{MaxConns: 1}).withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	store := sqlstore.New(db, 0)
	defer store.Close()
	everyStatement(t, store)
	c, err := db.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Release()
	listed := map[string]bool{}
	for name, s := range preparedOn(t, c.Conn()) {
		plan, met := planOf(t, c.Conn(), name, s.types), map[string]bool{}
		for _, at := range regexp.MustCompile(`"Relation Name": "\w+_(\d)"`).FindAllStringSubmatch(plan, -1) {
			met[at[1]] = true
		}
		isListing := slices.ContainsFunc(listings, func(l string) bool {
			listed[l] = listed[l] || strings.Contains(s.text, l)
			return strings.Contains(s.text, l)
		})
		if !isListing && (len(met) > 1 || len(met) == 0 && !strings.Contains(plan, `"Operation": "Insert"`)) {
			t.Errorf("%d shards are met by\n%s", len(met), s.text)
		}
		if bad := regexp.MustCompile(`(?is)SKIP LOCKED|advisory|INSERT INTO \w+ \([^)]*\) SELECT|nextval|clock_timestamp|ON CONFLICT.*timestamp`).FindString(s.text); bad != "" {
			t.Errorf("%q is in\n%s", bad, s.text)
		}
	}
	if len(listed) != len(listings) {
		t.Errorf("of the listings only these were sent: %v", listed)
	}
}

type preparedStatement struct {
	text  string
	types []string
}

// preparedOn are the statements on tables of sessions that a connection has prepared.
func preparedOn(t *testing.T, c *pgx.Conn) map[string]preparedStatement {
	t.Helper()
	rows, err := c.Query(t.Context(), `SELECT name, statement, parameter_types::text[] FROM pg_prepared_statements`, pgx.QueryExecModeExec)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := map[string]preparedStatement{}
	for rows.Next() {
		var name string
		var s preparedStatement
		if err := rows.Scan(&name, &s.text, &s.types); err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile(`(?:FROM|INTO|UPDATE|JOIN) (?:sessions|messages|turns|plan_steps|jobs|views|leases)\b`).MatchString(s.text) {
			all[name] = s
		}
	}
	if err := rows.Err(); err != nil || len(all) < 30 {
		t.Fatalf("%d statements, %v", len(all), err)
	}
	return all
}

// planOf is how the server would run a prepared statement.
func planOf(t *testing.T, c *pgx.Conn, name string, types []string) string {
	t.Helper()
	sample := map[string]string{"uuid": `'11111111-1111-1111-1111-111111111111'`, "boolean": "true", "bytea": `''`, "text": `''`}
	var args []string
	for i, kind := range types {
		args = append(args, cmp.Or(sample[kind], strconv.Itoa(i))) // no range of numbers is empty
	}
	text := `EXPLAIN (FORMAT JSON) EXECUTE ` + name
	if len(args) > 0 {
		text += `(` + strings.Join(args, ", ") + `)`
	}
	var plan json.RawMessage
	if err := c.QueryRow(t.Context(), text, pgx.QueryExecModeExec).Scan(&plan); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return string(plan)
}

// everyStatement does everything that a store does.
func everyStatement(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	key, ctx := testKey(0), t.Context()
	leases := sqlstore.NewLeases(s, time.Hour)
	step := memory.Step{IdempotencyKey: "k", Origin: "m", Tool: "buy", Args: []byte(`{}`), StartedAt: noon}
	view := memory.View{Key: key, Tier: "a", ID: "b", UpTo: 1, At: noon}
	query := memory.Query{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID}
	ofKey := memory.ViewsOf(key, "a", "b")
	list := []func() error{
		func() error { _, err := leases.Enter(ctx, key); return err },
		func() error { return s.Start(ctx, key, 0, step) },
		func() error { talk(t, s, key, 2); return nil },
		func() error { _, err := s.Load(ctx, key, memory.LoadOptions{Recent: 2, RequestID: "r1"}); return err },
		func() error {
			session, err := memory.NewConversations(s, 10).ForTurn(ctx, key, "r9", false)
			if err == nil {
				_, err = session.Undo(ctx)
			}
			return errors.Join(err, session.Commit(ctx, noon))
		},
		func() error {
			step.IdempotencyKey, step.Origin = "k2", "m2"
			return s.Start(ctx, key, 3, step)
		},
		func() error {
			d := turnOf(load(t, s, key), "r3")
			step.Status, d.Jobs = memory.StepDone, []memory.WantedJob{{Kind: "summary"}}
			d.Steps = []memory.Step{step}
			return s.Commit(ctx, d)
		},
		func() error { return s.Describe(ctx, key, memory.About{Title: "x"}) },
		func() error { _, err := s.Messages(ctx, key, memory.Page{}); return err },
		func() error { _, err := s.Turns(ctx, key, memory.Page{}); return err },
		func() error { _, err := s.Steps(ctx, key); return err },
		func() error { _, err := s.Sessions(ctx, query); return err },
		func() error { _, err := s.PutViews(ctx, []memory.View{view}); return err },
		func() error { _, err := s.Views(ctx, ofKey); return err },
		func() error { _, err := s.DropViews(ctx, ofKey); return err },
		func() error {
			jobs, err := s.Claim(ctx, memory.Claim{Now: noon.Add(time.Hour), Lease: time.Minute})
			if err != nil || len(jobs) != 1 {
				return fmt.Errorf("%d jobs: %w", len(jobs), err)
			}
			return s.Finish(ctx, jobs[0])
		},
		func() error { _, err := s.Renew(ctx, key, noon); return err },
		func() error { _, err := s.Prune(ctx, noon.Add(time.Hour)); return err },
		func() error { talk(t, s, key, 1); return s.Delete(ctx, key) },
		leases.Close,
	}
	for i, do := range list {
		if err := do(); err != nil {
			t.Fatalf("%d: %v", i, err)
		}
	}
}
