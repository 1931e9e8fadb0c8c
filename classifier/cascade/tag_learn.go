package cascade

import (
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/tagger"
	"github.com/slotway/slotway/classifier/internal/training"
	"github.com/slotway/slotway/config"
)

// paramsOf notes the params of the agent's tasks.
func (c *Classifier) paramsOf(agent *config.Agent) {
	c.tags = map[string][]string{}
	c.param = map[string]*config.Param{}
	c.writes = map[string]bool{}
	c.replies = map[string]int{}
	c.frames = framesOf(agent)
	for _, in := range agent.Intents {
		for _, e := range in.Examples {
			if slices.ContainsFunc(e.Spans, func(s config.Span) bool { return s.Param == e.Asked }) {
				c.replies[e.Asked]++
			}
		}
		c.writes[in.ID] = agent.Writes(in)
		for _, p := range in.AllParams() {
			c.tags[in.ID] = append(c.tags[in.ID], p.Name)
			c.param[p.Name] = p
		}
	}
}

// tagShare is the share of a training's time that the tagger takes, about.
const tagShare = 0.15

// learnTags trains the tagger on the marked examples of an agent's tasks. It stays nil
// when there are not enough of them.
func (c *Classifier) learnTags(agent *config.Agent, vectors tagger.Vectors, watch *training.Watch) {
	counts, marked := map[string]int{}, 0
	var all []string
	for _, in := range agent.Intents {
		all = append(all, c.tags[in.ID]...)
		for _, e := range in.Examples {
			for _, s := range e.Spans {
				counts[s.Param]++
				if c.mayTag(s.Param) {
					marked++
				}
			}
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if marked < severalSpans && !slices.ContainsFunc(all, func(p string) bool { return counts[p] >= someSpans && c.mayTag(p) }) {
		return
	}
	var examples []tagger.Example
	for _, in := range slices.Concat(agent.Intents, agent.System) {
		tags := c.tags[in.ID]
		if in.System {
			tags = all // "never mind" is a value of none
		}
		for _, e := range in.Examples {
			if watch.Stopped() {
				return
			}
			said := classifier.Input{Text: e.Text, Asked: askedOf(e)}
			values, _, found := c.extract.Analyse(said, nil)
			t := tagger.Example{Sentence: sentence(said, tags, c.hits(said, values, found))}
			for _, s := range e.Spans {
				t.Spans = append(t.Spans, tagger.Span{Tag: s.Param, Start: s.Start, End: s.End})
			}
			examples = append(examples, t)
		}
	}
	watch.Part(tagShare, tagger.Steps(len(examples)))
	c.tagger = tagger.Train(examples, &tagger.Options{Vectors: vectors, Watch: watch})
}

func askedOf(e config.Example) *classifier.Asked {
	if e.Asked == "" {
		return nil
	}
	return &classifier.Asked{Param: e.Asked}
}
