package httptool

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/egress"
)

// Tool is one declared request.
type Tool struct {
	spec   *tools.Spec
	url    *urlTemplate
	header http.Header
	result []string // path into the answer; nil: all of it
	client *http.Client
}

var _ tools.Tool = (*Tool)(nil)

// New makes the tool of a declaration. lookup gives the values of ${NAME} references in
// its URL and headers; guard says where it may connect to, nil: to public addresses and
// a loopback one that the URL names. Errors name what is wrong without any of those values.
func New(spec *tools.Spec, lookup func(string) (string, bool), guard *egress.Guard) (*Tool, error) {
	source, err := config.Expand(spec.URL, lookup)
	if err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	t := &Tool{spec: spec}
	if t.url, err = parseURL(source); err != nil {
		return nil, err
	}
	t.client = NewClient(guard, t.url.host)
	if t.header, err = Header(spec.Headers, lookup); err != nil {
		return nil, err
	}
	if spec.Result != "" {
		t.result = strings.Split(spec.Result, ".")
	}
	return t, nil
}

// Header expands a tool's declared headers and adds what every request carries.
func Header(declared map[string]string, lookup func(string) (string, bool)) (http.Header, error) {
	h := http.Header{"Accept": {"application/json"}, "User-Agent": {"slotway"}}
	for name, source := range declared {
		value, err := config.Expand(source, lookup)
		if err != nil {
			return nil, fmt.Errorf("header %s: %w", name, err)
		}
		if !validHeader(name, value) {
			return nil, fmt.Errorf("header %q: not allowed in a request", name)
		}
		h.Set(name, value)
	}
	return h, nil
}

// Call makes the request.
func (t *Tool) Call(ctx context.Context, call tools.Call) (any, error) {
	req, err := t.request(ctx, call)
	if err != nil {
		return nil, &tools.Error{Code: tools.InvalidInput, Tool: t.spec.Name, Detail: err.Error()}
	}
	// Until the transport has a connection nothing can have been sent.
	var sent atomic.Bool
	req = req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { sent.Store(true) },
	}))
	resp, err := t.client.Do(req)
	if err != nil {
		return nil, TransportError(ctx, t.spec.Name, err, sent.Load())
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, StatusError(t.spec.Name, resp.StatusCode, resp.Header, time.Now())
	}
	return t.answer(ctx, resp)
}

func (t *Tool) request(ctx context.Context, call tools.Call) (*http.Request, error) {
	u, err := t.url.fill(call.Args)
	if err != nil {
		return nil, err
	}
	if err := t.addParams(u, call.Args); err != nil {
		return nil, err
	}
	var body io.Reader
	if t.spec.Body != nil {
		text, err := json.Marshal(resolve(t.spec.Body, call.Args))
		if err != nil {
			return nil, errors.New("the body has no JSON form")
		}
		body = bytes.NewReader(text)
	}
	method := http.MethodGet
	if t.writes() {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, cmp.Or(strings.ToUpper(t.spec.Method), method), u.String(), body)
	if err != nil {
		return nil, errors.New("the request cannot be built")
	}
	req.Header = t.header.Clone()
	if body != nil && req.Header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if t.writes() && call.IdempotencyKey != "" {
		req.Header.Set("Idempotency-Key", call.IdempotencyKey)
	}
	return req, nil
}

func (t *Tool) writes() bool { return t.spec.Effect != config.EffectRead }

// addParams adds the declared query parameters: nil ones are left out, lists repeat.
func (t *Tool) addParams(u *url.URL, args map[string]any) error {
	if len(t.spec.Params) == 0 {
		return nil
	}
	q := u.Query()
	for name, arg := range t.spec.Params {
		values, isList := arg.Resolve(args).([]any)
		if !isList {
			values = []any{arg.Resolve(args)}
		}
		for _, v := range values {
			if v == nil {
				continue
			}
			text, ok := scalar(v)
			if !ok {
				return fmt.Errorf("query parameter %s must be a text, a number, a boolean or a list of them", name)
			}
			q.Add(name, text)
		}
	}
	u.RawQuery = q.Encode()
	return nil
}

func resolve(body any, args map[string]any) any {
	if a, ok := body.(config.Arg); ok {
		return a.Resolve(args)
	}
	return config.Arg{Literal: body}.Resolve(args)
}

// answer reads a 2xx answer. From here on a write has reached the other side, so
// whatever goes wrong leaves it uncertain.
func (t *Tool) answer(ctx context.Context, resp *http.Response) (any, error) {
	text, err := io.ReadAll(io.LimitReader(resp.Body, tools.MaxResult+1))
	if err != nil {
		return nil, TransportError(ctx, t.spec.Name, err, true)
	}
	if len(text) > tools.MaxResult {
		return nil, t.bad(fmt.Sprintf("an answer larger than %d bytes", tools.MaxResult))
	}
	if len(bytes.TrimSpace(text)) == 0 && t.result == nil {
		return nil, nil
	}
	if !isJSON(resp.Header.Get("Content-Type")) {
		return nil, t.bad("an answer that is not JSON")
	}
	value, err := tools.DecodeJSON(text)
	if err != nil {
		return nil, t.bad("JSON that cannot be read")
	}
	if t.result == nil {
		return value, nil
	}
	value, ok := config.Lookup(map[string]any{"": value}, append([]string{""}, t.result...))
	if !ok {
		return nil, t.bad("an answer without the declared result path")
	}
	return value, nil
}

func (t *Tool) bad(detail string) error {
	return &tools.Error{Code: tools.BadResult, Tool: t.spec.Name, Detail: detail, Uncertain: true}
}

func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
}

// validHeader holds to RFC 9110, section 5: a value must not end its line and start
// another header.
func validHeader(name, value string) bool {
	token := func(r rune) bool {
		return r > ' ' && r < 0x7f && !strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	}
	visible := func(r rune) bool { return r == '\t' || r >= ' ' && r != 0x7f }
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return !token(r) }) < 0 &&
		strings.IndexFunc(value, func(r rune) bool { return !visible(r) }) < 0
}
