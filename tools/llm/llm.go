package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/sashabaranov/go-openai"
	"github.com/slotway/slotway/tools"
)

const (
	defaultTimeout = 20 * time.Second
	defaultRetries = 1
	maxHeader      = 64 << 10 // bytes of an answer's header
	streamTimeouts = 6        // times Timeout is the default time of a whole stream
	name           = "model"  // of the errors' tool
)

// Options describe a model server.
type Options struct {
	// BaseURL is where the server is, such as http://localhost:11434/v1; required. For an
	// Ollama server (port 11434) the /v1 may be left out; doc.go tells of Azure.
	BaseURL string
	Model   string // required; on Azure the deployment's name
	APIKey  string // "" for servers that ask for none

	API        string // OpenAI, Azure or Ollama; "" tells by the host and the port
	APIVersion string // sent as api-version; default the base URL's, or for Azure 2024-10-21

	Timeout       time.Duration // of one call, and of a stream's next part; default 20s
	StreamTimeout time.Duration // of a whole stream; default 6 times Timeout
	Retries       int           // of one request; default 1, negative is none
	HTTPClient    *http.Client  // default one of its own, which follows no redirects
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
	format *atomic.Int32 // index into formats: the form in which this model gives JSON
}

// New returns a client; nothing is sent yet. Its errors do not quote the URL, which may
// hold a key.
func New(opts Options) (*Client, error) {
	if opts.BaseURL == "" || opts.Model == "" {
		return nil, errors.New("a model server needs a base URL and a model")
	}
	opts.Timeout = cmp.Or(opts.Timeout, defaultTimeout)
	opts.StreamTimeout = cmp.Or(opts.StreamTimeout, streamTimeouts*opts.Timeout)
	opts.Retries = cmp.Or(opts.Retries, defaultRetries)
	if opts.HTTPClient == nil {
		opts.HTTPClient = &http.Client{
			Transport: &http.Transport{
				Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxConnsPerHost: 16, IdleConnTimeout: 90 * time.Second,
				MaxResponseHeaderBytes: maxHeader,
			},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	if err := locate(&opts); err != nil {
		return nil, err
	}
	return connect(opts, new(atomic.Int32)), nil
}

// connect is the client of options that are complete.
func connect(opts Options, format *atomic.Int32) *Client {
	c := openai.DefaultConfig(opts.APIKey)
	if opts.API == Azure {
		c = openai.DefaultAzureConfig(opts.APIKey, "")
		c.AzureModelMapperFunc = url.PathEscape // the library's own guesses names from models
	}
	c.BaseURL, c.APIVersion = opts.BaseURL, opts.APIVersion
	c.HTTPClient = bounded{client: opts.HTTPClient, retries: opts.Retries, within: opts.Timeout}
	return &Client{opts: opts, openai: openai.NewClientWithConfig(c), format: format}
}

// WithModel is the client for another model of the same server; "" is the same model.
func (c *Client) WithModel(model string) *Client {
	if model == "" || model == c.opts.Model {
		return c
	}
	opts := c.opts
	opts.Model = model
	return connect(opts, new(atomic.Int32))
}

// WithRetries is the same client with n retries of a request, none for 0 or less: for a
// caller whose own time is shorter than any wait.
func (c *Client) WithRetries(n int) *Client {
	opts := c.opts
	opts.Retries = max(n, 0)
	return connect(opts, c.format)
}

// Generate returns the model's answer to the messages under the system text, which may
// be empty. An answer without text is tools.BadResult.
func (c *Client) Generate(ctx context.Context, system string, messages []Message) (string, error) {
	req, err := c.request(system, messages)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	return c.complete(ctx, req)
}

// request puts a conversation into the protocol's words.
func (c *Client) request(system string, messages []Message) (openai.ChatCompletionRequest, error) {
	req := openai.ChatCompletionRequest{Model: c.opts.Model}
	if system != "" {
		req.Messages = append(req.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: system})
	}
	for _, m := range messages {
		role, ok := roles[m.Role]
		if !ok {
			return req, &tools.Error{Code: tools.InvalidInput, Tool: name, Detail: fmt.Sprintf("unknown role %q", m.Role)}
		}
		req.Messages = append(req.Messages, openai.ChatCompletionMessage{Role: role, Content: m.Text})
	}
	return req, nil
}

// complete makes one request.
func (c *Client) complete(ctx context.Context, req openai.ChatCompletionRequest) (string, error) {
	resp, err := c.openai.CreateChatCompletion(ctx, req)
	if err != nil {
		return "", asError(err)
	}
	if len(resp.Choices) == 0 || resp.Choices[0].Message.Content == "" {
		return "", errNoText()
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

// errNoText is the error of an answer that says nothing.
func errNoText() error {
	return &tools.Error{Code: tools.BadResult, Tool: name, Detail: "an answer without text"}
}
