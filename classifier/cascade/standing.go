package cascade

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
)

const (
	doubtLeft = 1.0 / 3 // of the doubt about a message that is acted on, which a part of it may leave to take its place
	oneWord   = 1       // a core of no more is a name or a slip as likely as a request
)

// stands reports whether the whole message decides the intent in spite of its core. It does if the
// rest is courtesy and the core is courtesy too, or too short to be surer of something else; or if
// the message is acted on and the core is not clearly surer of another task. A rest that is no
// courtesy may be needed: "my payment was rejected, do you know why?" is one request.
func (c *Classifier) stands(text string, pieces, core []piece, whole *message.Result, of []message.Score) bool {
	if len(of) == 0 {
		return false
	}
	if c.courteous[whole.Intent] {
		return c.courteous[of[0].Intent] || len(core) <= oneWord && certainty(of) <= whole.Confidence
	}
	acted := whole.Confidence >= c.threshold && !c.system[whole.Intent] && of[0].Intent != whole.Intent
	return acted && 1-certainty(of) > doubtLeft*(1-whole.Confidence) && !c.polite(text, pieces, core, whole)
}

// polite reports whether courtesy stands beside the core.
func (c *Classifier) polite(text string, pieces, core []piece, r *message.Result) bool {
	for i := range r.Clauses {
		cl := &r.Clauses[i]
		if chatty(&cl.Acts) || c.greets(text, cl, pieces) || cl.Stock != "" && c.system[cl.Stock] {
			return true
		}
	}
	return slices.ContainsFunc(pieces, func(p piece) bool { return p.start >= core[len(core)-1].end && message.English().Has("closer", p.key) })
}
