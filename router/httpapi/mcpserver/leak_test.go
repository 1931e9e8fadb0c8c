package mcpserver_test

import (
	"runtime"
	"testing"

	"github.com/slotway/slotway/router/httpapi/mcpserver"
)

// Sessions that give way to others are let go of: nothing of thousands of them stays.
func TestSessionsThatGaveWayAreLetGo(t *testing.T) {
	s := newShop(t, &mcpserver.Options{HTTP: mcpserver.HTTPOptions{MaxUserSessions: 8}})
	url := listen(t, s)
	heap := func() uint64 {
		for range 3 {
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	begin := func(n int) {
		for range n {
			open(t, url, "ann")
		}
	}
	begin(500)
	before, goroutines := heap(), runtime.NumGoroutine()
	begin(3000)
	after := heap()
	if after > before && after-before > 3000*100 {
		t.Errorf("%d bytes stay of each of 3,000 sessions", (after-before)/3000)
	}
	if n := runtime.NumGoroutine(); n > goroutines+20 {
		t.Errorf("%d goroutines before, %d after", goroutines, n)
	}
}
