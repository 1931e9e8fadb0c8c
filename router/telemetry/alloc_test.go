//go:build !race

package telemetry

import (
	"io"
	"testing"
)

// The race detector makes pools forget at random, so this is left out under it.

func TestLogDoesNotAllocate(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("coverage changes what is inlined")
	}
	log := NewLog(io.Discard, LevelInfo)
	for stage, p := range payloads {
		e := event(p)
		if got := testing.AllocsPerRun(200, func() { log.Record(e) }); got > 0 {
			t.Errorf("a %s line costs %v allocations, want none", stage, got)
		}
	}
}

func TestAppendLineDoesNotAllocate(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("coverage changes what is inlined")
	}
	room := make([]byte, 0, 1024)
	for stage, p := range payloads {
		e := event(p)
		if got := testing.AllocsPerRun(200, func() { AppendLine(room, e) }); got > 0 {
			t.Errorf("a %s line costs %v allocations, want none", stage, got)
		}
	}
}
