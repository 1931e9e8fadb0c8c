package llm

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/sashabaranov/go-openai"
	"github.com/slotway/slotway/tools"
)

// Schema is the form that an answer must have.
type Schema struct {
	Name     string          // letters, digits, _ and -; at most 64
	Document json.RawMessage // JSON Schema
}

// greedy stands for temperature 0, which the library leaves out, and which would then mean 1.
// Servers take anything this small for zero or pick the likeliest token anyway, and none of them
// overflows on it, as some do on the smallest float.
const greedy = 1e-6

// formats are the ways of asking for JSON, the strictest first. A server that does not know one
// answers 400 or 422.
var formats = []openai.ChatCompletionResponseFormatType{
	openai.ChatCompletionResponseFormatTypeJSONSchema,
	openai.ChatCompletionResponseFormatTypeJSONObject,
	"", // only the prompt asks for JSON
}

// Answer returns the model's answer to one text under the system text, as the JSON that schema
// describes, as far as the server can enforce that: the caller checks it. It takes the likeliest
// answer, so that the same question has the same answer, and removes a Markdown fence around it.
//
// If the server refuses the strict form, Answer asks at once in the next one, within the same
// deadline; later calls use only the form that the server accepted.
func (c *Client) Answer(ctx context.Context, system, text string, schema Schema) (string, error) {
	req := openai.ChatCompletionRequest{Model: c.opts.Model, Temperature: greedy, Messages: []openai.ChatCompletionMessage{
		{Role: openai.ChatMessageRoleSystem, Content: system},
		{Role: openai.ChatMessageRoleUser, Content: text},
	}}
	if openai.NewReasoningValidator().Validate(req) != nil {
		req.Temperature = 0 // left out: reasoning models have a fixed one
	}
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	var answer string
	var err error
	for form := int(c.format.Load()); form < len(formats); form++ {
		req.ResponseFormat = schema.format(formats[form])
		if answer, err = c.complete(ctx, req); refused(err) {
			continue
		}
		if err == nil {
			c.format.Store(int32(form))
		}
		break
	}
	return unfenced(answer), err // refused in every form, so the form is not the reason
}

// unfenced returns the content of a Markdown code fence, or the text itself.
func unfenced(text string) string {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\uFEFF"))
	body, fenced := strings.CutPrefix(text, "```")
	if !fenced {
		return text
	}
	body, closed := strings.CutSuffix(body, "```")
	if !closed {
		return text
	}
	return strings.TrimSpace(strings.TrimPrefix(body, "json"))
}

// format asks for an answer in one of formats.
func (s Schema) format(as openai.ChatCompletionResponseFormatType) *openai.ChatCompletionResponseFormat {
	switch as {
	case openai.ChatCompletionResponseFormatTypeJSONSchema:
		return &openai.ChatCompletionResponseFormat{Type: as, JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
			Name: s.Name, Schema: s.Document, Strict: true,
		}}
	case openai.ChatCompletionResponseFormatTypeJSONObject:
		return &openai.ChatCompletionResponseFormat{Type: as}
	}
	return nil
}

// refused reports whether the server rejected the request itself.
func refused(err error) bool { return tools.CodeOf(err) == tools.InvalidInput }
