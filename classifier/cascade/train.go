package cascade

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/slotway/slotway/classifier/acts"
	"github.com/slotway/slotway/classifier/cues"
	"github.com/slotway/slotway/classifier/extract"
	"github.com/slotway/slotway/classifier/extract/tagger"
	"github.com/slotway/slotway/classifier/internal/modelfile"
	"github.com/slotway/slotway/classifier/internal/training"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// spelling gives an English agent's extractor the words that the embedder knows, which are no typos
// of others.
func spelling(agent *config.Agent, o *Options) *extract.Options {
	if o.Linear == nil || !agent.English() {
		return o.Extract
	}
	vectors, ok := o.Linear.Embedder.(interface{ Knows(word string) bool })
	if !ok {
		return o.Extract
	}
	var out extract.Options
	if o.Extract != nil {
		out = *o.Extract
	}
	out.Knows = vectors.Knows
	return &out
}

// encoder adds the encoder to the options of training for an agent that should have it. The encoder
// knows only English.
func (o *Options) encoder(agent *config.Agent, l *linear.Options) (err error) {
	switch {
	case !agent.English() || len(agent.Intents) < o.EncodeFrom:
		l.Encoder = nil
	case o.Encoder != nil:
		if l.Encoder, err = o.Encoder(); err != nil {
			return fmt.Errorf("open the encoder: %w", err)
		}
	}
	return nil
}

// New makes the classifier of an agent, from the cache or by training. The agent is not changed and
// may be shared.
func New(agent *config.Agent, opts *Options) (*Classifier, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	c := &Classifier{
		extract: extract.New(agent, spelling(agent, &o)), stock: map[string]stock{}, system: map[string]bool{},
		longest: cmp.Or(o.Longest, defaultLongest), options: o.Extract, cues: cues.New(agent), threshold: agent.Classifier.Threshold, reject: agent.Classifier.Reject,
	}
	for _, in := range agent.System {
		c.system[in.ID] = true
	}
	c.english = agent.English()
	c.speaks, c.gloss = acts.In(agent.Language), message.GlossOf(agent.Language)
	c.classes, c.words = maskClasses(agent)
	c.paramsOf(agent)
	c.own, c.courteous, c.after = ownActs(agent), courteousTasks(agent), map[string]*config.Intent{}
	for _, in := range agent.Intents {
		if in.After != nil {
			c.after[in.ID] = in
		}
	}
	var l linear.Options
	if o.Linear != nil {
		l = *o.Linear
	}
	c.unmeasured = l.Uncalibrate
	o.speak(agent, &l)
	l.Words, l.Dictionary = c.spellings(agent, l.Embedder)
	if err := o.encoder(agent, &l); err != nil {
		return nil, err
	}
	if err := c.readWith(agent, &o); err != nil {
		return nil, err
	}
	l.Encoder = c.name(agent, l.Encoder)
	name := cacheName(agent, &o, &l)
	if o.Cache != nil && name != "" && c.restore(o.Cache.Get(name), name, &l, o.Words) {
		return c, nil
	}
	examples := keptVectors(&o, &l)
	l.Watch = training.NewWatch(o.Tick)
	if err := c.train(agent, &l, o.Words); err != nil {
		return nil, err
	}
	if err := l.Watch.End(); err != nil {
		return nil, err
	}
	examples.save()
	if o.Cache != nil && name != "" {
		data, err := modelfile.Keep(cacheMagic, c.kept(name))
		if err != nil {
			return nil, err
		}
		o.Cache.Put(name, data)
	}
	return c, nil
}

// train learns from the agent's examples.
func (c *Classifier) train(agent *config.Agent, opts *linear.Options, words tagger.Vectors) error {
	c.learnTags(agent, words, opts.Watch)
	if err := opts.Watch.Err(); err != nil {
		return err
	}
	var examples []linear.Example
	describe := map[string]string{}
	for _, in := range slices.Concat(agent.System, agent.Intents, agent.NotServed) {
		describe[in.ID] = in.Description
		for _, e := range in.Examples {
			if e.Asked != "" {
				continue // a reply tells what its value looks like, not what it wants
			}
			pieces := cut(e.Text, message.Tokenize(e.Text, nil), c.masksOf(e))
			if len(pieces) == 0 {
				continue
			}
			if in.After == nil || c.stock[join(pieces)].system == "" { // else a yes of its turn would blur every yes
				examples = append(examples, linear.Example{Intent: in.ID, Text: join(pieces)})
			}
			c.learnStock(pieces, in)
		}
		if len(in.Examples) == 0 && !in.Internal && !c.system[in.ID] && in.ID != agent.Classifier.Fallback && in.Description != "" {
			examples = append(examples, linear.Example{Intent: in.ID, Text: in.Description})
		}
	}
	if len(examples) == 0 {
		return nil
	}
	opts.Describe, opts.Aside = describe, c.system
	var err error
	if c.model, err = linear.Train(examples, opts); err != nil {
		return fmt.Errorf("train intents: %w", err)
	}
	return nil
}

// learnStock enters a phrase with and without its courtesy. A system intent keeps the words that
// are left without it: "please help" takes "help" from nobody.
func (c *Classifier) learnStock(pieces []piece, in *config.Intent) {
	if !slices.ContainsFunc(pieces, func(p piece) bool { return !p.mask }) {
		return // a value alone speaks for no intent
	}
	for n, key := range []string{join(pieces), join(strip(pieces, courtesyOpens, courtesyCloses))} {
		s := c.stock[key]
		switch {
		case in.System:
			s.system = cmp.Or(s.system, in.ID)
		case n > 0 && s.system != "":
		case !slices.Contains(s.tasks, in.ID):
			s.tasks = append(s.tasks, in.ID)
		}
		c.stock[key] = s
	}
}
