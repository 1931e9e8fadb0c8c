package jobs

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
)

// Func does one job.
type Func func(ctx context.Context, job memory.Job) error

// Options of a runner; the zero value is right.
type Options struct {
	Workers     int              // jobs at the same time; default 1
	Lease       time.Duration    // after which a job is taken from a worker; its work is cancelled then; default 1m
	Poll        time.Duration    // how often to look without being nudged; default 1s
	MaxAttempts int              // after which a job is dead; default 8
	FirstPause  time.Duration    // before the second attempt, doubled for each further one; default 1s
	LastPause   time.Duration    // the longest pause; default 10m
	Now         func() time.Time // default time.Now
	Busy        func() bool      // a user waits for an answer now: see Run; default never
	Done        func(Outcome)    // called after every run; may be nil
}

// Outcome is how a run of a job ended.
type Outcome struct {
	Job      memory.Job
	Code     string // "" when it was done, "lost" when another worker had claimed it, else that of its failure
	Dead     bool   // it is not tried again
	Duration time.Duration
}

// Runner works off jobs.
type Runner struct {
	store memory.Jobs
	work  map[string]Func
	kinds []string
	opts  Options
	nudge chan struct{}
}

// New returns a runner for the kinds of jobs that work names. Nothing runs yet.
func New(store memory.Jobs, work map[string]Func, opts *Options) *Runner {
	var o Options
	if opts != nil {
		o = *opts
	}
	r := &Runner{store: store, work: work, opts: o.withDefaults(), nudge: make(chan struct{}, 1)}
	for kind := range work {
		r.kinds = append(r.kinds, kind)
	}
	return r
}

func (o Options) withDefaults() Options {
	o.Workers = positive(o.Workers, 1)
	o.Lease = positive(o.Lease, time.Minute)
	o.Poll = positive(o.Poll, time.Second)
	o.MaxAttempts = positive(o.MaxAttempts, 8)
	o.FirstPause = positive(o.FirstPause, time.Second)
	o.LastPause = positive(o.LastPause, 10*time.Minute)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Busy == nil {
		o.Busy = func() bool { return false }
	}
	if o.Done == nil {
		o.Done = func(Outcome) {}
	}
	return o
}

func positive[T int | time.Duration](value, fallback T) T {
	if value <= 0 {
		return fallback
	}
	return value
}

// Nudge tells the runner that there may be a job; it never waits.
func (r *Runner) Nudge() {
	select {
	case r.nudge <- struct{}{}:
	default:
	}
}

// Run works until ctx ends. It then cancels the jobs under way, releases them for the next start,
// and returns when they have ended. It returns nil.
//
// While a user waits for an answer, a worker rests after a job for as long as the job took, at
// most one second, so that jobs that have piled up take half the time of as many processors as
// there are workers.
func (r *Runner) Run(ctx context.Context) error {
	if len(r.work) == 0 {
		return nil
	}
	var wg sync.WaitGroup
	for range r.opts.Workers {
		wg.Go(func() { r.loop(ctx) })
	}
	wg.Wait()
	return nil
}

func (r *Runner) loop(ctx context.Context) {
	tick := time.NewTicker(r.opts.Poll)
	defer tick.Stop()
	for {
		// A store that cannot be reached is asked again after the next tick.
		begun := time.Now()
		if n, err := r.once(ctx); n > 0 && err == nil {
			if r.opts.Busy() {
				rest(ctx, time.Since(begun))
			}
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-r.nudge:
		case <-tick.C:
		}
	}
}

// longestRest bounds how long a worker rests after a job that took long, such as one that waited
// for a model server.
const longestRest = time.Second

func rest(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(min(d, longestRest))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// Drain runs what is due until nothing is, and returns how many runs that were. It is for
// the command line and for tests: a server has Run.
func (r *Runner) Drain(ctx context.Context) (int, error) {
	total := 0
	for {
		n, err := r.once(ctx)
		total += n
		if n == 0 || err != nil {
			return total, err
		}
	}
}

// once claims one job and runs it.
func (r *Runner) once(ctx context.Context) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	claimed, err := r.store.Claim(ctx, memory.Claim{Now: r.opts.Now(), Lease: r.opts.Lease, Kinds: r.kinds, Limit: 1})
	if err != nil || len(claimed) == 0 {
		return 0, err
	}
	return 1, r.do(ctx, claimed[0])
}

func (r *Runner) do(ctx context.Context, job memory.Job) error {
	begun := r.opts.Now()
	out := Outcome{Job: job}
	var failed error
	out.Code = "lease_expired" // every worker that took it has died
	if job.Attempts < r.opts.MaxAttempts {
		failed = r.run(ctx, job)
		out.Code = codeOf(failed)
	}
	if err := ctx.Err(); err != nil { // stopped half-way: the next start runs it again
		back, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
		defer cancel()
		return errors.Join(err, r.store.Release(back, job))
	}
	var err error
	switch {
	case out.Code == "":
		err = r.store.Finish(ctx, job)
	case job.Attempts+1 >= r.opts.MaxAttempts:
		out.Dead = true
		err = r.store.Fail(ctx, job, out.Code, time.Time{})
	default:
		pause := max(r.pause(job.Attempts), retryAfter(failed))
		err = r.store.Fail(ctx, job, out.Code, r.opts.Now().Add(pause))
		time.AfterFunc(pause, r.Nudge) // Poll is for what other processes leave
	}
	if errors.Is(err, memory.ErrLease) {
		out.Code, out.Dead, err = "lost", false, nil
	}
	out.Duration = r.opts.Now().Sub(begun)
	r.opts.Done(out)
	return err
}

// releaseTime is how long a stop waits for the store to release a job; else its lease runs out.
const releaseTime = 5 * time.Second

// run does the job within its lease.
func (r *Runner) run(ctx context.Context, job memory.Job) (err error) {
	ctx, cancel := context.WithTimeout(ctx, r.opts.Lease)
	defer cancel()
	defer func() {
		if recover() != nil {
			err = errPanic
		}
	}()
	return r.work[job.Kind](ctx, job)
}

var errPanic = errors.New("the work panicked")

// retryAfter is how long a service has asked to wait; 0: it has not.
func retryAfter(err error) time.Duration {
	var limited interface{ RetryAfter() time.Duration }
	if errors.As(err, &limited) {
		return limited.RetryAfter()
	}
	return 0
}

// codeOf names a failure without its text, which may quote a message.
func codeOf(err error) string {
	var coded interface{ Code() string }
	switch {
	case err == nil:
		return ""
	case errors.As(err, &coded):
		return coded.Code()
	case errors.Is(err, errPanic):
		return "panic"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, memory.ErrUnavailable):
		return "unavailable"
	case errors.Is(err, memory.ErrCorrupt):
		return "corrupt"
	}
	return "failed"
}

// pause doubles with every attempt, and varies by a fifth so that jobs that failed
// together do not come back together.
func (r *Runner) pause(attempts int) time.Duration {
	d := r.opts.FirstPause
	for range attempts {
		if d *= 2; d >= r.opts.LastPause {
			d = r.opts.LastPause
			break
		}
	}
	return d - time.Duration(rand.Int64N(int64(d)/5+1))
}
