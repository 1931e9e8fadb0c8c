package cascade

import (
	"slices"

	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/config"
)

// spellings returns the words that misspelt words of a message may stand for, besides the words of
// the examples: the agent's names and values, and the common words that the embedder knows.
func (c *Classifier) spellings(agent *config.Agent, e linear.Embedder) ([]string, linear.Dictionary) {
	var words []string
	for _, params := range []map[string]*config.Param{agent.Params, c.param} {
		for _, p := range params {
			if p.Type == nil {
				continue
			}
			for _, v := range p.Type.Values {
				words = append(append(words, v.Value), v.Synonyms...)
			}
		}
	}
	for _, of := range c.words {
		words = append(words, of...)
	}
	slices.Sort(words)
	common, _ := e.(linear.Dictionary)
	if !c.english {
		common = nil
	}
	return slices.Compact(words), common
}
