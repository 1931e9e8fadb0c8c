package recall

// CrossSession says when a turn searches beyond its own session.
type CrossSession struct {
	Enabled  bool     // false: never
	Always   bool     // without a trigger phrase, too
	Triggers []string // phrases; a message with one of them gets twice as many results
}

// Applies reports whether a turn with this message searches beyond its session, and whether a
// phrase triggered that.
func (r *CrossSession) Applies(text string) (beyond, triggered bool) {
	if !r.Enabled {
		return false, false
	}
	triggered = HasPhrase(text, r.Triggers)
	return triggered || r.Always, triggered
}
