package llm

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"
	"github.com/slotway/slotway/tools"
)

// errSlow ends a stream whose next part takes too long.
var errSlow = errors.New("no further part in time")

// Stream is Generate in parts: it calls yield with each piece of text as it arrives, never with "",
// from one goroutine. It returns the whole text. A server that does not stream gives one part.
//
// Each part, the first included, must arrive within Options.Timeout, not counting the time of
// yield; Options.StreamTimeout limits the whole, including yield. A stream that ends before the
// server says that the answer is complete is tools.Unavailable. With an error, Stream returns the
// text that yield had; an error of yield ends the stream and is returned unchanged.
func (c *Client) Stream(ctx context.Context, system string, messages []Message, yield func(part string) error) (string, error) {
	req, err := c.request(system, messages)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, c.opts.StreamTimeout)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	slow := time.AfterFunc(c.opts.Timeout, func() { end(errSlow) })
	defer slow.Stop()

	stream, err := c.openai.CreateChatCompletionStream(ctx, req)
	if err != nil {
		return "", streamError(ctx, err)
	}
	defer stream.Close()
	a := answer{yield: yield}
	for {
		raw, err := stream.RecvRaw()
		slow.Stop()
		if err != nil {
			return a.text.String(), a.ended(ctx, err)
		}
		if err := a.add(raw); err != nil {
			return a.text.String(), err
		}
		slow.Reset(c.opts.Timeout)
	}
}

// answer collects the events of a stream.
type answer struct {
	yield    func(string) error
	text     strings.Builder
	complete bool // the model has finished
}

// event holds the parts of an event that matter here.
type event struct {
	Choices []openai.ChatCompletionStreamChoice
	Error   any    // of a server that gives up
	Object  string // vLLM's sign of an error
}

// add reads one event. Only the first choice counts, and there is only one.
func (a *answer) add(raw []byte) error {
	var event event
	if len(raw) == 0 { // the library's sign of an error that it cannot read
		return errGivenUp()
	}
	if err := json.Unmarshal(raw, &event); err != nil {
		return asError(err)
	}
	if event.Error != nil || event.Object == "error" {
		return errGivenUp()
	}
	for _, choice := range event.Choices {
		if choice.Index != 0 {
			continue
		}
		a.complete = a.complete || choice.FinishReason != ""
		part := choice.Delta.Content
		if part == "" {
			continue
		}
		if a.text.Len()+len(part) > tools.MaxResult {
			return errTooLarge()
		}
		a.text.WriteString(part)
		if err := a.yield(part); err != nil {
			return err
		}
	}
	return nil
}

// ended returns the error for a stream that ended with err; nil for a complete answer.
func (a *answer) ended(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, io.EOF) || (errors.Is(err, io.ErrUnexpectedEOF) && a.complete):
		if a.text.Len() == 0 {
			return errNoText()
		}
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &tools.Error{Code: tools.Unavailable, Tool: name, Detail: "an answer that breaks off", Retryable: true}
	}
	return streamError(ctx, err)
}

// streamError converts the error of a stream, without its text.
func streamError(ctx context.Context, err error) error {
	var told *openai.APIError
	switch {
	case errors.Is(context.Cause(ctx), errSlow):
		return &tools.Error{Code: tools.Timeout, Tool: name, Detail: errSlow.Error(), Retryable: true}
	case errors.As(err, &told):
		return errGivenUp()
	}
	return asError(err)
}

// errGivenUp is the error of a server that reports one within its answer.
func errGivenUp() error {
	return &tools.Error{Code: tools.Unavailable, Tool: name, Detail: "the server gave up in its answer", Retryable: true}
}
