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
	streamTimeouts = 6        // default time of a whole stream, as a multiple of Timeout
	name           = "model"  // the tool's name in errors
)

// Options configure a client.
type Options struct {
	// BaseURL is the address of the server, such as http://localhost:11434/v1; required. For an
	// Ollama server (port 11434) the /v1 is optional; the package documentation explains Azure.
	BaseURL string
	Model   string // required; on Azure the name of the deployment
	APIKey  string // "" for servers without keys

	API        string // OpenAI, Azure or Ollama; "": by host and port
	APIVersion string // sent as api-version; default: that of the base URL, or for Azure 2024-10-21

	Timeout       time.Duration // of one call, and of the next part of a stream; default 20s
	StreamTimeout time.Duration // of a whole stream; default 6 times Timeout
	Retries       int           // of one request; default 1, negative: none
	HTTPClient    *http.Client  // default: its own client, which follows no redirects
}

// Message is one entry of a conversation.
type Message struct {
	Role string // user, agent or system; assistant means agent
	Text string
}

// roles maps our roles to the protocol's.
var roles = map[string]string{
	"user":      openai.ChatMessageRoleUser,
	"agent":     openai.ChatMessageRoleAssistant,
	"assistant": openai.ChatMessageRoleAssistant,
	"system":    openai.ChatMessageRoleSystem,
}

// Client asks one model of one server. It is safe for concurrent use.
type Client struct {
	opts   Options
	openai *openai.Client
	format *atomic.Int32 // index into formats: the form in which this model returns JSON
}

// New returns a client; it sends nothing yet. Its errors do not quote the URL, which may hold a
// key.
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

// connect returns the client for complete options.
func connect(opts Options, format *atomic.Int32) *Client {
	c := openai.DefaultConfig(opts.APIKey)
	if opts.API == Azure {
		c = openai.DefaultAzureConfig(opts.APIKey, "")
		c.AzureModelMapperFunc = url.PathEscape // the library would guess names from models
	}
	c.BaseURL, c.APIVersion = opts.BaseURL, opts.APIVersion
	c.HTTPClient = bounded{client: opts.HTTPClient, retries: opts.Retries, within: opts.Timeout}
	return &Client{opts: opts, openai: openai.NewClientWithConfig(c), format: format}
}

// WithModel returns the client for another model of the same server; "" is the same model.
func (c *Client) WithModel(model string) *Client {
	if model == "" || model == c.opts.Model {
		return c
	}
	opts := c.opts
	opts.Model = model
	return connect(opts, new(atomic.Int32))
}

// WithRetries returns the client with n retries per request, none for 0 or less: for a caller whose
// own time is shorter than any wait.
func (c *Client) WithRetries(n int) *Client {
	opts := c.opts
	opts.Retries = max(n, 0)
	return connect(opts, c.format)
}

// Generate returns the model's answer to the messages under the system text, which may be "". An
// answer without text is tools.BadResult.
func (c *Client) Generate(ctx context.Context, system string, messages []Message) (string, error) {
	req, err := c.request(system, messages)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	return c.complete(ctx, req)
}

// request converts a conversation to the protocol.
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

// complete sends one request.
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

// asError returns the error of bounded; any other error comes from the library, whose text may
// quote the answer.
func asError(err error) error {
	var known *tools.Error
	if errors.As(err, &known) {
		return known
	}
	return &tools.Error{Code: tools.BadResult, Tool: name, Detail: "an answer that cannot be read"}
}

// errNoText is the error of an answer without text.
func errNoText() error {
	return &tools.Error{Code: tools.BadResult, Tool: name, Detail: "an answer without text"}
}
