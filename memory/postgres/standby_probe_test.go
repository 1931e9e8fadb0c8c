package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slotway/slotway/memory"
)

// farStandby confirms, or does not, what is committed on a server that answers.
type farStandby struct {
	farServer
	asks   func(n int, ctx context.Context) error // answers the n-th record
	asked  atomic.Int64
	under  atomic.Int64 // records that wait
	told   []string
	vigil  *standbyProbe
	unmade atomic.Bool // no connection can be made
}

// watched is a vigil over a server that waits for a standby.
func watched(t *testing.T, asks func(n int, ctx context.Context) error) *farStandby {
	t.Helper()
	f := &farStandby{asks: asks}
	v := &standbyProbe{probe: reachTo(t, &f.farServer), waits: func() bool { return true }, notify: func(n Notice) { f.told = append(f.told, n.Code+": "+n.Text) }}
	v.write = func(ctx context.Context, sent func()) error {
		n := int(f.asked.Add(1))
		if f.unmade.Load() {
			return errSilence
		}
		sent()
		if f.under.Add(1) > 1 {
			t.Error("two records wait at a time")
		}
		defer f.under.Add(-1)
		return f.asks(n, ctx)
	}
	v.done, v.stop = context.WithCancel(context.Background())
	v.probe.onSlow, f.vigil = v.check, v
	t.Cleanup(v.close)
	return f
}

// A call that is slow has a record committed; when that is not confirmed in two seconds, while
// the server answers, nobody waits any more, until it is, at that moment. There is one record
// in all that time.
func TestNoStandbyConfirms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		back := make(chan struct{})
		f := watched(t, func(_ int, ctx context.Context) error {
			select {
			case <-back:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		s := &Store{probe: f.vigil.probe, standby: f.vigil}
		go f.vigil.probe.try(7*time.Second, nil)
		time.Sleep(slowAfter + proofTime - time.Millisecond)
		synctest.Wait()
		if err := s.requireStandby(); err != nil {
			t.Errorf("before it is proven: %v", err)
		}
		time.Sleep(askAgain + 2*time.Millisecond)
		synctest.Wait()
		err := s.requireStandby()
		if !errors.Is(err, memory.ErrUnconfirmed) || !errors.Is(err, memory.ErrUnavailable) || lost(err) || again(err) {
			t.Fatalf("once it is proven: %v, want %v", err, memory.ErrUnconfirmed)
		}
		time.Sleep(time.Hour)
		if n := f.asked.Load(); n != 1 || s.requireStandby() == nil {
			t.Errorf("%d records after an hour, %v", n, s.requireStandby())
		}
		close(back)
		synctest.Wait()
		if err := s.requireStandby(); err != nil {
			t.Errorf("when it is confirmed: %v", err)
		}
		if len(f.told) != 2 || !strings.HasPrefix(f.told[0], "standby: ") || !strings.Contains(f.told[0], "synchronous_standby_names") || !strings.Contains(f.told[1], "again") {
			t.Errorf("told %q", f.told)
		}
	})
}

// A server that says that it gave the wait up has said enough. One that is killed while nobody
// confirms is asked again, until one takes over.
func TestNoStandbyConfirmsTheNextServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := watched(t, func(n int, _ context.Context) error {
			if n == 1 {
				return errLocal
			}
			return nil
		})
		f.vigil.check()
		synctest.Wait()
		if !f.vigil.noStandby.Load() {
			t.Fatal("a wait that was given up is no proof")
		}
		f.unmade.Store(true)
		time.Sleep(time.Minute)
		if !f.vigil.noStandby.Load() || f.asked.Load() < 100 {
			t.Fatalf("%d records; alone: %t", f.asked.Load(), f.vigil.noStandby.Load())
		}
		f.unmade.Store(false)
		time.Sleep(askAgain + time.Millisecond)
		synctest.Wait()
		if f.vigil.noStandby.Load() || len(f.told) != 2 {
			t.Errorf("alone: %t; told %q", f.vigil.noStandby.Load(), f.told)
		}
	})
}

// A record that is lost with its connection leaves the doubt as it is: the calls that raised it
// still wait.
func TestALostRecordProvesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := watched(t, func(n int, ctx context.Context) error {
			if n > 1 {
				<-ctx.Done()
			}
			return errSilence
		})
		f.vigil.check()
		time.Sleep(proofTime + 2*askAgain + time.Millisecond)
		synctest.Wait()
		if n := f.asked.Load(); n != 2 || !f.vigil.noStandby.Load() {
			t.Errorf("%d records; alone: %t", n, f.vigil.noStandby.Load())
		}
	})
}

// What is no proof: a standby that is slow, a server that is silent or refuses, one that waits
// for no standby, a process that was paused.
func TestAStandbyMayBeSlow(t *testing.T) {
	after := func(d time.Duration) func(int, context.Context) error {
		return func(_ int, ctx context.Context) error {
			sleep(ctx, d)
			return ctx.Err()
		}
	}
	for name, c := range map[string]struct {
		asks  func(int, context.Context) error
		as    func(f *farStandby)
		asked int64
	}{
		"slow":             {after(1900 * time.Millisecond), func(*farStandby) {}, 7},
		"silent server":    {after(time.Minute), func(f *farStandby) { f.silent.Store(true) }, 1},
		"server refuses":   {after(time.Minute), func(f *farStandby) { f.unmade.Store(true) }, 80},
		"waits for nobody": {after(time.Minute), func(f *farStandby) { f.vigil.waits = func() bool { return false } }, 0},
		"closed":           {after(time.Minute), func(f *farStandby) { f.vigil.close() }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := watched(t, c.asks)
				c.as(f)
				for range 20 {
					f.vigil.check()
					time.Sleep(time.Second)
					synctest.Wait()
					if f.vigil.noStandby.Load() {
						t.Fatal("it is taken for proven")
					}
				}
				if n := f.asked.Load(); n < c.asked || n > 3*c.asked {
					t.Errorf("%d records, want about %d", n, c.asked)
				}
			})
		})
	}
}

// While no standby confirms, what begins is refused before it has done anything, and who only
// looks is not held up. The outcome of a call is sent all the same. When one confirms again, all
// of it goes on.
func TestTurnsAreRefusedWhileNoStandbyConfirms(t *testing.T) {
	t.Parallel()
	w, dsn := startStandbyWire(t, newSchema(t))
	told := make(chan Notice, 9)
	s := open(t, dsn, &Options{NoNotify: true, Pooled: true, StatementTimeout: 500 * time.Millisecond, Notify: func(n Notice) { told <- n }})
	s.standby.waits = func() bool { return true } // the server has no such standby
	key, ctx := testKey(0), context.Background()
	talk(t, s, key, 1)
	step := memory.Step{IdempotencyKey: "k", Turn: 2, Plan: "p", Step: "s", Tool: "t", Status: memory.StepStarted, StartedAt: noon}
	if err := s.Start(ctx, key, 1, step); err != nil {
		t.Fatal(err)
	}
	snap := load(t, s, key)
	w.set(true, 1)
	if err := s.Commit(ctx, turnOf(snap, "r2")); !errors.Is(err, ErrUnknown) {
		t.Fatalf("the turn that finds it out: %v, want %v", err, ErrUnknown)
	}
	for n := range told {
		if n.Code == "standby" {
			break
		}
	}
	if h := s.Health(); !h.NoStandby || h.Unconfirmed == 0 {
		t.Errorf("Health: %+v", h)
	}
	snap = load(t, s, key) // who only looks sees what is there
	next := turnOf(snap, "r3")
	for name, do := range map[string]func() error{
		"Ping": func() error { return s.Ping(ctx) },
		"Load of a turn": func() error {
			_, err := s.Load(ctx, key, memory.LoadOptions{RequestID: "r3"})
			return err
		},
		"Commit": func() error { return s.Commit(ctx, next) },
		"Start": func() error {
			return s.Start(ctx, key, 2, memory.Step{IdempotencyKey: "k2", Turn: 3, Tool: "t", StartedAt: noon})
		},
		"Delete": func() error { return s.Delete(ctx, key) },
		"Prune": func() error {
			_, err := s.Prune(ctx, noon.Add(time.Hour))
			return err
		},
		"Claim": func() error {
			_, err := s.Claim(ctx, memory.Claim{Now: noon, Lease: time.Minute})
			return err
		},
	} {
		if err := do(); !errors.Is(err, memory.ErrUnconfirmed) || errors.Is(err, ErrUnknown) {
			t.Errorf("%s: %v, want %v", name, err, memory.ErrUnconfirmed)
		}
	}
	step.Status, step.EndedAt, step.Result = memory.StepDone, noon, []byte(`{}`)
	outcome := turnOf(snap, "r4")
	outcome.Steps = []memory.Step{step}
	w.set(true, 1) // it ends without a standby, too
	if err := s.Commit(ctx, outcome); !errors.Is(err, ErrUnknown) {
		t.Errorf("the outcome of a call: %v, want %v", err, ErrUnknown)
	}
	w.set(false, 0)
	for n := range told {
		if n.Code == "standby" {
			break
		}
	}
	got, err := s.Load(ctx, key, memory.LoadOptions{Recent: 10, RequestID: "r4"})
	if err != nil || got.Replay == nil || len(got.OpenSteps) != 0 {
		t.Fatalf("the outcome afterwards: %+v, %v", got, err)
	}
	if err := s.Commit(ctx, turnOf(got, "r5")); err != nil || s.Ping(ctx) != nil || s.Health().NoStandby {
		t.Errorf("afterwards: %v, Ping %v", err, s.Ping(ctx))
	}
	mustHold(t, s, key, 4)
	turns, err := s.Turns(ctx, key, memory.Page{})
	if err != nil || slices.ContainsFunc(turns, func(t memory.Turn) bool { return t.RequestID == "r3" }) {
		t.Errorf("Turns: %v, %v; r3 was refused", turns, err)
	}
}
