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

// Client sends requests to one process.
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

// Refusal is an answer whose status is not 2xx.
type Refusal struct {
	Request string // method and path
	Status  int
	Text    string // the beginning of its body
}

// Error implements error.
func (r *Refusal) Error() string {
	return fmt.Sprintf("%s: status %d: %s", r.Request, r.Status, r.Text)
}

// Try sends a request once and returns any answer, whose body the caller closes. A body of
// bytes goes out as it is, any other as JSON; nil is none. header adds to the client's.
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

// Do sends a request as Try does. An answer that is not 2xx is a *Refusal.
func (c *Client) Do(ctx context.Context, method, path string, body any, header http.Header) (*http.Response, error) {
	res, err := c.Try(ctx, method, path, body, header)
	if err != nil || res.StatusCode/100 == 2 {
		return res, err
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(res.Body, 512)) // what there is of it
	return nil, &Refusal{method + " " + path, res.StatusCode, string(text)}
}

// Ask sends a request as Do does, and reads the answer to its end.
func (c *Client) Ask(ctx context.Context, method, path string, body any) ([]byte, error) {
	res, err := c.Do(ctx, method, path, body, nil)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

// Get asks for a page.
func (c *Client) Get(ctx context.Context, path string) ([]byte, error) {
	return c.Ask(ctx, http.MethodGet, path, nil)
}

// Metrics reads /metrics: values by the names of their series, labels included.
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

// Repeatable reports whether a status says that the same request may be sent again.
func Repeatable(status int) bool {
	switch status {
	case http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}
