package eval

import (
	"context"
	"fmt"

	"github.com/slotway/slotway/config"
)

// ServedFigures say what one agent does with messages that its examples do not hold.
type ServedFigures struct {
	Language string       `json:"language"`
	Served   SmallOutcome `json:"served"` // messages of the agent's own intents
	Near     SmallOutcome `json:"near"`   // messages of intents that it does not have
	Far      SmallOutcome `json:"far"`    // messages labelled OutOfScope
}

// Served asks an agent, as it is, about the messages of a file.
func Served(ctx context.Context, agent *config.Agent, test []Row, opts *Options) (*ServedFigures, error) {
	o := opts.withDefaults()
	o.Begin(1)
	j, err := train(agent, &o)
	if err != nil {
		return nil, fmt.Errorf("train agent %s: %w", agent.ID, err)
	}
	var f SmallFigures
	if err := f.ask(ctx, j, agent, o.Noise.On(test)); err != nil {
		return nil, err
	}
	out := &ServedFigures{Language: agent.Language, Served: f.Served, Near: f.Near, Far: f.Far}
	for _, s := range []*SmallOutcome{&out.Served, &out.Near, &out.Far} {
		s.shares()
	}
	o.Step()
	return out, nil
}
