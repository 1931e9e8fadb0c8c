package rasatool

import (
	"bytes"
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
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/egress"
	"github.com/slotway/slotway/tools/httptool"
)

// webhook is the path of the protocol. The URL in Rasa's own endpoints.yml ends in it.
const webhook = "/webhook"

// maxRefusal limits the bytes read of an answer that is not 2xx.
const maxRefusal = 64 << 10

// Tool is one action.
type Tool struct {
	spec   *tools.Spec
	url    string
	header http.Header
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
	// url.Parse quotes a URL that it cannot parse, which may hold an expanded secret.
	at, err := url.Parse(raw)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return nil, errors.New("url: write http://HOST or https://HOST")
	}
	if at.Path = strings.TrimSuffix(at.Path, "/"); !strings.HasSuffix(at.Path, webhook) {
		at.Path += webhook
	}
	at.RawPath = ""
	header, err := httptool.Header(spec.Headers, lookup)
	if err != nil {
		return nil, err
	}
	header.Set("Content-Type", "application/json")
	return &Tool{spec: spec, url: at.String(), header: header, client: httptool.NewClient(guard, at.Hostname())}, nil
}

// Call runs the action.
func (t *Tool) Call(ctx context.Context, call tools.Call) (any, error) {
	body, err := json.Marshal(newRequest(t.spec.Remote, call, time.Now()))
	if err != nil {
		return nil, &tools.Error{Code: tools.InvalidInput, Tool: t.spec.Name, Detail: "the arguments have no JSON form"}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url, bytes.NewReader(body))
	if err != nil {
		return nil, &tools.Error{Code: tools.Failed, Tool: t.spec.Name, Detail: "the request cannot be built"}
	}
	req.Header = t.header.Clone()
	if t.spec.Effect != config.EffectRead && call.IdempotencyKey != "" {
		req.Header.Set("Idempotency-Key", call.IdempotencyKey)
	}
	value, err := httptool.Fetch(t.client, req, t.spec.Name, t.refusal)
	if err != nil {
		return nil, err
	}
	result, ok := readAnswer(value)
	if !ok {
		return nil, &tools.Error{Code: tools.BadResult, Tool: t.spec.Name, Detail: "an answer that is not an action server's", Uncertain: true}
	}
	return result, nil
}

// refusals are the statuses to which the protocol gives a meaning of its own.
var refusals = map[int]struct {
	code   tools.Code
	detail string
}{
	http.StatusBadRequest: {tools.Failed, "the action server refused the request"},
	http.StatusNotFound:   {tools.Unavailable, "the action server has no such action, or the url is not an action server's"},
	449:                   {tools.Failed, "the action needs a domain, which is not sent"}, // ActionMissingDomainException
}

// refusal returns the error for an answer that is not 2xx. It looks for a rejection in the text and
// drops the text, which may hold values.
func (t *Tool) refusal(resp *http.Response) error {
	e := httptool.AnswerError(t.spec.Name, resp, time.Now())
	if r, ok := refusals[resp.StatusCode]; ok {
		e.Code, e.Detail = r.code, r.detail
	}
	if resp.StatusCode == http.StatusBadRequest && t.rejected(resp.Body) {
		e.Code, e.Detail = tools.Conflict, "the action rejected its execution"
	}
	if e.Code == tools.InvalidInput || e.Code == tools.NotFound {
		e.Code = tools.Failed
	}
	return e
}

// rejected reports whether the body is an ActionExecutionRejection.
func (t *Tool) rejected(body io.Reader) bool {
	var answer struct {
		Action string `json:"action_name"`
	}
	return json.NewDecoder(io.LimitReader(body, maxRefusal)).Decode(&answer) == nil && answer.Action != ""
}
