// Package modelcall asks a model server about messages, for the tiers whose jobs do so.
package modelcall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/plaintext"
)

// MaxText is the most bytes that are sent to a model, without its instructions.
const MaxText = 48 << 10

const (
	maxAnswer = 64 << 10 // bytes
	timeout   = 20 * time.Second
)

// ErrAnswer reports that a model answered, but not in the form that was asked for.
var ErrAnswer = errors.New("the model's answer cannot be read")

// ErrModel reports that the model was not reached, so that the work is to be done again.
var ErrModel error = modelError{}

// modelError carries the code of a failed job.
type modelError struct{}

func (modelError) Error() string { return "the model server did not answer" }
func (modelError) Code() string  { return "model" }

// Model is a model server that answers in JSON.
type Model interface {
	Complete(ctx context.Context, system, user string, schema json.RawMessage) (string, error)
}

// Pseudonyms returns for a session what hides its redacted values in a text from a model, and what
// puts them back in an answer. nil hides nothing.
type Pseudonyms func(ctx context.Context, key memory.Key) (hide, restore func(string) string, err error)

// Of returns the two functions for a session.
func (p Pseudonyms) Of(ctx context.Context, key memory.Key) (hide, restore func(string) string, err error) {
	if p == nil {
		same := func(text string) string { return text }
		return same, same, nil
	}
	return p(ctx, key)
}

// Transcript returns messages as a model reads them, a line each.
func Transcript(list []memory.Message, told func(*memory.Message) bool) string {
	var b strings.Builder
	for i := range list {
		if m := &list[i]; told(m) {
			fmt.Fprintf(&b, "%s: %s\n", plaintext.Line(m.Speaker()), plaintext.Line(m.Text))
		}
	}
	return b.String()
}

// HasTime reports whether a job's lease has time for a call and for what follows it.
func HasTime(ctx context.Context, now time.Time) bool {
	deadline, ok := ctx.Deadline()
	return !ok || now.Add(timeout+timeout/4).Before(deadline)
}

// Ask sends a text to a model and decodes its answer. ErrAnswer: it cannot be decoded, and the model
// would say the same again. ErrModel: there is none, and it was not the caller who gave up.
func Ask(caller context.Context, m Model, system, text string, schema json.RawMessage, answer any) error {
	ctx, cancel := context.WithTimeout(caller, timeout)
	defer cancel()
	reply, err := m.Complete(ctx, system, text, schema)
	if caller.Err() != nil {
		return caller.Err()
	}
	if err != nil {
		return ErrModel
	}
	if len(reply) > maxAnswer || json.Unmarshal([]byte(reply), answer) != nil {
		return ErrAnswer
	}
	return nil
}
