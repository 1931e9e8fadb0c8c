package llm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/httptool"
)

const (
	maxWait   = 10 * time.Second       // before a retry, even if Retry-After asks for more
	firstWait = 500 * time.Millisecond // without Retry-After; doubled with each further one
)

// bounded sends requests for the library: it limits the size of answers, repeats requests that the
// server did not accept, and turns every failure into a *tools.Error before the library can put it
// into words.
type bounded struct {
	client  *http.Client
	retries int
	within  time.Duration // from the first request to the start of the last
}

// Do sends the request, and repeats it if that may help.
func (b bounded) Do(req *http.Request) (*http.Response, error) {
	start := time.Now()
	for tried := 0; ; tried++ {
		resp, again, err := b.try(req)
		if err == nil || !again || tried >= b.retries {
			return resp, err
		}
		wait := pause(err, tried)
		if wait > maxWait || time.Since(start)+wait >= b.within || !allows(req.Context(), wait) {
			return nil, err
		}
		if err := sleep(req.Context(), wait); err != nil {
			return nil, certain(httptool.TransportError(req.Context(), name, err, false))
		}
		if req, err = repeat(req); err != nil {
			return nil, err
		}
	}
}

// pause returns the wait before the next request: that of the server, or between half and the whole
// of a time that doubles, so that clients do not all come back at once.
func pause(err error, tried int) time.Duration {
	var failed *tools.Error
	if errors.As(err, &failed) && failed.RetryAfter > 0 {
		return failed.RetryAfter
	}
	most := firstWait << min(tried, 10)
	return most/2 + rand.N(most/2)
}

// allows reports whether ctx has time left after a wait.
func allows(ctx context.Context, wait time.Duration) bool {
	end, ok := ctx.Deadline()
	return !ok || time.Until(end) > wait
}

// sleep waits, or returns ctx's error as soon as it ends.
func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// repeat returns the request with its body rewound.
func repeat(req *http.Request) (*http.Request, error) {
	req = req.Clone(req.Context())
	if req.GetBody == nil { // the library's bodies are all in memory
		return req, nil
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, &tools.Error{Code: tools.Failed, Tool: name, Detail: "a request that cannot be repeated"}
	}
	req.Body = body
	return req, nil
}

// try sends one request. again reports whether the server did not accept it, so that it may be
// repeated.
func (b bounded) try(req *http.Request) (resp *http.Response, again bool, err error) {
	ctx := req.Context()
	var sent atomic.Bool
	req = req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { sent.Store(true) },
	}))
	resp, err = b.client.Do(req)
	if err != nil {
		again = !sent.Load() && errors.Is(err, syscall.ECONNREFUSED) && ctx.Err() == nil
		return nil, again, certain(httptool.TransportError(ctx, name, err, sent.Load()))
	}
	if status := resp.StatusCode; status < 200 || status > 299 {
		resp.Body.Close()
		again = status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
		return nil, again, certain(httptool.StatusError(name, status, resp.Header, time.Now()))
	}
	if req.Header.Get("Accept") == eventStream {
		resp.Body, err = events(ctx, resp.Body)
	} else {
		resp.Body, err = whole(ctx, resp.Body)
	}
	if err != nil {
		return nil, false, err
	}
	return resp, false, nil
}

// whole reads a body to its end, and closes it.
func whole(ctx context.Context, body io.ReadCloser) (io.ReadCloser, error) {
	defer body.Close()
	text, err := io.ReadAll(&limited{ctx: ctx, body: body, left: tools.MaxResult})
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(text)), nil
}

// limited limits the size of a body. Its errors are *tools.Errors, except io.EOF.
type limited struct {
	ctx  context.Context
	body io.Reader
	left int // bytes
}

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	n, err := l.body.Read(p[:min(len(p), l.left+1)])
	if n > l.left {
		return 0, errTooLarge()
	}
	l.left -= n
	if err != nil && !errors.Is(err, io.EOF) {
		err = certain(httptool.TransportError(l.ctx, name, err, true))
	}
	return n, err
}

// errTooLarge is the error of an answer that is too large.
func errTooLarge() error {
	return &tools.Error{Code: tools.BadResult, Tool: name, Detail: "an answer that is too large"}
}

// certain clears Uncertain: asking a model has no effect.
func certain(e *tools.Error) *tools.Error {
	e.Uncertain = false
	return e
}
