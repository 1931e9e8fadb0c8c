package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// Client sends requests to one process, or to a proxy in front of several.
type Client struct {
	Addr   string
	HTTP   *http.Client
	Header http.Header // of every request
}

// Message is the body of POST /chat.
type Message struct {
	Text    string `json:"message"`
	Session string `json:"conversation_id"`
	ID      string `json:"message_id"`
	Stream  bool   `json:"stream,omitempty"`
}

// Refusal is the error for an answer whose status is not 2xx.
type Refusal struct {
	Request string // method and path
	Status  int
	Text    string // the beginning of its body
}

// Error implements error.
func (r *Refusal) Error() string {
	return fmt.Sprintf("%s: status %d: %s", r.Request, r.Status, r.Text)
}

// Try sends a request once and returns the answer, whatever its status. The caller closes its
// body. Try sends a body of type []byte as it is and encodes any other as JSON; nil sends none.
// header adds to the header of the client.
func (c *Client) Try(ctx context.Context, method, path string, body any, header http.Header) (*http.Response, error) {
	text, raw := body.([]byte)
	if body != nil && !raw {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+c.Addr+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(req.Header, c.Header)
	maps.Copy(req.Header, header)
	return c.HTTP.Do(req)
}

// Do is Try, but returns a *Refusal when the status is not 2xx.
func (c *Client) Do(ctx context.Context, method, path string, body any, header http.Header) (*http.Response, error) {
	res, err := c.Try(ctx, method, path, body, header)
	if err != nil || res.StatusCode/100 == 2 {
		return res, err
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(res.Body, 512)) // a part is better than nothing
	return nil, &Refusal{method + " " + path, res.StatusCode, string(text)}
}

// Ask is Do, but returns the whole body of the answer.
func (c *Client) Ask(ctx context.Context, method, path string, body any) ([]byte, error) {
	res, err := c.Do(ctx, method, path, body, nil)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

// Get asks for a page by the method GET.
func (c *Client) Get(ctx context.Context, path string) ([]byte, error) {
	return c.Ask(ctx, http.MethodGet, path, nil)
}

// Metrics reads /metrics. The keys are the names of the series with their labels.
func (c *Client) Metrics(ctx context.Context) (map[string]float64, error) {
	page, err := c.Get(ctx, "/metrics")
	if err != nil {
		return nil, err
	}
	found := map[string]float64{}
	for line := range strings.Lines(string(page)) {
		name, text, ok := strings.Cut(strings.TrimSpace(line), " ")
		if value, err := strconv.ParseFloat(text, 64); ok && err == nil {
			found[name] = value
		}
	}
	return found, nil
}

// Repeatable reports whether a status allows the client to send the same request again.
func Repeatable(status int) bool {
	switch status {
	case http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}
