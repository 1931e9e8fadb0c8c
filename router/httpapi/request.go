package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// chatRequest is the body of POST /chat.
type chatRequest struct {
	message      string
	agent        string
	conversation string
	messageID    string
	afterTurn    *int64 // nil: not said
	stream       bool
	tags         []string
	importance   int
}

// BadRequest is the problem of a body that cannot be taken.
func BadRequest(code, format string, args ...any) *Problem {
	return &Problem{Status: http.StatusBadRequest, Code: code, Title: "The request cannot be taken", Detail: fmt.Sprintf(format, args...)}
}

// readChat reads the body of a request and its headers. Its error is a *Problem.
func (a *API) readChat(w http.ResponseWriter, r *http.Request) (chatRequest, error) {
	body, err := a.ReadBody(w, r)
	if err != nil {
		return chatRequest{}, err
	}
	req, err := decodeChat(body)
	if err != nil {
		return chatRequest{}, err
	}
	if key := r.Header.Get("Idempotency-Key"); key != "" {
		if req.messageID != "" && req.messageID != key {
			return chatRequest{}, BadRequest("bad_request", "message_id and the header Idempotency-Key differ; send one of them.")
		}
		req.messageID = key
	}
	if id := a.agentID(); req.agent != "" && id != "" && req.agent != id && !slices.Contains(a.opts.AgentAliases, req.agent) {
		return chatRequest{}, &Problem{Status: http.StatusNotFound, Code: "unknown_agent", Title: "No such agent", Detail: "This service answers for " + id + "."}
	}
	return req, nil
}

// ReadBody reads a JSON body within the limit. Its error is a *Problem.
func (a *API) ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := params["charset"]
	if err != nil || kind != "application/json" || (charset != "" && !strings.EqualFold(charset, "utf-8")) || r.Header.Get("Content-Encoding") != "" {
		return nil, &Problem{Status: http.StatusUnsupportedMediaType, Code: "unsupported_media_type", Title: "The body must be JSON", Detail: "Send Content-Type: application/json, UTF-8, not compressed."}
	}
	return readAtMost(w, r, a.opts.MaxBody)
}

// ReadAny reads a body of any type within the limit. Its error is a *Problem.
func (a *API) ReadAny(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	return readAtMost(w, r, a.opts.MaxBody)
}

// readAtMost reads a body of at most limit bytes. Its error is a *Problem.
func readAtMost(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, &Problem{Status: http.StatusRequestEntityTooLarge, Code: "body_too_large", Title: "The body is too large", Detail: fmt.Sprintf("At most %d bytes are taken.", over.Limit)}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &Problem{Status: http.StatusRequestTimeout, Code: "slow_body", Title: "The body did not arrive in time"}
	case err != nil:
		return nil, BadRequest("bad_request", "The body did not arrive whole.")
	}
	return body, nil
}

// Field is one key of a body: its type in words, and the function that takes its value.
type Field struct {
	Kind string
	Take func(raw []byte) error
}

// Fields are the keys that a body may have, by name.
type Fields map[string]Field

// ValueField takes a value that encoding/json decodes into at.
func ValueField[T any](kind string, at *T) Field {
	return Field{kind, func(raw []byte) error { return json.Unmarshal(raw, at) }}
}

// TextField takes a text.
func TextField(at *string) Field { return ValueField("text", at) }

// decodeChat reads the body of POST /chat.
func decodeChat(body []byte) (chatRequest, error) {
	var req chatRequest
	err := DecodeFields(body, Fields{
		"message":         TextField(&req.message),
		"agent":           TextField(&req.agent),
		"conversation_id": TextField(&req.conversation),
		"message_id":      TextField(&req.messageID),
		"after_turn":      IntegerField(&req.afterTurn),
		"stream":          ValueField("true or false", &req.stream),
		"tags":            tagsField(&req.tags),
		"importance":      importanceField(&req.importance),
	}, "message")
	if err == nil && req.afterTurn != nil {
		err = req.checkAfterTurn()
	}
	return req, err
}

// checkAfterTurn refuses numbers that no reply can have.
func (r *chatRequest) checkAfterTurn() error {
	switch {
	case *r.afterTurn < 0:
		return BadRequest("bad_field", "after_turn is 0 or more.")
	case *r.afterTurn > 0 && r.conversation == "":
		return BadRequest("bad_field", "after_turn above 0 goes with the conversation_id that the reply named.")
	}
	return nil
}

// DecodeFields reads a body strictly: encoding/json alone accepts keys in any case, takes the last of
// two, and replaces bytes that are not UTF-8.
func DecodeFields(body []byte, known Fields, required ...string) error {
	if !utf8.Valid(body) {
		return BadRequest("bad_json", "The body is not UTF-8.")
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return BadRequest("bad_json", "The body is not a JSON object.")
	}
	seen := map[string]bool{}
	for dec.More() {
		if err := known.takeNext(dec, seen, required); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return BadRequest("bad_json", "The body is not valid JSON at byte %d.", dec.InputOffset())
	}
	if _, err := dec.Token(); err != io.EOF {
		return BadRequest("bad_json", "Something follows the JSON object.")
	}
	for _, name := range required {
		if !seen[name] {
			return BadRequest("missing_field", "%s is missing.", name)
		}
	}
	return nil
}

// takeNext reads one key and its value. null means the same as no key, except for a required one.
func (known Fields) takeNext(dec *json.Decoder, seen map[string]bool, required []string) error {
	key, err := dec.Token()
	name, ok := key.(string)
	if err != nil || !ok {
		return BadRequest("bad_json", "The body is not valid JSON at byte %d.", dec.InputOffset())
	}
	f, ok := known[name]
	if !ok {
		return BadRequest("unknown_field", "The field %s is not known.", quotedName(name))
	}
	if seen[name] {
		return BadRequest("repeated_field", "%s is given twice.", name)
	}
	seen[name] = true
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		return BadRequest("bad_json", "The body is not valid JSON after %s.", name)
	}
	null, must := string(raw) == "null", slices.Contains(required, name)
	if null && !must {
		return nil
	}
	if null || f.Take(raw) != nil {
		return BadRequest("wrong_type", "%s must be %s.", name, f.Kind)
	}
	return nil
}

// maxName is the length of an unknown field's name that errors repeat, in code points.
const maxName = 40

// quotedName quotes a name that a client made up.
func quotedName(name string) string {
	if runes := []rune(name); len(runes) > maxName {
		name = string(runes[:maxName]) + "…"
	}
	return fmt.Sprintf("%q", name)
}
