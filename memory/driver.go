package memory

import (
	"context"

	"github.com/slotway/slotway/config/settings"
)

// Driver opens stores of one kind. Package slotway links the stores inmem and sqlite. A program
// that needs another one names its driver, and so links its client library.
type Driver struct {
	Storage string // the value of memory.storage that means this kind
	Open    func(ctx context.Context, o *DriverOptions) (*Opened, error)
}

// DriverOptions say what to open.
type DriverOptions struct {
	Settings *settings.Memory
	Window   int // how many of its newest messages a turn loads

	// Turns: the program runs turns on the store, and other processes may, too. Without it the
	// program only maintains the store, and Opened has nothing but the store.
	Turns bool
	// Warn tells the operator what the store cannot promise. It is never nil.
	Warn func(text string)
}

// Opened is a store, with what processes that share it need. What a kind of store does not have is
// nil.
type Opened struct {
	Store Backend
	Locks SessionLocks // run the turns of a session one after another, across processes

	// Durability is what an acknowledged commit survives, a code; "" where the server does not say.
	Durability string
	Cache      func() CacheHealth

	RepairHint string // tells an operator what to do about damaged rows: a sentence without its full stop
}

// SessionLocks run the turns of a session one after another, across processes.
type SessionLocks interface {
	// Enter waits for the session and returns how to leave it again.
	Enter(ctx context.Context, key Key) (leave func(), err error)
	Close() error
}

// CacheHealth is the state of a cache before a database.
type CacheHealth struct {
	Operations     []CacheOperation
	Unhealthy      bool   // it is bypassed now, because it failed
	UnhealthyTotal uint64 // times that this began
}

// CacheOperation is how often an operation on a cache had an outcome. Both words are codes, and
// there are few of them.
type CacheOperation struct {
	Operation, Outcome string
	N                  uint64
}
