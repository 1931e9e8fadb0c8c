package recall

import (
	"context"

	"github.com/slotway/slotway/memory"
)

// Redactor returns a function that takes out of texts what another process must not see. The texts
// are of the given sessions; a key without a session stands for a question of that user. Where it
// fails, nothing may be sent. A nil Redactor takes nothing out.
type Redactor func(ctx context.Context, keys ...memory.Key) (func(text string) string, error)

// For returns the function for some sessions.
func (r Redactor) For(ctx context.Context, keys ...memory.Key) (func(text string) string, error) {
	if r == nil {
		return func(text string) string { return text }, nil
	}
	return r(ctx, keys...)
}

// Texts returns redacted texts of some sessions.
func (r Redactor) Texts(ctx context.Context, texts []string, keys ...memory.Key) ([]string, error) {
	if r == nil || len(texts) == 0 {
		return texts, nil
	}
	redact, err := r(ctx, keys...)
	if err != nil {
		return nil, err
	}
	redacted := make([]string, len(texts))
	for i, text := range texts {
		redacted[i] = redact(text)
	}
	return redacted, nil
}
