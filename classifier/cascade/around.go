package cascade

import "github.com/slotway/slotway/classifier"

// surround reads what stands around the values of a message and says what they are for.
func (c *Classifier) surround(in classifier.Input, r *classifier.Result) {
	c.around.Read(in, r, func(param string) bool { return c.tagger.Spans(param) >= enoughSpans })
}
