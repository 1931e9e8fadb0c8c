package router

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
)

func lockKey(session string) memory.Key {
	return memory.Key{UserID: "u", AgentID: "a", SessionID: session}
}

func TestTurnsOfASessionEnterInTheOrderOfArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newSessionLocks(10)
		first, err := l.acquire(t.Context(), lockKey("s"))
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var order []int
		var wg sync.WaitGroup
		for i := range 5 {
			wg.Go(func() {
				leave, err := l.acquire(context.Background(), lockKey("s"))
				if err != nil {
					t.Errorf("turn %d: %v", i, err)
					return
				}
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
				leave()
			})
			synctest.Wait() // it stands in line before the next one arrives
		}
		first()
		wg.Wait()
		if diff := cmp.Diff([]int{0, 1, 2, 3, 4}, order); diff != "" {
			t.Errorf("order of turns (-want +got):\n%s", diff)
		}
		if len(l.held) != 0 {
			t.Errorf("%d locks left", len(l.held))
		}
	})
}

func TestSessionsDoNotWaitForEachOther(t *testing.T) {
	l := newSessionLocks(1)
	a, err := l.acquire(t.Context(), lockKey("a"))
	if err != nil {
		t.Fatal(err)
	}
	defer a()
	b, err := l.acquire(t.Context(), lockKey("b"))
	if err != nil {
		t.Fatalf("another session: %v", err)
	}
	b()
}

func TestALineThatIsFullIsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newSessionLocks(1)
		leave, err := l.acquire(t.Context(), lockKey("s"))
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			if leave, err := l.acquire(context.Background(), lockKey("s")); err != nil {
				t.Errorf("the one in line: %v", err)
			} else {
				leave()
			}
		})
		synctest.Wait()
		if _, err := l.acquire(t.Context(), lockKey("s")); !errors.Is(err, ErrBusy) {
			t.Errorf("one too many: %v, want ErrBusy", err)
		}
		leave()
		wg.Wait()
	})
}

// Whoever gives up must neither block the line nor lose its go.
func TestGivingUpPassesTheTurnOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newSessionLocks(10)
		leave, err := l.acquire(t.Context(), lockKey("s"))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := l.acquire(ctx, lockKey("s")); !errors.Is(err, context.Canceled) {
				t.Errorf("the one that gave up: %v, want context.Canceled", err)
			}
		})
		synctest.Wait()
		done := make(chan struct{})
		wg.Go(func() {
			if leave, err := l.acquire(context.Background(), lockKey("s")); err != nil {
				t.Errorf("the one behind: %v", err)
			} else {
				leave()
			}
			close(done)
		})
		synctest.Wait()
		cancel()
		synctest.Wait()
		leave()
		<-done
		wg.Wait()
		if len(l.held) != 0 {
			t.Errorf("%d locks left", len(l.held))
		}
	})
}
