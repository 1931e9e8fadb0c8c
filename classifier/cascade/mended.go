package cascade

import "github.com/slotway/slotway/classifier"

// mended reports whether a message that may begin a task was read with other words than those
// that were written.
func (c *Classifier) mended(in classifier.Input, pieces []piece, r *classifier.Result) bool {
	if c.model == nil || r.Exact || r.Confidence < c.threshold || r.Intent == in.Active || c.system[r.Intent] {
		return false
	}
	return c.model.Mends(join(pieces))
}
