package recall

// Reach says whether a turn looks beyond its own session.
type Reach struct {
	Open     bool     // it may
	Always   bool     // no phrase is needed for it
	Triggers []string // phrases of which a message needs one; with it twice as much is looked for
}

// Of reports whether the turn with this message does, and whether a phrase said so.
func (r *Reach) Of(text string) (beyond, triggered bool) {
	if !r.Open {
		return false, false
	}
	triggered = HasPhrase(text, r.Triggers)
	return triggered || r.Always, triggered
}
