package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
)

// What became of the commits of a rival: one is refused where the service had been faster.
const (
	rivalTaken   = "rival_commit_taken"
	rivalRefused = "rival_commit_refused"
)

// rival commits to a session that the service talks in too, as another program on the same
// file would, at the version that it has read. Each commit that is taken makes the version
// one higher, so in the end the version counts all of them; where a commit took the place of
// another that it had not seen, the version is behind.
type rival struct {
	service *service
	session string
	rng     *rand.Rand
	http    *http.Client

	taken, refused int
	stuck          error // its session does not answer any more
	err            error
}

// rivalry begins the rival of a service that is one process on a file.
func (s *service) rivalry(ctx context.Context, seed uint64) {
	s.rival = &rival{
		service: s, session: s.name + "-rival", rng: rand.New(rand.NewPCG(seed, 7)), http: &http.Client{Timeout: 20 * time.Second},
	}
	s.talking.Go(func() { s.rival.err = s.rival.compete(ctx) })
}

// compete posts messages, and commits beside each, until the service's clients are to stop.
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

// commits are some commits, one soon after the other.
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
		if err := pause(ctx, time.Duration(v.rng.IntN(4000))*time.Microsecond); err != nil {
			return err
		}
	}
	return nil
}

// passing drops an error that passes: the service holds the file.
func (v *rival) passing(err error) error {
	if errors.Is(err, memory.ErrUnavailable) {
		return nil
	}
	return fmt.Errorf("the rival of the %s: %w", v.service.name, err)
}

// post sends a message until it is answered.
func (v *rival) post(ctx context.Context, id string) error {
	body, err := json.Marshal(map[string]any{"message": "hello", "conversation_id": v.session, "message_id": id})
	if err != nil {
		return err
	}
	for end := time.Now().Add(patience); time.Now().Before(end); {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+v.service.addr+"/chat", bytes.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		if res, err := v.http.Do(req); err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			if err == nil && res.StatusCode == http.StatusOK {
				return nil
			}
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
	v.stuck = fmt.Errorf("the rival got no answer within %s", patience)
	return nil
}

// check counts the commits of the rival's session that took the place of others.
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
