//go:build !unix

package sqlite

// watch sees nothing here: each turn asks for the version of its session.
type watch struct{}

func openWatch(string) *watch { return nil }

func (w *watch) close() {}

func (w *watch) header() (h indexHeader, ok bool) { return h, false }
