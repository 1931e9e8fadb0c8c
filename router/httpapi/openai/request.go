package openai

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/httpapi"
)

// request is a decoded body with its headers.
type request struct {
	model    string
	messages json.RawMessage // or input
	history  []line          // the last line is the message of the turn
	stream   bool
	usage    bool              // the stream is to end with the usage
	key      string            // Idempotency-Key
	metadata map[string]string // is returned in the answer

	session   string // the named conversation; "": none
	mustExist bool   // the conversation must exist
	previous  string // the response that the message answers; "": none
	after     *int64 // the turn that the message answers; nil: not given

	tags       []string // of the message and its reply
	importance int      // of the message at least

	named   []string  // every given id of a conversation
	refused *apiError // set by a field that asks for what an agent cannot give
}

// text returns the message of the turn.
func (q *request) text() string { return q.history[len(q.history)-1].text }

// field is one key of a body.
type field struct {
	name, kind string // kind is its type in words
	take       func(q *request, raw json.RawMessage) error
}

// common are the keys of both kinds of request. Other keys, such as temperature, tools, user and
// safety_identifier, are for models or name people, and are ignored.
var common = []field{
	{"model", "text", func(q *request, raw json.RawMessage) error { return json.Unmarshal(raw, &q.model) }},
	{"stream", "true or false", func(q *request, raw json.RawMessage) error { return json.Unmarshal(raw, &q.stream) }},
	{"stream_options", "an object", takeStreamOptions},
	{"tool_choice", "text or an object", takeToolChoice},
	{"metadata", "an object of texts", takeMetadata},
	{"after_turn", "a whole number", takeAfterTurn},
	{"conversation_id", "text", func(q *request, raw json.RawMessage) error { return q.name(raw) }},
}

// completionFields are the keys of POST /v1/chat/completions.
var completionFields = append([]field{
	{"messages", "a list", func(q *request, raw json.RawMessage) error { q.messages = raw; return nil }},
	{"n", "a whole number", takeN},
	{"response_format", "an object", takeFormat("response_format")},
}, common...)

// responseFields are the keys of POST /v1/responses.
var responseFields = append([]field{
	{"input", "text or a list", func(q *request, raw json.RawMessage) error { q.messages = raw; return nil }},
	{"conversation", "text or an object with an id", takeConversation},
	{"previous_response_id", "text", func(q *request, raw json.RawMessage) error { return json.Unmarshal(raw, &q.previous) }},
	{"store", "true or false", takeStore},
	{"background", "true or false", takeBackground},
	{"text", "an object", takeText},
}, common...)

// readRequest reads a body leniently: known keys must have their type, unknown ones are ignored,
// because OpenAI's clients send more every year.
func (s *server) readRequest(w http.ResponseWriter, r *http.Request, fields []field) (*request, error) {
	body, err := s.api.ReadBody(w, r)
	if err != nil {
		return nil, err
	}
	q := &request{key: r.Header.Get("Idempotency-Key")}
	if err := q.decode(body, fields); err != nil {
		return nil, err
	}
	if id := r.Header.Get("X-Conversation-Id"); id != "" {
		q.named = append(q.named, id)
	}
	if err := q.validate(); err != nil {
		return nil, err
	}
	return q, s.checkModel(q.model)
}

// object reads a JSON object.
func object(body []byte) (map[string]json.RawMessage, error) {
	var keys map[string]json.RawMessage
	if !utf8.Valid(body) || json.Unmarshal(body, &keys) != nil || keys == nil {
		return nil, invalid("bad_json", "", "The body is not a JSON object in UTF-8.")
	}
	return keys, nil
}

func (q *request) decode(body []byte, fields []field) error {
	keys, err := object(body)
	if err != nil {
		return err
	}
	for _, f := range fields {
		raw := keys[f.name]
		if len(raw) == 0 || string(raw) == "null" {
			continue
		}
		if f.take(q, raw) != nil {
			return invalid("invalid_type", f.name, "%s must be %s.", f.name, f.kind)
		}
	}
	return nil
}

// validate checks the fields against each other.
func (q *request) validate() error {
	if q.refused != nil {
		return q.refused
	}
	for _, id := range q.named {
		if q.session != "" && q.session != id {
			return invalid("conversation_mismatch", "conversation_id", "Two different conversations are named.")
		}
		q.session = id
		if err := printable.CheckID(id); err != nil {
			return invalid("bad_conversation", "conversation_id", "conversation_id: %v.", err)
		}
	}
	if q.session != "" && q.previous != "" {
		return invalid("conversation_mismatch", "previous_response_id", "previous_response_id names the conversation already: send one or the other.")
	}
	if q.after != nil && (*q.after < 0 || q.session == "") {
		return invalid("invalid_value", "after_turn", "after_turn is 0 or more, and goes with a conversation that is named: a history or previous_response_id says by itself what the message answers to.")
	}
	if err := printable.CheckID(q.key); q.key != "" && err != nil {
		return invalid("bad_idempotency_key", "Idempotency-Key", "Idempotency-Key: %v.", err)
	}
	return nil
}

// name notes the id of a conversation; "" names none.
func (q *request) name(raw json.RawMessage) error {
	var id string
	if err := json.Unmarshal(raw, &id); err != nil {
		return err
	}
	if id != "" {
		q.named = append(q.named, id)
	}
	return nil
}

func (q *request) refuse(f *apiError) error {
	if q.refused == nil {
		q.refused = f
	}
	return nil
}

func takeConversation(q *request, raw json.RawMessage) error {
	q.mustExist = true
	if strings.HasPrefix(string(raw), "{") {
		var of struct {
			ID json.RawMessage `json:"id"`
		}
		if err := json.Unmarshal(raw, &of); err != nil {
			return err
		}
		raw = of.ID
	}
	return q.name(raw)
}

func takeMetadata(q *request, raw json.RawMessage) error {
	if err := json.Unmarshal(raw, &q.metadata); err != nil {
		return err
	}
	if id := q.metadata["conversation_id"]; id != "" {
		q.named = append(q.named, id)
	}
	return q.takeTags()
}

// takeTags takes the tags and the importance of the message out of the metadata, because OpenAI's
// clients cannot send the fields that POST /chat has.
func (q *request) takeTags() error {
	if text := q.metadata["tags"]; text != "" {
		var tags []string
		for tag := range strings.SplitSeq(text, ",") {
			tags = append(tags, strings.TrimSpace(tag))
		}
		var err error
		if q.tags, err = memory.CheckTags(tags); err != nil {
			q.refused = invalid("invalid_value", "metadata", "tags in metadata are at most %d of 1 to %d characters, with commas between them.", memory.MaxTags, memory.MaxTag)
		}
	}
	if text := q.metadata["importance"]; text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > memory.MaxImportance {
			q.refused = invalid("invalid_value", "metadata", "importance in metadata is a whole number from 0 to %d.", memory.MaxImportance)
		}
		q.importance = n
	}
	return nil
}

func takeAfterTurn(q *request, raw json.RawMessage) error {
	n, err := httpapi.ParseInteger(raw)
	q.after = &n
	return err
}

func takeStreamOptions(q *request, raw json.RawMessage) error {
	var o struct {
		IncludeUsage bool `json:"include_usage"`
	}
	err := json.Unmarshal(raw, &o)
	q.usage = o.IncludeUsage
	return err
}
