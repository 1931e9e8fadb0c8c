package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/scripts/harness"
)

// Outcomes of the commits of a rival. One is refused if the service was faster.
const (
	rivalTaken   = "rival_commit_taken"
	rivalRefused = "rival_commit_refused"
)

// rival commits to a session of the service, as another program on the same file would, at the
// version that it has read. Each successful commit adds one to the version, which in the end must
// equal the number of commits. It is less if a commit overwrote another.
type rival struct {
	service *service
	session string
	rng     *rand.Rand
	http    *harness.Client

	taken, refused int
	stuck          error // why its session no longer answers
	err            error
}

// rivalry starts the rival of a service without replicas.
func (s *service) rivalry(ctx context.Context, seed uint64) {
	s.rival = &rival{
		service: s, session: s.name + "-rival", rng: rand.New(rand.NewPCG(seed, 7)),
		http: &harness.Client{Addr: s.addr, HTTP: &http.Client{Timeout: 20 * time.Second}},
	}
	s.talking.Go(func() { s.rival.err = s.rival.compete(ctx) })
}

// compete posts messages, and commits during each, until the clients stop.
func (v *rival) compete(ctx context.Context) (err error) {
	store, err := v.service.database.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	for n := 1; ; n++ {
		select {
		case <-v.service.stop:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
		var both sync.WaitGroup
		var committed error
		both.Go(func() { committed = v.commits(ctx, store) })
		posted := v.post(ctx, fmt.Sprintf("%s-m%d", v.session, n))
		both.Wait()
		if err := errors.Join(posted, committed); err != nil || v.stuck != nil {
			return err
		}
	}
}

// commits makes a few commits in quick succession.
func (v *rival) commits(ctx context.Context, store memory.Backend) error {
	key := v.service.key(v.session)
	for range 1 + v.rng.IntN(6) {
		snap, err := store.Load(ctx, key, memory.LoadOptions{})
		if err != nil {
			return v.passing(err)
		}
		if snap.State.Version > 0 { // the first turn begins the session
			err = store.Commit(ctx, &memory.Delta{Key: key, Base: snap.State.Version, At: time.Now(), State: snap.State})
			switch {
			case err == nil:
				v.taken++
			case errors.Is(err, memory.ErrConflict):
				v.refused++
			default:
				return v.passing(err)
			}
		}
		if err := harness.Pause(ctx, time.Duration(v.rng.IntN(4000))*time.Microsecond); err != nil {
			return err
		}
	}
	return nil
}

// passing drops a temporary error: the service holds the file.
func (v *rival) passing(err error) error {
	if errors.Is(err, memory.ErrUnavailable) {
		return nil
	}
	return fmt.Errorf("the rival of the %s: %w", v.service.name, err)
}

// post sends a message until an answer comes.
func (v *rival) post(ctx context.Context, id string) error {
	err := harness.Await(ctx, "an answer", func() bool {
		_, err := v.http.Ask(ctx, http.MethodPost, "/chat", harness.Message{Text: "hello", Session: v.session, ID: id})
		return err == nil
	}, nil)
	if err != nil && ctx.Err() == nil {
		v.stuck = fmt.Errorf("the rival got no answer within %s", harness.Patience)
		return nil
	}
	return err
}

// check counts the commits in the rival's session that overwrote others.
func (v *rival) check(ctx context.Context, store memory.Backend, r *report) error {
	snap, err := store.Load(ctx, v.service.key(v.session), memory.LoadOptions{})
	if err != nil {
		return fmt.Errorf("read the rival's session: %w", err)
	}
	made := snap.Turns + int64(v.taken)
	if snap.State.Version < made {
		r.StaleTaken += int(made - snap.State.Version)
		r.notes = append(r.notes, fmt.Sprintf("session %s: %d turns and %d commits of a rival are stored, and the version is %d", v.session, snap.Turns, v.taken, snap.State.Version))
	}
	if v.stuck != nil {
		r.Stuck++
		r.notes = append(r.notes, fmt.Sprintf("session %s: %v", v.session, v.stuck))
	}
	r.add(map[string]int{rivalTaken: v.taken, rivalRefused: v.refused}, nil)
	return v.err
}
