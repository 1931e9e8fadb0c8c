package tools

import (
	"context"
	"sync"
	"time"
)

// Outcome is one scripted answer of a tool.
type Outcome struct {
	Result any           // JSON-normal
	Err    Code          // "": Result is the answer
	Delay  time.Duration // before answering; cut short by the call's context
}

// Script returns a tool that returns the outcomes in turn, one per call. Its errors are not
// retryable, since a retry would consume the next outcome. A call after the last one fails with
// "script exhausted". A scripted timeout or bad_result of a write is uncertain, like a real one.
func Script(outcomes []Outcome) Tool { return &script{left: outcomes} }

type script struct {
	mu   sync.Mutex // guards left
	left []Outcome
}

// Call returns the next outcome.
func (s *script) Call(ctx context.Context, call Call) (any, error) {
	next, ok := s.take()
	if !ok {
		return nil, &Error{Code: Failed, Tool: call.Tool, Detail: "script exhausted"}
	}
	if next.Delay > 0 {
		if err := sleep(ctx, next.Delay); err != nil {
			return nil, &Error{Code: Timeout, Tool: call.Tool, Detail: "scripted delay", Uncertain: true, Err: err}
		}
	}
	if next.Err != "" {
		uncertain := next.Err == Timeout || next.Err == BadResult
		return nil, &Error{Code: next.Err, Tool: call.Tool, Detail: "scripted", Uncertain: uncertain}
	}
	return next.Result, nil
}

func (s *script) take() (Outcome, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.left) == 0 {
		return Outcome{}, false
	}
	next := s.left[0]
	s.left = s.left[1:]
	return next, true
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
