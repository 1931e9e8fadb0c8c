package main

import (
	"fmt"
	"io"

	"github.com/slotway/slotway/memory/postgres"
	"github.com/slotway/slotway/router/telemetry/prom"
)

// warnings tells the operator of something, a line each; nil tells nobody.
func warnings(to io.Writer) func(text string) {
	if to == nil {
		return func(string) {}
	}
	return func(text string) { fmt.Fprintln(to, "slotway: warning: "+text) }
}

// weakness is what an operator should know about what a database promises, or "". One without
// a standby has nothing to wait for.
func weakness(h postgres.Health) string {
	const more = "; see docs/replication.md, and memory.require_sync to refuse such a database"
	switch {
	case h.Promise == postgres.PromiseNothing:
		return "the database acknowledges commits before they are on its disk (synchronous_commit or fsync is off): when it crashes, turns that were answered are lost" + more
	case h.Promise == postgres.PromiseDisk && h.Followers > 0:
		return fmt.Sprintf("the database waits for none of its standbys (%d) before it acknowledges a commit: after a failover turns that were answered are lost", h.Followers) + more
	}
	return ""
}

// databaseHealth tells how the database of the replicas stands; nil where there is none.
func (a *app) databaseHealth() func() prom.Database {
	if a.engine == nil {
		return nil
	}
	return func() prom.Database {
		h := a.engine.Health()
		return prom.Database{Promise: string(h.Promise), Unconfirmed: h.Unconfirmed, Alone: h.Alone, Changed: h.Changed, Back: h.Back}
	}
}
