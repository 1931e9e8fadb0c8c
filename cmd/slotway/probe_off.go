//go:build !failpoint

package main

import (
	"time"

	"github.com/slotway/slotway/memory/sqlite"
)

// wallClock is what time it is.
func wallClock() time.Time { return time.Now() }

// probing leaves the store's options as they are.
func probing(*sqlite.Options) {}
