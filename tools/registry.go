package tools

import "context"

// Registry holds the tools of one agent. It is filled at start and read afterwards.
type Registry struct{}

// New returns an empty registry.
func New(opts *Options) *Registry { panic("tools helper: implement") }

// Options are the seams of a registry; the zero value is right.
type Options struct{}

// Register adds a tool under spec.Name. It fails on a second one of that name and on an
// input schema that is none.
func (r *Registry) Register(spec *Spec, tool Tool) error { panic("tools helper: implement") }

// Spec returns a tool's declaration, or nil.
func (r *Registry) Spec(name string) *Spec { panic("tools helper: implement") }

// Call checks the arguments, then runs the tool within its time limit, with its retries
// and its breaker. The error is always an *Error.
func (r *Registry) Call(ctx context.Context, call Call) (Result, error) {
	panic("tools helper: implement")
}
