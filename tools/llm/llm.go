// Package llm is the client of OpenAI-compatible model servers: OpenAI, Ollama, vLLM,
// llama.cpp and many more speak the same chat completions.
//
// Calls are bounded in time and in the size of the answer, and are answered once: whoever
// asks knows whether the answer is still wanted. [Client.Answer] may have to ask in several
// forms before a server takes one. Every error is a *tools.Error whose
// text holds no prompt, no answer, no URL and no key.
package llm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"github.com/sashabaranov/go-openai"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/httptool"
)

const (
	defaultTimeout = 20 * time.Second
	name           = "model" // of the errors' tool
)

// Options describe a model server.
type Options struct {
	BaseURL    string        // such as http://localhost:11434/v1; required
	Model      string        // required
	APIKey     string        // "" for servers that ask for none
	Timeout    time.Duration // of one call; default 20s
	HTTPClient *http.Client  // default one of its own, which follows no redirects
}

// Message is one entry of a conversation.
type Message struct {
	Role string // user, agent or system; assistant is taken for agent
	Text string
}

// roles are the protocol's names of ours.
var roles = map[string]string{
	"user":      openai.ChatMessageRoleUser,
	"agent":     openai.ChatMessageRoleAssistant,
	"assistant": openai.ChatMessageRoleAssistant,
	"system":    openai.ChatMessageRoleSystem,
}

// Client asks one model of one server. It may be used by any number of goroutines.
type Client struct {
	opts   Options
	openai *openai.Client
	format atomic.Int32 // index into formats: the form in which this server gives JSON
}

// New returns a client; nothing is sent yet.
func New(opts Options) (*Client, error) {
	if opts.BaseURL == "" || opts.Model == "" {
		return nil, errors.New("a model server needs a base URL and a model")
	}
	opts.Timeout = cmp.Or(opts.Timeout, defaultTimeout)
	if opts.HTTPClient == nil {
		opts.HTTPClient = &http.Client{
			Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxConnsPerHost: 16, IdleConnTimeout: 90 * time.Second},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	c := openai.DefaultConfig(opts.APIKey)
	c.BaseURL = opts.BaseURL
	c.HTTPClient = bounded{opts.HTTPClient}
	return &Client{opts: opts, openai: openai.NewClientWithConfig(c)}, nil
}

// WithModel is the client for another model of the same server; "" is the same model.
func (c *Client) WithModel(model string) *Client {
	opts := c.opts
	opts.Model = cmp.Or(model, opts.Model)
	return &Client{opts: opts, openai: c.openai}
}

// Generate returns the model's answer to the messages under the system text, which may
// be empty. An answer without text is tools.BadResult.
func (c *Client) Generate(ctx context.Context, system string, messages []Message) (string, error) {
	req := openai.ChatCompletionRequest{Model: c.opts.Model}
	if system != "" {
		req.Messages = append(req.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: system})
	}
	for _, m := range messages {
		role, ok := roles[m.Role]
		if !ok {
			return "", &tools.Error{Code: tools.InvalidInput, Tool: name, Detail: fmt.Sprintf("unknown role %q", m.Role)}
		}
		req.Messages = append(req.Messages, openai.ChatCompletionMessage{Role: role, Content: m.Text})
	}
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	return c.complete(ctx, req)
}

// complete makes one request.
func (c *Client) complete(ctx context.Context, req openai.ChatCompletionRequest) (string, error) {
	resp, err := c.openai.CreateChatCompletion(ctx, req)
	if err != nil {
		return "", asError(err)
	}
	if len(resp.Choices) == 0 || resp.Choices[0].Message.Content == "" {
		return "", &tools.Error{Code: tools.BadResult, Tool: name, Detail: "an answer without text"}
	}
	return resp.Choices[0].Message.Content, nil
}

// asError passes on what bounded said; anything else is the library's trouble with the
// answer, in words that may quote it.
func asError(err error) error {
	var known *tools.Error
	if errors.As(err, &known) {
		return known
	}
	return &tools.Error{Code: tools.BadResult, Tool: name, Detail: "an answer that cannot be read"}
}

// bounded reads whole answers up to tools.MaxResult, and turns every failure into a
// *tools.Error before the library can put it into words.
type bounded struct{ client *http.Client }

// Do makes the request.
func (b bounded) Do(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	var sent atomic.Bool
	req = req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { sent.Store(true) },
	}))
	resp, err := b.client.Do(req)
	if err != nil {
		return nil, certain(httptool.TransportError(ctx, name, err, sent.Load()))
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, certain(httptool.StatusError(name, resp.StatusCode, resp.Header, time.Now()))
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, tools.MaxResult+1))
	if err != nil {
		return nil, certain(httptool.TransportError(ctx, name, err, true))
	}
	if len(text) > tools.MaxResult {
		return nil, &tools.Error{Code: tools.BadResult, Tool: name, Detail: fmt.Sprintf("an answer larger than %d bytes", tools.MaxResult)}
	}
	resp.Body = io.NopCloser(bytes.NewReader(text))
	return resp, nil
}

// certain clears Uncertain: asking a model changes nothing in the world.
func certain(e *tools.Error) *tools.Error {
	e.Uncertain = false
	return e
}
