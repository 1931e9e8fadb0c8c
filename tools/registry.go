package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/breaker"
)

// Registry holds the tools of one agent. All methods may run concurrently, except Register beside
// Call.
type Registry struct {
	opts    Options
	entries map[string]*entry
	crew    *crew
}

// entry is one registered tool with its policy.
type entry struct {
	spec      *Spec
	tool      Tool
	schema    *jsonschema.Schema // nil: any arguments
	retries   failsafe.Executor[*callState]
	breaker   *breaker.Breaker // nil: always closed
	prompt    bool             // the tool never has to be abandoned
	abandoned atomic.Int64     // abandoned attempts that have not returned
}

// Options are the policies for all tools of a registry; the zero value holds the defaults.
type Options struct {
	BreakerThreshold int           // consecutive failures that open a tool's breaker; default 5, below 0: no breaker
	BreakerDelay     time.Duration // until a probe may run; default 30s
	Backoff          time.Duration // before the first retry, doubled for each further one; the pause is half to all of it; default 100ms
	MaxBackoff       time.Duration // default 2s
	MaxRetryAfter    time.Duration // a longer Retry-After ends the retries; default 10s
	Grace            time.Duration // for a tool to report after its deadline; default 100ms
	MaxAbandoned     int           // abandoned attempts of one tool that may still run; default 8
}

// withDefaults replaces zero fields by the defaults.
func (o Options) withDefaults() Options {
	o.BreakerThreshold = cmp.Or(o.BreakerThreshold, 5)
	o.BreakerDelay = cmp.Or(o.BreakerDelay, 30*time.Second)
	o.Backoff = cmp.Or(o.Backoff, 100*time.Millisecond)
	o.MaxBackoff = cmp.Or(o.MaxBackoff, 2*time.Second)
	o.MaxRetryAfter = cmp.Or(o.MaxRetryAfter, 10*time.Second)
	o.Grace = cmp.Or(o.Grace, 100*time.Millisecond)
	o.MaxAbandoned = cmp.Or(o.MaxAbandoned, 8)
	return o
}

// New returns an empty registry. Nil opts are the defaults.
func New(opts *Options) *Registry {
	var o Options
	if opts != nil {
		o = *opts
	}
	return &Registry{opts: o.withDefaults(), entries: map[string]*entry{}, crew: &crew{}}
}

// Register adds a tool under spec.Name. It fails for a repeated name and for an invalid input
// schema.
func (r *Registry) Register(spec *Spec, tool Tool) error {
	switch {
	case spec == nil || spec.Name == "":
		return errors.New("register a tool without a name")
	case tool == nil:
		return fmt.Errorf("register tool %s: nothing to call", spec.Name)
	case r.entries[spec.Name] != nil:
		return fmt.Errorf("register tool %s: the name is taken", spec.Name)
	}
	schema, err := compileSchema(spec.Input)
	if err != nil {
		return fmt.Errorf("register tool %s: %w", spec.Name, err)
	}
	r.entries[spec.Name] = &entry{
		spec: spec, tool: tool, schema: schema,
		retries: newRetries(spec, &r.opts), breaker: newBreaker(&r.opts), prompt: isPrompt(tool),
	}
	return nil
}

// Override returns a copy of the registry in which tool answers for name. The declaration, its
// schema, timeout and retries stay; there is no breaker, so that a scripted series of failures
// comes through as written.
func (r *Registry) Override(name string, tool Tool) (*Registry, error) {
	old := r.entries[name]
	if old == nil {
		return nil, fmt.Errorf("override tool %s: not registered", name)
	}
	entries := make(map[string]*entry, len(r.entries))
	maps.Copy(entries, r.entries)
	entries[name] = &entry{spec: old.spec, tool: tool, schema: old.schema, retries: old.retries, prompt: isPrompt(tool)}
	return &Registry{opts: r.opts, entries: entries, crew: r.crew}, nil
}

// Spec returns a tool's declaration; nil if there is none.
func (r *Registry) Spec(name string) *Spec {
	if e := r.entries[name]; e != nil {
		return e.spec
	}
	return nil
}

// Names returns the names of all tools, sorted.
func (r *Registry) Names() []string {
	names := make([]string, 0, len(r.entries))
	for n := range r.entries {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Call checks the arguments, then runs the tool with its timeout, retries and breaker. The error is
// always an *Error; Result.Attempts is set with an error too. The timeout is for each attempt; ctx
// limits the whole call.
func (r *Registry) Call(ctx context.Context, call Call) (Result, error) {
	e := r.entries[call.Tool]
	if e == nil {
		return Result{}, &Error{Code: Unavailable, Tool: call.Tool, Detail: "not registered"}
	}
	args, err := normalArgs(call.Args)
	if err != nil {
		return Result{}, &Error{Code: InvalidInput, Tool: call.Tool, Detail: "arguments: " + err.Error()}
	}
	call.Args = args
	if problem := checkArgs(e.schema, args); problem != "" {
		return Result{}, &Error{Code: InvalidInput, Tool: call.Tool, Detail: problem}
	}
	return r.run(ctx, e, call)
}

// Close refuses further calls and waits until every running attempt has returned, abandoned ones
// included; it returns ctx's error if ctx ends first.
func (r *Registry) Close(ctx context.Context) error { return r.crew.close(ctx) }

// normalArgs copies args, so that a tool may keep or change its copy.
func normalArgs(args map[string]any) (map[string]any, error) {
	v, err := Normal(args)
	if err != nil {
		return nil, err
	}
	m, _ := v.(map[string]any)
	if m == nil {
		m = map[string]any{}
	}
	return m, nil
}

// writes reports whether a call may write; anything not declared a read may.
func (e *entry) writes() bool { return writes(e.spec) }

func writes(spec *Spec) bool { return spec.Effect != config.EffectRead }

func isPrompt(tool Tool) bool {
	p, ok := tool.(Prompt)
	return ok && p.Prompt()
}

// crew owns the goroutines of attempts.
type crew struct {
	mu     sync.Mutex // guards closed and the first Add of wg
	closed bool
	wg     sync.WaitGroup
}

// run starts fn, unless the crew is closed.
func (c *crew) run(fn func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.wg.Go(fn)
	return true
}

// inline calls fn on the caller's goroutine, unless the crew is closed.
func (c *crew) inline(fn func()) bool {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return false
	}
	c.wg.Add(1)
	c.mu.Unlock()
	defer c.wg.Done()
	fn()
	return true
}

func (c *crew) close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	done := make(chan struct{})
	go func() { // ends with the last attempt; Close starts one
		c.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
