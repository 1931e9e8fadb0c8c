package main

import (
	"os"
	"runtime/debug"
	"sync"
)

// What the collector of garbage lets the heap grow by, in per cent of what is in use.
const (
	usualGrowth = 100 // Go's own
	startGrowth = 400
)

// lateCollection lets the heap grow while a program opens, until usual is called. The heap is small then
// and most of it stays, so the collector would go through it five times for next to nothing: a quarter of
// the CPU time of a start. A value in GOGC counts instead.
func lateCollection() (usual func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	debug.SetGCPercent(startGrowth)
	return sync.OnceFunc(func() { debug.SetGCPercent(usualGrowth) })
}
