package httptool

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/egress"
)

// Tool is one declared request.
type Tool struct {
	spec   *tools.Spec
	url    *urlTemplate
	header http.Header
	result []string // path in the answer; nil: all of it
	client *http.Client
}

var _ tools.Tool = (*Tool)(nil)

// New returns the tool of a declaration. lookup returns the values of ${NAME} references in its URL
// and headers; guard says where it may connect, nil: to public addresses and a loopback address
// that the URL names. Errors name what is wrong without any of those values.
func New(spec *tools.Spec, lookup func(string) (string, bool), guard *egress.Guard) (*Tool, error) {
	raw, err := source.Expand(spec.URL, lookup)
	if err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	t := &Tool{spec: spec}
	if t.url, err = parseURL(raw); err != nil {
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

// Header expands a tool's declared headers and adds those that every request has.
func Header(declared map[string]string, lookup func(string) (string, bool)) (http.Header, error) {
	h := http.Header{"Accept": {"application/json"}, "User-Agent": {"slotway"}}
	for name, raw := range declared {
		value, err := source.Expand(raw, lookup)
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

// Call sends the request.
func (t *Tool) Call(ctx context.Context, call tools.Call) (any, error) {
	req, err := t.request(ctx, call)
	if err != nil {
		return nil, &tools.Error{Code: tools.InvalidInput, Tool: t.spec.Name, Detail: err.Error()}
	}
	value, err := Fetch(t.client, req, t.spec.Name, func(resp *http.Response) error {
		return AnswerError(t.spec.Name, resp, time.Now())
	})
	if err != nil {
		return nil, err
	}
	return t.declared(value)
}

func (t *Tool) request(ctx context.Context, call tools.Call) (*http.Request, error) {
	u, err := t.url.fill(call.Args)
	if err != nil {
		return nil, err
	}
	if err := t.addParams(u, call.Args); err != nil {
		return nil, err
	}
	body, err := t.body(call.Args)
	if err != nil {
		return nil, err
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
	if err := t.addHeaders(req.Header, call.Args); err != nil {
		return nil, err
	}
	if body != nil && req.Header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if t.writes() && call.IdempotencyKey != "" {
		req.Header.Set("Idempotency-Key", call.IdempotencyKey)
	}
	return req, nil
}

func (t *Tool) writes() bool { return t.spec.Effect != config.EffectRead }

// addParams adds the declared query parameters: nil values are left out, lists repeat the
// parameter.
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

// body returns the request's JSON, or nil if there is none. Optional properties of an OpenAPI
// operation are left out, not sent as null.
func (t *Tool) body(args map[string]any) (io.Reader, error) {
	value := resolve(t.spec.Body, args)
	if t.spec.BodyParams != nil {
		object := map[string]any{}
		for _, name := range t.spec.BodyParams {
			if v := args[name]; v != nil {
				object[name] = v
			}
		}
		if len(object) > 0 || t.spec.BodyRequired {
			value = object
		}
	}
	if value == nil && (t.spec.Body == nil || t.spec.OpenAPI != "") {
		return nil, nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, errors.New("the body has no JSON form")
	}
	return bytes.NewReader(text), nil
}

// addHeaders adds the header parameters that the call has values for.
func (t *Tool) addHeaders(h http.Header, args map[string]any) error {
	for name, arg := range t.spec.HeaderParams {
		v := arg.Resolve(args)
		if v == nil {
			continue
		}
		text, ok := scalar(v)
		if !ok || !validHeader(name, text) {
			return fmt.Errorf("header parameter %s must be a line of text, a number or a boolean", name)
		}
		h.Set(name, text)
	}
	return nil
}

func resolve(body any, args map[string]any) any {
	if a, ok := body.(expr.Arg); ok {
		return a.Resolve(args)
	}
	return expr.Arg{Literal: body}.Resolve(args)
}

// declared returns the declared part of an answer.
func (t *Tool) declared(value any) (any, error) {
	if t.result == nil {
		return value, nil
	}
	value, ok := expr.Lookup(map[string]any{"": value}, append([]string{""}, t.result...))
	if !ok {
		return nil, bad(t.spec.Name, "an answer without the declared result path")
	}
	return value, nil
}

// validHeader checks RFC 9110, section 5: a value must not end its line and start another header.
func validHeader(name, value string) bool {
	token := func(r rune) bool {
		return r > ' ' && r < 0x7f && !strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	}
	visible := func(r rune) bool { return r == '\t' || r >= ' ' && r != 0x7f }
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return !token(r) }) < 0 &&
		strings.IndexFunc(value, func(r rune) bool { return !visible(r) }) < 0
}
