package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/wiretest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
	"github.com/slotway/slotway/memory/transfer"
)

// cutter is a wire to the server that can be cut at the worst moments.
type cutter struct {
	*wiretest.Wire

	mu    sync.Mutex // guards everything below
	mode  wiretest.Fate
	skip  int // messages that pass before
	count int // how many more times
}

// wire puts a cutter before the server.
func wire(t *testing.T, dsn string) *cutter {
	t.Helper()
	w := &cutter{}
	w.Wire = wiretest.New(t, dsn, func() func([]byte) wiretest.Fate { return w.next })
	return w
}

// arm says how the next messages are treated, behind some that pass.
func (w *cutter) arm(mode wiretest.Fate, skip, count int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mode, w.skip, w.count = mode, skip, count
}

// next is what happens to a message of a client.
func (w *cutter) next([]byte) wiretest.Fate {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.skip--; w.skip >= 0 || w.count == 0 {
		return wiretest.Arrives
	}
	w.count--
	return w.mode
}

// cuttable are operations on a session of two turns with an open call and a claimed job, and
// what is to be found once they are done.
var cuttable = []struct {
	name string
	do   func(s *sqlstore.Store, snap *memory.Snapshot, job memory.Job) error
	want string // turns, messages, journal rows, of which are open, jobs
}{
	{"commit", func(s *sqlstore.Store, snap *memory.Snapshot, _ memory.Job) error {
		return s.Commit(context.Background(), turnOf(snap, "r3"))
	}, "3 6 1 1 1"},
	{"commit without a turn", func(s *sqlstore.Store, snap *memory.Snapshot, _ memory.Job) error {
		return s.Commit(context.Background(), &memory.Delta{Key: snap.Key, Base: 2, At: noon, Floor: 2, State: snap.State})
	}, "2 4 1 1 1"},
	{"commit with outcomes", func(s *sqlstore.Store, snap *memory.Snapshot, _ memory.Job) error {
		d := turnOf(snap, "r3")
		d.Steps = []memory.Step{{IdempotencyKey: "k", Status: memory.StepDone}, {IdempotencyKey: "new", Status: memory.StepDone}}
		d.Jobs = []memory.WantedJob{{Kind: "other"}}
		return s.Commit(context.Background(), d)
	}, "3 6 2 0 2"},
	{"undo", func(s *sqlstore.Store, snap *memory.Snapshot, _ memory.Job) error {
		d := &memory.Delta{Key: snap.Key, Base: 2, At: noon, State: snap.State, Undo: &memory.Undo{Turn: 2, From: 3, Until: 5}}
		return s.Commit(context.Background(), d)
	}, "2 4 1 1 1"},
	{"start", func(s *sqlstore.Store, snap *memory.Snapshot, _ memory.Job) error {
		return s.Start(context.Background(), snap.Key, 2, memory.Step{IdempotencyKey: "next", StartedAt: noon})
	}, "2 4 2 2 1"},
	{"finish", func(s *sqlstore.Store, _ *memory.Snapshot, job memory.Job) error {
		return s.Finish(context.Background(), job)
	}, "2 4 1 1 0"},
	{"delete", func(s *sqlstore.Store, snap *memory.Snapshot, _ memory.Job) error {
		return s.Delete(context.Background(), snap.Key)
	}, "0 0 0 0 0"},
	{"fork", func(s *sqlstore.Store, snap *memory.Snapshot, _ memory.Job) error {
		to := snap.Key
		to.SessionID += " copy"
		return transfer.Fork(context.Background(), s, snap.Key, to, 0, nil)
	}, "2 4 1 1 1"},
	{"load", func(s *sqlstore.Store, snap *memory.Snapshot, _ memory.Job) error {
		_, err := s.Load(context.Background(), snap.Key, memory.LoadOptions{Recent: 5, RequestID: "r2"})
		return err
	}, "2 4 1 1 1"},
}

// rowsOf counts the rows of a session. The test names sessions by agent and number alone.
func rowsOf(key memory.Key) string {
	count := func(table, more string) string {
		return fmt.Sprintf(`(SELECT count(*) FROM %s WHERE session IN (SELECT session FROM sessions WHERE user_id = '%s' AND agent_id = '%s' AND session_id = '%s')%s)`,
			table, key.UserID, key.AgentID, key.SessionID, more)
	}
	return `SELECT concat_ws(' ', ` + strings.Join([]string{
		count("turns", ""), count("messages", ""), count("plan_steps", ""), count("plan_steps", " AND status = 'started'"), count("jobs", ""),
	}, ", ") + `)`
}

// Whatever message of an operation a connection is cut at, before it arrives or after: it is done once, or not
// at all and said to be unknown.
func TestCutConnection(t *testing.T) {
	t.Parallel()
	for name, mode := range map[string]wiretest.Fate{"before it arrives": wiretest.Cut, "after it arrived": wiretest.Unheard} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn := newSchema(t)
			w := wire(t, dsn)
			s := open(t, w.URL, &Options{MaxConns: 1})
			for _, op := range cuttable {
				for skip := range 8 {
					prepareCut(t, s, op.do, memory.Key{UserID: "warm", AgentID: op.name, SessionID: fmt.Sprint(skip)})
					key := memory.Key{UserID: "u", AgentID: op.name, SessionID: fmt.Sprint(skip)}
					snap, job := cutSession(t, s, key)
					w.arm(mode, skip, 1)
					err := op.do(s, snap, job)
					w.arm(wiretest.Arrives, 0, 0)
					if err != nil && !errors.Is(err, ErrUnknown) {
						t.Errorf("%s, cut at message %d: %v", op.name, skip, err)
					}
					got := value[string](t, dsn, rowsOf(key))
					undone := err != nil && got == "2 4 1 1 1"
					if got != op.want && !undone {
						t.Errorf("%s, cut at message %d: rows %s, want %s; %v", op.name, skip, got, op.want, err)
					}
				}
			}
		})
	}
}

// prepareCut runs the operation once, so that its statements are prepared and it sends
// nothing but itself.
func prepareCut(t *testing.T, s *sqlstore.Store, do func(*sqlstore.Store, *memory.Snapshot, memory.Job) error, key memory.Key) {
	t.Helper()
	snap, job := cutSession(t, s, key)
	if err := do(s, snap, job); err != nil {
		t.Fatal(err)
	}
}

// kindOf is a kind of jobs that one session alone has.
func kindOf(key memory.Key) string { return key.UserID + "/" + key.AgentID + "/" + key.SessionID }

func cutSession(t *testing.T, s *sqlstore.Store, key memory.Key) (*memory.Snapshot, memory.Job) {
	t.Helper()
	talk(t, s, key, 1)
	d := turnOf(load(t, s, key), "r2")
	d.Jobs = []memory.WantedJob{{Kind: kindOf(key)}}
	if err := s.Commit(context.Background(), d); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(context.Background(), key, 2, memory.Step{IdempotencyKey: "k", Tool: "pay", StartedAt: noon}); err != nil {
		t.Fatal(err)
	}
	list, err := s.Claim(context.Background(), memory.Claim{Now: noon, Lease: time.Hour, Kinds: []string{kindOf(key)}})
	if err != nil || len(list) != 1 {
		t.Fatalf("Claim = %+v, %v", list, err)
	}
	return load(t, s, key), list[0]
}

// While a lost commit of one replica is in doubt, another may win the version: that is a
// conflict, and never taken for the own one.
func TestCutConnectionAndRival(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	w := wire(t, dsn)
	rival := open(t, dsn, nil)
	s := open(t, w.URL, &Options{MaxConns: 1})
	key := testKey(0)
	talk(t, s, key, 2)
	snap := load(t, s, key)
	w.Shut(true)
	done := make(chan error)
	go func() { done <- s.Commit(context.Background(), turnOf(snap, "mine")) }()
	if err := <-done; !errors.Is(err, memory.ErrUnavailable) && !errors.Is(err, ErrUnknown) {
		t.Errorf("Commit without a server: %v", err)
	}
	talk(t, rival, key, 1)
	w.Shut(false)
	if err := s.Commit(context.Background(), turnOf(snap, "mine")); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("Commit after the rival: %v", err)
	}
	mustHold(t, rival, key, 3)
}

// Without a server a commit that was lost ends in an error that says so; the same request
// finds out.
func TestUnknownOutcome(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	w := wire(t, dsn)
	s := open(t, w.URL, &Options{MaxConns: 1, StatementTimeout: 500 * time.Millisecond})
	key := testKey(0)
	talk(t, open(t, dsn, nil), key, 1)
	snap := load(t, s, key)           // its connection is there before the silence
	w.arm(wiretest.Unheard, 0, 1<<30) // nothing is ever answered again
	err := s.Commit(context.Background(), turnOf(snap, "r2"))
	if !errors.Is(err, ErrUnknown) || !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("Commit: %v", err)
	}
	w.arm(wiretest.Arrives, 0, 0)
	if err := persist(s, key, "r2"); err != nil {
		t.Errorf("the same request again: %v", err)
	}
	mustHold(t, s, key, 2)
}

// TestSilentServer: a server that fell silent is given up in the time of one statement, however many idle connections
// have to be found dead.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	w := wire(t, newSchema(t))
	const conns = 6
	d, err := connect(t.Context(), w.URL, (&Options{MaxConns: conns, StatementTimeout: time.Second}).withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	busy := make(chan struct{})
	var all, out sync.WaitGroup
	all.Add(conns)
	for range conns {
		out.Go(func() {
			err := d.Change(t.Context(), func(sqlstore.Run) error { all.Done(); <-busy; return nil })
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	close(busy)
	out.Wait()
	time.Sleep(1100 * time.Millisecond) // a connection is asked whether it lives after a second of rest
	w.Hold()
	defer w.Release()
	begin := time.Now()
	err = d.Ping(t.Context())
	if took := time.Since(begin); !errors.Is(err, memory.ErrUnavailable) || took > 8*time.Second {
		t.Errorf("Ping: %v after %s, want ErrUnavailable within %s", err, took, time.Second+answerTime)
	}
}
