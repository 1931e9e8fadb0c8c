package memory

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Job is background work on one session. There is at most one of a kind: asking again for one that
// waits moves its target, so that a hundred turns make one row.
type Job struct {
	Key      Key       `json:"key"`
	Kind     string    `json:"kind"`
	Epoch    int64     `json:"epoch"`          // of the session when it was asked for last
	Target   int64     `json:"target_seq"`     // the newest message that it is about
	RunAt    time.Time `json:"run_at"`         // not before
	Attempts int       `json:"attempts"`       // that failed, or whose worker died
	Dead     bool      `json:"dead,omitempty"` // given up; Revive brings it back
	Code     string    `json:"code,omitempty"` // of the last failure; never a text
	Token    string    `json:"-"`              // of the lease; "" without one
	Until    time.Time `json:"until,omitzero"` // end of the lease
}

// WantedJob is a job that a turn asks for. The commit fills in the rest.
type WantedJob struct {
	Kind  string
	RunAt time.Time // not before; zero: at once
}

// Claim says which jobs a worker takes.
type Claim struct {
	Now   time.Time
	Lease time.Duration // how long the worker holds them; after that another may claim them
	Kinds []string      // empty: any
	Limit int           // at most; default 1
}

// JobQuery selects jobs. Empty fields do not select.
type JobQuery struct {
	UserID, AgentID, SessionID string

	Kind  string
	Dead  bool // only those that were given up
	Limit int  // default 100, maximum 1000
}

// Size is Limit with its default and maximum applied.
func (q JobQuery) Size() int {
	if q.Limit <= 0 {
		return 100
	}
	return min(q.Limit, 1000)
}

// Jobs hands background work to workers: an outbox that Store.Commit fills in the turn's own
// transaction and that is worked off at least once.
type Jobs interface {
	// Claim leases due jobs, the longest due first. One whose lease has run out counts as
	// failed once: its worker died.
	Claim(ctx context.Context, c Claim) ([]Job, error)
	// Finish removes a claimed job, or lets it wait for another run when more was asked for
	// meanwhile. ErrLease: the lease ran out and the job is another worker's or done.
	Finish(ctx context.Context, job Job) error
	// Fail gives a claimed job back with a code; it is due again at retry, and never when
	// retry is zero. ErrLease as for Finish.
	Fail(ctx context.Context, job Job, code string, retry time.Time) error
	// Release gives a claimed job back unfinished, with no failure counted: its worker is
	// being stopped. ErrLease as for Finish.
	Release(ctx context.Context, job Job) error
}

// Backlog is the background work that waits or was given up.
type Backlog interface {
	// Jobs lists jobs, the longest due first, the dead ones included.
	Jobs(ctx context.Context, q JobQuery) ([]Job, error)
	// Revive makes dead jobs due at now, with no attempt counted, and returns how many.
	Revive(ctx context.Context, q JobQuery, now time.Time) (int, error)
}

// Leased returns the job in the hands of a worker.
func (j Job) Leased(c *Claim, token string) Job {
	if j.Token != "" {
		j.Attempts++
		j.Code = "lease_expired"
	}
	j.Token, j.Until = token, Moment(c.Now.Add(c.Lease))
	return j
}

// Finished returns what remains of the stored job when the run that began with j has ended: nil,
// unless more was asked for meanwhile.
func (j Job) Finished(stored Job) *Job {
	if stored.Target == j.Target && stored.Epoch == j.Epoch {
		return nil
	}
	stored = stored.again()
	return &stored
}

// FailedJob returns a function that makes the job after a failure of the stored one; a zero retry
// is never.
func FailedJob(code string, retry time.Time) func(stored Job) *Job {
	return func(stored Job) *Job {
		stored = stored.failed(code, retry)
		return &stored
	}
}

// ReleasedJob returns the stored job without its lease.
func ReleasedJob(stored Job) *Job {
	stored.Token, stored.Until = "", time.Time{}
	return &stored
}

func (j Job) failed(code string, retry time.Time) Job {
	j.Attempts++
	j.Code, j.Token, j.Until = code, "", time.Time{}
	if j.Dead = retry.IsZero(); !j.Dead {
		j.RunAt = Moment(retry)
	}
	return j
}

// again returns the job for another run.
func (j Job) again() Job {
	j.Attempts, j.Code, j.Token, j.Until = 0, "", "", time.Time{}
	return j
}

func (d *Delta) validateJobs() error {
	for i, w := range d.Jobs {
		if w.Kind == "" {
			return fmt.Errorf("%w: a job without a kind", ErrBadDelta)
		}
		if slices.ContainsFunc(d.Jobs[:i], func(v WantedJob) bool { return v.Kind == w.Kind }) {
			return fmt.Errorf("%w: job %s is wanted twice", ErrBadDelta, w.Kind)
		}
	}
	return nil
}
