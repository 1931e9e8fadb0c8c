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

// errSlow ends a stream whose next part does not come.
var errSlow = errors.New("no further part in time")

// Stream is Generate in parts: yield is called with each piece of text as it comes, never
// with "" and from one goroutine. The text returned is all of them in one. A server that
// does not stream gives one part.
//
// Each part, the first included, has Options.Timeout to come, in which the time that yield
// takes does not count; Options.StreamTimeout is for all, yield included. A stream that
// ends without the server's word that the answer is complete is tools.Unavailable. With an
// error comes the text that yield had; an error of yield's ends the stream and is returned
// as it is.
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

// answer is what a stream has told.
type answer struct {
	yield    func(string) error
	text     strings.Builder
	complete bool // the model said that it has finished
}

// event is what a stream's events hold that counts here.
type event struct {
	Choices []openai.ChatCompletionStreamChoice
	Error   any    // of servers that give up
	Object  string // "error" is vLLM's way of saying so
}

// add takes one event in. Only the first choice counts, and there is only one.
func (a *answer) add(raw []byte) error {
	var event event
	if len(raw) == 0 { // the library's way of telling of an error that it cannot read
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

// ended is the error of a stream that ended with err; nil for a complete answer.
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

// streamError puts the trouble of a stream into an error without its text.
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

// errGivenUp is the error of a server that tells of one in the middle of its answer.
func errGivenUp() error {
	return &tools.Error{Code: tools.Unavailable, Tool: name, Detail: "the server gave up in its answer", Retryable: true}
}
