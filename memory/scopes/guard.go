package scopes

import (
	"sync"

	"github.com/slotway/slotway/memory"
)

// Guard is the lock of what a tier keeps of a scope. The zero value is unlocked.
type Guard struct {
	sync.RWMutex

	readings int // guarded by the lock
}

// CatchUp locks, and calls read with the sessions that list returns, unless current says of them that nothing is new.
// A caller that others have overtaken lists again: by its first listing it would read again what they have read.
func (g *Guard) CatchUp(list func() ([]memory.Info, error), current func([]memory.Info) bool, read func([]memory.Info) error) error {
	g.RLock()
	before := g.readings
	g.RUnlock()
	infos, err := list()
	if err != nil {
		return err
	}
	g.RLock()
	done := current(infos)
	g.RUnlock()
	if done {
		return nil
	}
	g.Lock()
	defer g.Unlock()
	if g.readings != before {
		if infos, err = list(); err != nil {
			return err
		}
	}
	g.readings++
	return read(infos)
}
