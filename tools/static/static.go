// Package static is the tool that always gives the same result: fixtures, opening
// hours, a table too small for a database.
package static

import (
	"context"

	"github.com/slotway/slotway/tools"
)

// Tool gives a fixed value.
type Tool struct{ value any }

var _ tools.Tool = (*Tool)(nil)

// New returns a tool that answers every call with value, which is JSON-normal and must
// not be changed afterwards. The registry copies it for each caller.
func New(value any) *Tool { return &Tool{value: value} }

// Call gives the value.
func (t *Tool) Call(ctx context.Context, _ tools.Call) (any, error) { return t.value, ctx.Err() }
