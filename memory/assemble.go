package memory

import "context"

// Assemble asks the tiers, in their order, what one turn may know of the past. A tier
// that fails is named in Context.Failed, and what it had added is taken back; only the
// end of ctx ends the whole.
func Assemble(ctx context.Context, tiers []Tier, req Request) (Context, error) {
	var c Context
	if req.Prompt != "" {
		c.System = append(c.System, Message{Role: System, Text: req.Prompt})
	}
	for _, tier := range tiers {
		if err := ctx.Err(); err != nil {
			return Context{}, err
		}
		draft := c
		if err := contribute(ctx, tier, req, &draft); err != nil {
			c.Failed = append(c.Failed, tier.Name())
			continue
		}
		draft.Failed = c.Failed
		c = draft
	}
	return c, ctx.Err()
}

// contribute turns a panic of a tier into its failure: memory never breaks a turn.
func contribute(ctx context.Context, tier Tier, req Request, c *Context) (err error) {
	defer func() {
		if recover() != nil {
			err = errTierPanic
		}
	}()
	return tier.Contribute(ctx, req, c)
}

// Workers returns the workers among tiers.
func Workers(tiers []Tier) []Worker {
	var out []Worker
	for _, tier := range tiers {
		if w, ok := tier.(Worker); ok {
			out = append(out, w)
		}
	}
	return out
}

// WantedJobs returns the kinds of the jobs that a turn makes for workers.
func WantedJobs(workers []Worker, p Progress) []string {
	var kinds []string
	for _, w := range workers {
		if w.Wants(p) {
			kinds = append(kinds, w.Kind())
		}
	}
	return kinds
}
