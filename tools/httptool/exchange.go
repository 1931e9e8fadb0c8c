package httptool

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"

	"github.com/slotway/slotway/tools"
)

// send sends the request of a tool and returns the answer, whatever its status. The error is a
// *tools.Error that knows whether anything can have been sent.
func send(client *http.Client, req *http.Request, tool string) (*http.Response, error) {
	ctx := req.Context()
	sendOnce(req)
	// Nothing can have been sent before the transport has a connection.
	var sent atomic.Bool
	req = req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { sent.Store(true) },
	}))
	resp, err := client.Do(req)
	if err != nil {
		return nil, TransportError(ctx, tool, err, sent.Load())
	}
	return resp, nil
}

// Fetch sends the request of a tool and returns the JSON of a 2xx answer; refused returns the error
// for any other answer. Other errors are those of send and readJSON.
func Fetch(client *http.Client, req *http.Request, tool string, refused func(*http.Response) error) (any, error) {
	resp, err := send(client, req, tool)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, refused(resp)
	}
	return readJSON(req.Context(), tool, resp)
}

// readJSON reads the body of a 2xx answer, at most tools.MaxResult bytes; an empty body is nil. A
// write has reached the other side by then, so every error leaves it uncertain.
func readJSON(ctx context.Context, tool string, resp *http.Response) (any, error) {
	text, err := io.ReadAll(io.LimitReader(resp.Body, tools.MaxResult+1))
	if err != nil {
		return nil, TransportError(ctx, tool, err, true)
	}
	if len(text) > tools.MaxResult {
		return nil, bad(tool, fmt.Sprintf("an answer larger than %d bytes", tools.MaxResult))
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	if !isJSON(resp.Header.Get("Content-Type")) {
		return nil, bad(tool, "an answer that is not JSON")
	}
	value, err := tools.DecodeJSON(text)
	if err != nil {
		return nil, bad(tool, "JSON that cannot be read")
	}
	return value, nil
}

func bad(tool, detail string) error {
	return &tools.Error{Code: tools.BadResult, Tool: tool, Detail: detail, Uncertain: true}
}

func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
}
