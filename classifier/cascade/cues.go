package cascade

import (
	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

// surround reads the words around the values of a message, which say what the values are for.
func (c *Classifier) surround(in classifier.Input, r *message.Result) {
	c.cues.Read(in, r, func(param string) bool { return c.tagger.Spans(param) >= enoughSpans })
	c.extract.Later(&in, r.Params)
}
