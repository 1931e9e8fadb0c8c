package recall

// CrossSession says whether a turn looks beyond its own session.
type CrossSession struct {
	Enabled  bool     // it may
	Always   bool     // no phrase is needed for it
	Triggers []string // phrases of which a message needs one; with it twice as much is looked for
}

// Applies reports whether the turn with this message does, and whether a phrase said so.
func (r *CrossSession) Applies(text string) (beyond, triggered bool) {
	if !r.Enabled {
		return false, false
	}
	triggered = HasPhrase(text, r.Triggers)
	return triggered || r.Always, triggered
}
