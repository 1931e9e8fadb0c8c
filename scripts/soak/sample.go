package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/slotway/slotway/scripts/harness"
)

// sample holds the figures of one moment, by the names in tolerances.
type sample map[string]float64

// gauges maps series to metrics and the number to divide them by. With GOGC=100 the next
// collection comes at twice the heap that was live after the last one.
var gauges = map[string]struct {
	metric string
	per    float64
}{
	"heap":       {"go_memstats_next_gc_bytes", 2 << 20},
	"goroutines": {"go_goroutines", 1},
	"jobs":       {"slotway_jobs_pending", 1},
	"dead":       {"slotway_jobs_dead", 1},
}

// look takes a sample of the process.
func (p *process) look(ctx context.Context, c *harness.Client) (sample, error) {
	s := sample{}
	found, err := c.Metrics(ctx)
	if err != nil {
		return nil, err
	}
	for name, g := range gauges {
		value, ok := found[g.metric]
		if !ok {
			return nil, fmt.Errorf("/metrics has no %s", g.metric)
		}
		s[name] = value / g.per
	}
	if s["rss"], err = p.resident(); err != nil {
		return nil, err
	}
	fds, err := os.ReadDir(p.proc("fd"))
	if err != nil {
		return nil, fmt.Errorf("count descriptors: %w", err)
	}
	s["fds"] = float64(len(fds))
	s["wal"] = megabytes(filepath.Join(p.Dir, "memory.db-wal"))
	s["db"] = megabytes(filepath.Join(p.Dir, "memory.db"))
	return s, nil
}

// resident returns the resident memory of the process in MiB.
func (p *process) resident() (float64, error) {
	text, err := os.ReadFile(p.proc("status"))
	if err != nil {
		return 0, fmt.Errorf("read the process's memory: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
			return kb / 1024, err
		}
	}
	return 0, fmt.Errorf("the process's status has no VmRSS")
}

func (p *process) proc(name string) string {
	return filepath.Join("/proc", strconv.Itoa(p.Pid()), name)
}

// megabytes returns the size of a file in MiB, or 0 if there is none.
func megabytes(path string) float64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return float64(info.Size()) / (1 << 20)
}
