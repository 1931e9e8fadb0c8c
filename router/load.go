package router

// Turns counts the turns under way, and those that wait for an earlier one of their session.
func (r *Router) Turns() (running, waiting int) { return r.lanes.count() }

// count is how many turns are in the lanes' lead, and how many behind.
func (l *lanes) count() (running, waiting int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, ln := range l.open {
		waiting += len(ln.waiting)
	}
	return len(l.open), waiting
}
