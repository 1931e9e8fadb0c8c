// Package modelcall asks a model server about messages, for the tiers whose jobs do so.
package modelcall

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// MaxText is the most bytes that are sent to a model, without its instructions.
const MaxText = 48 << 10

const (
	maxAnswer = 64 << 10 // bytes
	timeout   = 20 * time.Second
)

// ErrAnswer reports that a model answered, but not in the form that was asked for.
var ErrAnswer = errors.New("the model's answer cannot be read")

// Model is a model server that answers in JSON.
type Model interface {
	Complete(ctx context.Context, system, user string, schema json.RawMessage) (string, error)
}

// HasTime reports whether a job's lease has time for a call and for what follows it.
func HasTime(ctx context.Context, now time.Time) bool {
	deadline, ok := ctx.Deadline()
	return !ok || now.Add(timeout+timeout/4).Before(deadline)
}

// Ask sends a text to a model and decodes its answer. ErrAnswer: it cannot be decoded, and the model
// would say the same again.
func Ask(ctx context.Context, m Model, system, text string, schema json.RawMessage, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	reply, err := m.Complete(ctx, system, text, schema)
	if err != nil {
		return err
	}
	if len(reply) > maxAnswer || json.Unmarshal([]byte(reply), answer) != nil {
		return ErrAnswer
	}
	return nil
}
