package cascade

import (
	"github.com/slotway/slotway/classifier/message"
)

// Bytes returns the size of the weights: of those that rank intents, and of those that find params.
func (c *Classifier) Bytes() (intents, params int) {
	if c.model != nil {
		intents = c.model.Bytes()
	}
	if c.tagger != nil {
		params = c.tagger.Bytes()
	}
	return intents, params
}

// Rank appends the ranking of the intent model alone to into, best first, and returns the extended
// slice: without stock phrases, params and the other steps of Classify. It is for measurements, and
// allocates only when into must grow.
func (c *Classifier) Rank(text string, into []message.Score) []message.Score {
	if c.model == nil {
		return into
	}
	return c.model.Rank(text, into)
}
