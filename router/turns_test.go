package router

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
)

func TestTurnsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &Router{locks: newSessionLocks(10)}
		want := func(running, waiting int) {
			t.Helper()
			if a, b := r.Turns(); a != running || b != waiting {
				t.Errorf("Turns() = %d, %d; want %d, %d", a, b, running, waiting)
			}
		}
		want(0, 0)
		var all sync.WaitGroup
		goOn := make(chan struct{})
		for _, session := range []string{"s", "s", "s", "t"} {
			all.Go(func() {
				leave, err := r.locks.acquire(context.Background(), lockKey(session))
				if err != nil {
					t.Error(err)
					return
				}
				<-goOn
				leave()
			})
		}
		synctest.Wait()
		want(2, 2)
		close(goOn)
		all.Wait()
		want(0, 0)
	})
}
