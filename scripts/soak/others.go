package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// watch opens the user's event stream for a while. A deaf one never reads it.
func (l *load) watch(ctx context.Context, c *harness.Client, stay time.Duration, deaf bool) error {
	ctx, cancel := context.WithTimeout(ctx, stay)
	defer cancel()
	res, err := c.Do(ctx, http.MethodGet, "/v1/events", nil, nil)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil // the time was over before the stream began
	}
	if err != nil {
		return err
	}
	defer res.Body.Close()
	l.count("streams")
	if deaf {
		<-ctx.Done()
		return nil
	}
	_, err = io.Copy(io.Discard, res.Body)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

var asset = regexp.MustCompile(`/studio/[\w./-]+\.(?:js|css|svg)`)

// studio fetches the studio's page, its files, and the data that it loads first.
func (l *load) studio(ctx context.Context, c *harness.Client) error {
	page, err := c.Get(ctx, "/studio")
	if err != nil {
		return err
	}
	for _, file := range asset.FindAllString(string(page), -1) {
		if _, err := c.Get(ctx, file); err != nil {
			return err
		}
	}
	for _, path := range []string{"/v1/agent", "/v1/sessions", "/v1/sessions?limit=10&text=s-1", "/openapi.json"} {
		if _, err := c.Get(ctx, path); err != nil {
			return err
		}
	}
	l.count("studio")
	return nil
}

// abandon opens an MCP session and never ends it. At the limit for a user the oldest one goes;
// at the limit for all users slotway refuses a new one.
func (l *load) abandon(ctx context.Context, c *harness.Client) error {
	header := http.Header{"Accept": {"application/json, text/event-stream"}}
	res, err := c.Do(ctx, http.MethodPost, "/mcp", map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "initialize",
		"params": map[string]any{
			"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]string{"name": "soak", "version": "1"},
		},
	}, header)
	var refused *harness.Refusal
	if errors.As(err, &refused) && refused.Status == http.StatusServiceUnavailable {
		l.count("mcp_refused")
		return nil
	}
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.Header.Get("Mcp-Session-Id") == "" {
		return errors.New("POST /mcp: no session was opened")
	}
	l.count("mcp_sessions")
	_, err = io.Copy(io.Discard, res.Body)
	return err
}

// stranger searches in the name of a user who has no data.
func (l *load) stranger(ctx context.Context, n int) error {
	c := l.p.client(l.http, fmt.Sprintf("stranger-%d", n))
	_, err := c.Ask(ctx, http.MethodPost, "/v1/memory/search", map[string]any{"query": "the blue canoe"})
	if err == nil {
		l.count("strangers")
	}
	return err
}
