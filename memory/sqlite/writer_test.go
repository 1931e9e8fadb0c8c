package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

var errBroken = errors.New("broken")

// One change that fails takes none of its group with it, and leaves nothing behind.
func TestWriterSurvivesFailingChange(t *testing.T) {
	d, err := connectNew(t)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	put := func(i int) *sqlstore.Query {
		return &sqlstore.Query{Text: `INSERT INTO leases (session, token, until) VALUES ($1, '', 0)`, Args: []any{[]byte{byte(i)}}}
	}
	var group []*pending
	add := func(c change) { group = append(group, &pending{change: c}) }
	for i := range 5 {
		add(func(run sqlstore.Run) error { return run(put(i)) })
		add(func(run sqlstore.Run) error { return errors.Join(run(put(100+i)), errBroken) })
		add(func(run sqlstore.Run) error { // refused before it writes
			return run(&sqlstore.Query{Text: `DELETE FROM leases WHERE token = 'x'`, Must: memory.ErrConflict})
		})
	}
	d.writer.commit(group)
	for i, p := range group {
		want := []error{nil, errBroken, memory.ErrConflict}[i%3]
		if !errors.Is(p.err, want) {
			t.Errorf("change %d: %v, want %v", i, p.err, want)
		}
	}
	n := 0
	if err := d.Read(t.Context(), &sqlstore.Query{Text: `SELECT count(*) FROM leases`, Row: func(scan func(into ...any) error) error { return scan(&n) }}); err != nil || n != 5 {
		t.Errorf("%d rows, %v; want 5", n, err)
	}
}

func connectNew(t *testing.T) (*database, error) {
	file := newFile(t)
	if _, err := Migrate(t.Context(), file, "up"); err != nil {
		return nil, err
	}
	opts, err := (*Options)(nil).withDefaults()
	if err != nil {
		return nil, err
	}
	return connect(file, &opts, nil)
}

// Callers that give up while their commits are under way: each turn is whole or absent,
// and nobody else is disturbed.
func TestCancelWhileCommitting(t *testing.T) {
	store := open(t, newFile(t), nil)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			key := benchKey(i)
			for range 30 {
				ctx, cancel := context.WithCancel(t.Context())
				snap, err := store.Load(ctx, key, memory.LoadOptions{Recent: 100})
				if err != nil {
					cancel()
					t.Errorf("Load: %v", err)
					return
				}
				if int64(len(snap.Recent)) != 2*snap.Turns && len(snap.Recent) < 100 {
					t.Errorf("half a turn: %d messages of %d turns", len(snap.Recent), snap.Turns)
				}
				if i%2 == 0 {
					go cancel()
				}
				err = store.Commit(ctx, turnOf(key, snap, time.Now()))
				// ErrConflict: the turn that was given up has taken place after the Load.
				if err != nil && (i%2 != 0 || !errors.Is(err, context.Canceled) && !errors.Is(err, memory.ErrConflict)) {
					t.Errorf("session %d: %v", i, err)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	for i := 1; i < 16; i += 2 {
		if snap := mustLoad(t, store, benchKey(i), memory.LoadOptions{}); snap.Turns != 30 {
			t.Errorf("session %d has %d turns, want 30", i, snap.Turns)
		}
	}
}

// A caller that gives up gets no answer while its change may still set what it returns (the race
// detector tells): a job whose runtime closes puts its views like that.
func TestGivenUpWhileAChangeRuns(t *testing.T) {
	store := open(t, newFile(t), &Options{Durability: Relaxed})
	key := benchKey(0)
	preload(t, store, key, 1)
	view := memory.View{Key: key, Tier: "summary", ID: "block", UpTo: 1, At: time.Now(), Data: []byte("{}")}
	for range 300 {
		for _, call := range []func(ctx context.Context) error{
			func(ctx context.Context) error {
				_, err := store.PutViews(ctx, []memory.View{view})
				return err
			},
			func(ctx context.Context) error {
				_, err := store.DropViews(ctx, memory.ViewsOf(key, "summary", ""))
				return err
			},
			func(ctx context.Context) error {
				_, err := store.Revive(ctx, memory.JobQuery{}, time.Now())
				return err
			},
		} {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(rand.N(200*time.Microsecond), cancel)
			if err := call(ctx); err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			cancel()
		}
	}
}

// A change whose caller has given up before it began does not take place.
func TestGivenUpBeforeAChangeBegins(t *testing.T) {
	d, err := connectNew(t)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	begun, release := make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	outcome := make(chan error, 1)
	go func() {
		outcome <- d.Change(ctx, func(sqlstore.Run) error {
			close(begun)
			<-release
			return nil
		})
	}()
	<-begun
	later := make(chan error, 1)
	go func() {
		later <- d.Change(ctx, func(sqlstore.Run) error {
			t.Error("the change takes place all the same")
			return nil
		})
	}()
	for len(d.writer.queue) == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-later; !errors.Is(err, context.Canceled) {
		t.Errorf("the change that waited: %v", err)
	}
	close(release)
	if err := <-outcome; err != nil {
		t.Errorf("the change that was under way: %v", err)
	}
}

// Close waits for what is under way; nothing that was acknowledged is missing.
func TestCloseWhileCommitting(t *testing.T) {
	file := newFile(t)
	store := open(t, file, nil)
	turns := make([]int64, 8)
	var wg sync.WaitGroup
	for i := range turns {
		wg.Go(func() {
			for {
				snap, err := store.Load(context.Background(), benchKey(i), memory.LoadOptions{})
				if err == nil {
					err = store.Commit(context.Background(), turnOf(benchKey(i), snap, time.Now()))
				}
				if err != nil {
					if !errors.Is(err, memory.ErrClosed) {
						t.Errorf("session %d: %v", i, err)
					}
					return
				}
				turns[i]++
				if i == 0 && turns[i] == 20 {
					go store.Close()
				}
			}
		})
	}
	wg.Wait()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	store = open(t, file, nil)
	for i, want := range turns {
		if snap := mustLoad(t, store, benchKey(i), memory.LoadOptions{}); snap.Turns != want {
			t.Errorf("session %d has %d turns, %d were acknowledged", i, snap.Turns, want)
		}
	}
}

const killFile = "SLOTWAY_TEST_KILL_FILE"

// TestKill kills a process that commits, again and again, and looks for what it
// acknowledged.
func TestKill(t *testing.T) {
	if file := os.Getenv(killFile); file != "" {
		commitForEver(t, file)
	}
	for _, durability := range []Durability{Durable, Relaxed} {
		t.Run(string(durability), func(t *testing.T) {
			file := newFile(t)
			acknowledged := make([]int64, 4)
			for range 4 {
				killAfter(t, file, durability, 150, acknowledged)
				store := open(t, file, nil)
				for i, want := range acknowledged {
					snap := mustLoad(t, store, benchKey(i), memory.LoadOptions{Recent: 1000})
					if snap.Turns < want {
						t.Errorf("session %d: %d turns acknowledged, %d found", i, want, snap.Turns)
					}
					if int64(len(snap.Recent)) != min(2*snap.Turns, 1000) || snap.State.Version != snap.Turns {
						t.Errorf("session %d: half a turn: %d messages, %d turns, version %d", i, len(snap.Recent), snap.Turns, snap.State.Version)
					}
				}
				if err := store.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// killAfter runs this test binary as commitForEver and kills it after so many turns.
func killAfter(t *testing.T, file string, durability Durability, turns int, acknowledged []int64) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKill$")
	cmd.Env = append(os.Environ(), killFile+"="+string(durability)+":"+file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range turns {
		var session int
		var turn int64
		if _, err := fmt.Fscanf(out, "%d %d\n", &session, &turn); err != nil {
			t.Fatalf("the process ended by itself: %v", err)
		}
		acknowledged[session] = max(acknowledged[session], turn)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // it was killed
}

func commitForEver(t *testing.T, name string) {
	durability, file, _ := strings.Cut(name, ":")
	store := open(t, file, &Options{Durability: Durability(durability), checkpoint: 64})
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for {
				snap, err := store.Load(t.Context(), benchKey(i), memory.LoadOptions{Recent: 4})
				if err == nil {
					err = store.Commit(t.Context(), turnOf(benchKey(i), snap, time.Now()))
				}
				if err != nil {
					os.Exit(1)
				}
				mu.Lock()
				fmt.Println(i, snap.Turns+1)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}
