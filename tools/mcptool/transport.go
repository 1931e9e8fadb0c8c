package mcptool

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"

	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/httptool"
)

// sessionHeader names the session in requests of streamable HTTP.
const sessionHeader = "Mcp-Session-Id"

// wire adds the declared headers, limits the size of answers, and keeps what the SDK would lose:
// whether anything was sent, and the status of the answer. Its errors are *tools.Error without a
// tool's name.
type wire struct {
	header http.Header
	next   http.RoundTripper
}

// RoundTrip sends a copy of the request, since it must not change the caller's.
func (w wire) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	var sent atomic.Bool
	out := req.Clone(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { sent.Store(true) },
	}))
	maps.Copy(out.Header, w.header)
	resp, err := w.next.RoundTrip(out)
	if err != nil {
		return nil, httptool.TransportError(ctx, "", err, sent.Load())
	}
	resp.Body = http.MaxBytesReader(nil, resp.Body, 2*tools.MaxResult)
	if req.Method != http.MethodPost {
		return resp, nil
	}
	inSession := req.Header.Get(sessionHeader) != ""
	switch status := resp.StatusCode; {
	case inSession && (status == http.StatusNotFound || status == http.StatusBadRequest):
		// By the protocol, 404 means that the server no longer has the session; servers made after
		// the TypeScript SDK's examples answer 400. A JSON-RPC error in the body would hide either.
		resp.Body.Close()
		resp.StatusCode, resp.Body = http.StatusNotFound, io.NopCloser(strings.NewReader(""))
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusTooManyRequests, status >= 500:
		resp.Body.Close()
		return nil, httptool.StatusError("", status, resp.Header, time.Now())
	}
	return resp, nil
}
