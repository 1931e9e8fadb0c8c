package cascade

import (
	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

// mended reports whether a misspelt word was replaced in a message that may begin a task.
func (c *Classifier) mended(in classifier.Input, pieces []piece, r *message.Result) bool {
	if c.model == nil || r.Exact || r.Confidence < c.threshold || r.Intent == in.Active || c.system[r.Intent] {
		return false
	}
	return c.model.Mends(join(pieces))
}
