package traces

import (
	"context"

	"github.com/slotway/slotway"
)

// Open connects a runtime to its collector: see slotway.Options.
func Open(ctx context.Context, o slotway.TraceOptions) (slotway.TraceSink, error) {
	return New(ctx, Options{Endpoint: o.Endpoint, Version: o.Version, AgentID: o.AgentID, Failed: o.Failed})
}
