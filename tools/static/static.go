// Package static provides a tool that always returns the same result: fixtures, opening hours, a
// table too small for a database.
package static

import (
	"context"

	"github.com/slotway/slotway/tools"
)

// Tool returns a fixed value.
type Tool struct{ value any }

var _ tools.Prompt = (*Tool)(nil)

// New returns a tool that answers every call with value, which is JSON-normal and must not change
// afterwards. The registry copies it for each caller.
func New(value any) *Tool { return &Tool{value: value} }

// Call returns the value.
func (t *Tool) Call(ctx context.Context, _ tools.Call) (any, error) { return t.value, ctx.Err() }

// Prompt implements tools.Prompt.
func (t *Tool) Prompt() bool { return true }
