package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// Of two replicas that run turns of one session at the same time, one wins each version.
func TestReplicasRace(t *testing.T) {
	t.Parallel()
	const rounds, rivals = 40, 3 // rivals on each replica
	dsn := newSchema(t)
	replicas := []*sqlstore.Store{open(t, dsn, nil), open(t, dsn, nil)}
	key := testKey(0)
	for round := range rounds {
		var won, refused atomic.Int32
		var wg sync.WaitGroup
		var deltas []*memory.Delta
		for i := range rivals * len(replicas) {
			deltas = append(deltas, turnOf(load(t, replicas[i%len(replicas)], key), fmt.Sprintf("r%d-%d", round, i)))
		}
		for i, d := range deltas {
			wg.Go(func() {
				switch err := replicas[i%len(replicas)].Commit(context.Background(), d); {
				case err == nil:
					won.Add(1)
				case errors.Is(err, memory.ErrConflict):
					refused.Add(1)
				default:
					t.Errorf("Commit: %v", err)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 || refused.Load() != int32(rivals*len(replicas))-1 {
			t.Fatalf("round %d: %d won, %d were refused", round, won.Load(), refused.Load())
		}
	}
	mustHold(t, replicas[0], key, rounds)
}

// A Start that meets a commit under way waits for it, and is then refused: a call is never
// announced on a version that is gone.
func TestStartWaitsForCommit(t *testing.T) {
	t.Parallel()
	name := "slotway_" + fmt.Sprint(rand.Uint64())
	dsn := newSchema(t)
	s := open(t, dsn+"&application_name="+name, nil)
	key := testKey(0)
	talk(t, s, key, 1)
	conn := connectTo(t, dsn)
	defer conn.Close(context.Background())
	tx, err := conn.Begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(context.Background(), `UPDATE sessions SET version = 2 WHERE user_id = $1`, key.UserID); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- s.Start(context.Background(), key, 1, memory.Step{IdempotencyKey: "k", Tool: "pay", StartedAt: noon})
	}()
	for value[int](t, dsn, `SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`, name) == 0 && len(done) == 0 {
		pause(context.Background(), 2)
	}
	if err := tx.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, memory.ErrConflict) {
		t.Errorf("Start: %v", err)
	}
	if n := value[int](t, dsn, `SELECT count(*) FROM plan_steps`); n != 0 {
		t.Errorf("%d journal rows", n)
	}
}

// A replica that was paused between Load and Commit cannot write over what others did, not
// even over a session that was deleted and has come to the same version again.
func TestPausedReplica(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	paused, other := open(t, dsn, nil), open(t, dsn, nil)
	key := testKey(0)
	talk(t, paused, key, 2)
	d := turnOf(load(t, paused, key), "late")
	talk(t, other, key, 1)
	if err := paused.Commit(context.Background(), d); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("Commit over a newer version: %v", err)
	}
	mustHold(t, other, key, 3)

	d = turnOf(load(t, paused, key), "late")
	if err := other.Delete(context.Background(), key); err != nil {
		t.Fatal(err)
	}
	if err := paused.Commit(context.Background(), d); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("Commit over a deleted session: %v", err)
	}
	for range 3 { // version 3 again, with other counters
		snap := load(t, other, key)
		if err := other.Commit(context.Background(), &memory.Delta{Key: key, Base: snap.State.Version, At: noon}); err != nil {
			t.Fatal(err)
		}
	}
	if err := paused.Commit(context.Background(), d); !errors.Is(err, memory.ErrBadDelta) && !errors.Is(err, memory.ErrConflict) {
		t.Errorf("Commit on the same version of another session: %v", err)
	}
	if snap := load(t, other, key); snap.State.Version != 3 || len(snap.Recent) != 0 {
		t.Errorf("version %d with %d messages", snap.State.Version, len(snap.Recent))
	}
}

// persist runs one turn as a client with retries has it: the same request until it is
// answered. It counts what was acknowledged twice.
func persist(s *sqlstore.Store, key memory.Key, request string) error {
	for {
		snap, err := s.Load(context.Background(), key, memory.LoadOptions{Recent: 4, RequestID: request})
		if err == nil && snap.Replay != nil {
			return nil
		}
		if err == nil {
			err = s.Commit(context.Background(), turnOf(snap, request))
		}
		if err == nil || !errors.Is(err, memory.ErrUnavailable) && !errors.Is(err, memory.ErrConflict) {
			return err
		}
	}
}

// The server kills connections, in the middle of commits too: no turn is lost, none is made
// twice, and the store goes on by itself.
func TestKilledConnections(t *testing.T) {
	t.Parallel()
	const sessions, turns, every = 8, 25, 3
	name := "slotway_" + fmt.Sprint(rand.Uint64())
	dsn := newSchema(t)
	replicas := []*sqlstore.Store{open(t, dsn+"&application_name="+name, nil), open(t, dsn+"&application_name="+name, nil)}
	begun := make(chan struct{}, sessions*turns)
	killed := make(chan int64)
	go func() {
		n, kills := 0, int64(0)
		for range begun {
			if n++; n%every == 0 {
				kills += value[int64](t, dsn, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = $1`, name)
			}
		}
		killed <- kills
	}()
	var wg sync.WaitGroup
	for i := range sessions {
		wg.Go(func() {
			for n := range turns {
				begun <- struct{}{}
				if err := persist(replicas[(i+n)%2], testKey(i), fmt.Sprint("r", n)); err != nil {
					t.Errorf("session %d turn %d: %v", i, n, err)
					return
				}
			}
		})
	}
	wg.Wait()
	close(begun)
	if n := <-killed; n < sessions {
		t.Errorf("only %d connections were killed", n)
	}
	for i := range sessions {
		mustHold(t, replicas[0], testKey(i), turns)
	}
}

// Callers give up at random moments: what was acknowledged is there, nothing is there twice,
// and nobody ever reads what somebody else asked for.
func TestCancelStorm(t *testing.T) {
	t.Parallel()
	const sessions, tries = 24, 60
	d, err := connect(t.Context(), newSchema(t), (&Options{MaxConns: 6}).withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	s := sqlstore.New(d, 0)
	acknowledged := make([]int64, sessions)
	var given atomic.Int64
	var wg sync.WaitGroup
	for i := range sessions {
		wg.Go(func() {
			key := testKey(i)
			for n := range tries {
				ctx, cancel := context.WithTimeout(context.Background(), rand.N(8*time.Millisecond))
				snap, err := s.Load(ctx, key, memory.LoadOptions{Recent: 1000, RequestID: fmt.Sprint("r", rand.IntN(n+1))})
				if err == nil {
					mustBeOf(t, key, snap)
					err = s.Commit(ctx, turnOf(snap, fmt.Sprint("r", n)))
				}
				cancel()
				switch {
				case err == nil:
					acknowledged[i]++
				case errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrUnknown): // or it gave up beside a lost connection
					given.Add(1)
				case !errors.Is(err, memory.ErrConflict):
					t.Errorf("session %d: %v", i, err)
				}
			}
		})
	}
	wg.Wait()
	if given.Load() == 0 {
		t.Error("nobody gave up")
	}
	for i := range sessions {
		snap := load(t, s, testKey(i))
		if snap.Turns < acknowledged[i] {
			t.Errorf("session %d: %d turns, %d were acknowledged", i, snap.Turns, acknowledged[i])
		}
		if snap.Turns > 0 {
			mustHold(t, s, testKey(i), int(snap.Turns))
		}
	}
	for try := 1; d.pool.Stat().AcquiredConns() > 0; try++ { // broken connections are closed in the background
		if try == 1000 {
			t.Fatalf("%d connections are still lent", d.pool.Stat().AcquiredConns())
		}
		pause(context.Background(), 4)
	}
	if n := d.pool.Stat().TotalConns(); n > 6 {
		t.Errorf("%d connections, 6 are allowed", n)
	}
}
