// Package gotool turns Go functions into tools, for programs that embed Slotway.
//
// A function returns any value that has a JSON form. To give the reason of a failure it returns a
// *tools.Error; any other error becomes tools.Failed, and a write that failed in this way counts as
// one that may have happened. Error details must not hold argument values.
package gotool

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/slotway/slotway/tools"
)

// Func is a function that is a tool. It must end soon after its context does.
type Func func(ctx context.Context, call tools.Call) (any, error)

var _ tools.Tool = Func(nil)

// Call calls the function.
func (f Func) Call(ctx context.Context, call tools.Call) (any, error) { return f(ctx, call) }

// Typed returns a tool that decodes the arguments into an In, by its json tags, and then calls f
// with it and with the idempotency key of a write. Arguments that do not fit In, or for which it
// has no field, are invalid_input. Fields of absent (nil) arguments keep their zero value.
func Typed[In, Out any](f func(ctx context.Context, in In, key string) (Out, error)) tools.Tool {
	return Func(func(ctx context.Context, call tools.Call) (any, error) {
		var in In
		if err := decode(call.Args, &in); err != nil {
			// encoding/json quotes values, so its text stays in the cause.
			return nil, &tools.Error{Code: tools.InvalidInput, Tool: call.Tool, Detail: "arguments do not fit the function", Err: err}
		}
		return f(ctx, in, call.IdempotencyKey)
	})
}

func decode(args map[string]any, into any) error {
	present := make(map[string]any, len(args))
	for name, v := range args {
		if v != nil {
			present[name] = v
		}
	}
	data, err := json.Marshal(present)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}
