package traces

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// upload sends spans over OTLP/HTTP, as OpenTelemetry's own client does. That one links gRPC for the
// definition of a service that nobody calls: seventy packages and 3 MB.
type upload struct {
	url     string
	headers http.Header
	client  *http.Client
	timeout time.Duration // of one request; a batch has twice as long with all attempts
}

var _ otlptrace.Client = (*upload)(nil)

func newUpload(endpoint string, timeout time.Duration) (*upload, error) {
	env, err := environment(endpoint)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: env.tls, ForceAttemptHTTP2: true,
		IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 10 * time.Second,
	}
	return &upload{
		url: endpoint, headers: env.headers, timeout: timeout,
		client: &http.Client{Transport: transport, Timeout: timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return errElsewhere }},
	}, nil
}

// errElsewhere: the collector redirects requests. Spans and the headers with credentials do not go where
// nobody named it.
var errElsewhere = errors.New("a redirect that is not followed")

// Start implements otlptrace.Client.
func (*upload) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (u *upload) Stop(context.Context) error {
	u.client.CloseIdleConnections()
	return nil
}

// Waits between attempts.
const (
	firstWait  = 500 * time.Millisecond
	waitGrowth = 1.5
	waitSpread = 0.5 // of it, either way
)

// UploadTraces implements otlptrace.Client: it tries again for a while if the collector is overloaded.
func (u *upload) UploadTraces(ctx context.Context, spans []*otlp.ResourceSpans) error {
	// TracesData has the fields of the request, whose own type stands beside the service.
	body, err := proto.Marshal(&otlp.TracesData{ResourceSpans: spans})
	if err != nil {
		return fmt.Errorf("encode spans: %w", err)
	}
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, err = zip.Write(body)
	if err := errors.Join(err, zip.Close()); err != nil {
		return fmt.Errorf("compress spans: %w", err)
	}
	end := time.Now().Add(2 * u.timeout)
	for wait := firstWait; ; wait = min(time.Duration(float64(wait)*waitGrowth), u.timeout) {
		err := u.attempt(ctx, packed.Bytes())
		var later *busyError
		if !errors.As(err, &later) {
			return err
		}
		pause := max(later.after, time.Duration(float64(wait)*(1+waitSpread*(2*rand.Float64()-1))))
		if time.Now().Add(pause).After(end) {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		}
	}
}

// busyError is a failure that may pass.
type busyError struct {
	after time.Duration // as the collector wishes; 0: it does not say
	cause error
}

func (e *busyError) Error() string { return e.cause.Error() }

func (e *busyError) Unwrap() error { return e.cause }

// maxAnswer bounds what is read of a collector's answer, which is a few bytes.
const maxAnswer = 4 << 20

func (u *upload) attempt(ctx context.Context, body []byte) (err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("ask the collector: %w", err)
	}
	req.Header = u.headers.Clone()
	req.Header.Set("User-Agent", "OTel OTLP Exporter Go/"+otlptrace.Version())
	req.Header.Set("Content-Type", protobufType)
	req.Header.Set("Content-Encoding", "gzip")
	resp, err := u.client.Do(req)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) && failed.Temporary() {
			return &busyError{cause: err}
		}
		return fmt.Errorf("ask the collector: %w", err)
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err == nil && len(answer) > maxAnswer {
		err = fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	switch status := fmt.Errorf("the collector answered %s", resp.Status); {
	case err != nil:
		return errors.Join(status, err)
	case resp.StatusCode/100 == 2:
		return rejected(resp.Header.Get("Content-Type"), answer)
	case busy(resp.StatusCode):
		return &busyError{after: retryAfter(resp.Header.Get("Retry-After")), cause: status}
	default:
		return status
	}
}

// busy reports whether the protocol lets a client try again after a status.
func busy(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// retryAfter reads a header of seconds or of a date; 0: it says nothing.
func retryAfter(text string) time.Duration {
	if seconds, err := strconv.ParseInt(text, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}

const protobufType = "application/x-protobuf"

// errRejected: the collector took the request, and not all spans of it.
var errRejected = errors.New("the collector rejected spans")

// rejected reads what a collector says of a request that it took.
func rejected(kind string, answer []byte) error {
	refused := false
	switch {
	case len(answer) == 0:
	case kind == protobufType:
		partial, err := field(answer, 1) // of ExportTraceServiceResponse: partial_success
		if err != nil {
			return err
		}
		refused = len(partial) > 0 // its fields are a number and a message; without either it is empty
	case kind == "application/json":
		var r struct {
			PartialSuccess struct {
				Rejected json.Number `json:"rejectedSpans"`
				Message  string      `json:"errorMessage"`
			} `json:"partialSuccess"`
		}
		if err := json.Unmarshal(answer, &r); err != nil {
			return fmt.Errorf("the collector's answer: %w", err)
		}
		p := r.PartialSuccess
		refused = p.Message != "" || p.Rejected != "" && p.Rejected != "0"
	}
	if refused {
		return errRejected
	}
	return nil
}

// field returns the last value of a field of bytes in a message, nil if it has none.
func field(message []byte, want protowire.Number) (value []byte, err error) {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return nil, fmt.Errorf("the collector's answer: %w", protowire.ParseError(n))
		}
		message = message[n:]
		if number == want && kind == protowire.BytesType {
			value, n = protowire.ConsumeBytes(message)
		} else {
			n = protowire.ConsumeFieldValue(number, kind, message)
		}
		if n < 0 {
			return nil, fmt.Errorf("the collector's answer: %w", protowire.ParseError(n))
		}
		message = message[n:]
	}
	return value, nil
}
