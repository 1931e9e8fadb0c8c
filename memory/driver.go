package memory

import (
	"context"

	"github.com/slotway/slotway/config/settings"
)

// Driver opens stores of one kind. Package slotway links the stores inmem and sqlite. A program
// that wants another one names its driver, and so links its client library.
type Driver struct {
	Storage string // the value of memory.storage that means this kind
	Open    func(ctx context.Context, o *DriverOptions) (*Opened, error)
}

// DriverOptions say what to open.
type DriverOptions struct {
	Settings *settings.Memory
	Window   int // how many of its newest messages a turn loads

	// Turns: the program runs turns on the store, beside others that may do so too. Without it
	// the program only looks after the store, and Opened has nothing but the store.
	Turns bool
	// Warn tells the operator what the store cannot promise. It is never nil.
	Warn func(text string)
}

// Opened is a store, with what processes that share it need besides. What a kind of store does
// not have is nil.
type Opened struct {
	Store Backend
	Locks SessionLocks // keep the turns of a session in line across processes

	// Wake returns a channel that receives when another process has left jobs. It is closed when
	// ctx ends.
	Wake     func(ctx context.Context) <-chan struct{}
	Database func() DatabaseHealth
	Cache    func() CacheHealth

	RepairHint string // what an operator does about damaged rows: a sentence without its full stop
}

// SessionLocks let one turn of a session in at a time, across processes.
type SessionLocks interface {
	// Enter waits for the session and returns how to leave it again.
	Enter(ctx context.Context, key Key) (leave func(), err error)
	// Ready reports why nobody can enter now.
	Ready() error
	Close() error
}

// DatabaseHealth is what a database server promises and what has gone wrong with it.
type DatabaseHealth struct {
	Durability    string // what an acknowledged commit outlives; a code, "" where the server does not say
	Unconfirmed   uint64 // commits whose wait for a standby was given up
	NoStandby     bool   // no standby confirms, and turns are refused
	ServerChanges uint64 // times that another server answered, or the same one after a restart
	Regressions   uint64 // sessions that were found older than they had been
}

// CacheHealth is how a cache before a database fares.
type CacheHealth struct {
	Operations     []CacheOperation
	Unhealthy      bool   // it is left alone now, because it failed
	UnhealthyTotal uint64 // times that this began
}

// CacheOperation is how often an operation on a cache ended in one way. Both words are codes, and
// there are few of them.
type CacheOperation struct {
	Operation, Outcome string
	N                  uint64
}
