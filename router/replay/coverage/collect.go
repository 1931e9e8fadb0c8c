package coverage

import (
	"sync"

	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// Collector takes what turns of one agent reach. It is safe for concurrent use.
type Collector struct {
	mu        sync.Mutex // guards the maps
	passages  map[planner.Passage]bool
	responses map[string]bool // by id
	heard     map[string]bool // intents that messages were read as
}

// New returns a collector that has seen nothing.
func New() *Collector {
	return &Collector{passages: map[planner.Passage]bool{}, responses: map[string]bool{}, heard: map[string]bool{}}
}

// Pass takes a passage of the planner.
func (c *Collector) Pass(p planner.Passage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.passages[p] = true
}

// Record implements telemetry.Sink.
func (c *Collector) Record(e telemetry.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch p := e.Payload.(type) {
	case telemetry.Respond:
		for _, id := range p.Response {
			c.responses[id] = true
		}
	case telemetry.Classify:
		c.heard[p.Intent] = true
		for _, r := range p.Chosen {
			c.heard[r.Intent] = true
		}
	}
}
