package main

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// replica is a slotway process and a client for it.
type replica struct {
	*harness.Slotway
	client *harness.Client
}

// startReplica starts a process and waits until it is ready.
func startReplica(ctx context.Context, binary, dir, agent, pad string, settings ...string) (*replica, error) {
	args := append([]string{"--agent", agent}, harness.SetFlags("telemetry.log=none", "server.limits.rate=0", "memory.storage=postgres")...)
	p, err := harness.NewSlotway("replica", binary, dir, append(args, harness.SetFlags(settings...)...)...)
	if err != nil {
		return nil, err
	}
	p.Env = []string{"FAILOVER_PAD=" + pad}
	if err := p.Start(ctx); err != nil {
		p.Kill()
		return nil, err
	}
	return &replica{p, &harness.Client{Addr: p.Addr, HTTP: asking}}, nil
}

// asking waits longer than a turn takes to resolve the outcome of a commit.
var asking = &http.Client{Timeout: 30 * time.Second}

// warnings returns the warnings for the operator.
func (r *replica) warnings() (lines []string) {
	for line := range strings.Lines(r.Output.String()) {
		if text, is := strings.CutPrefix(line, "slotway: warning: "); is {
			lines = append(lines, strings.TrimSpace(text))
		}
	}
	return lines
}
