package rasarest

import (
	"encoding/json"
	"net/http"
	"unicode/utf8"

	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
)

// Adapter serves the channel. The zero value is ready.
type Adapter struct{}

var _ httpapi.Adapter = Adapter{}

// Routes implements httpapi.Adapter.
func (Adapter) Routes(a *httpapi.API) []httpapi.Route {
	s := &server{a}
	return []httpapi.Route{{Method: http.MethodPost, Path: "/webhooks/rest/webhook", Scope: access.Chat, Handler: httpapi.JSON(s.turn)}}
}

type server struct {
	api *httpapi.API
}

// request is the body; fields that Rasa has besides, such as metadata, are not read.
type request struct {
	Sender  string `json:"sender"`
	Message string `json:"message"`
}

// part is one message of the answer.
type part struct {
	Recipient string   `json:"recipient_id"`
	Text      string   `json:"text"`
	Buttons   []button `json:"buttons,omitempty"`
}

type button struct {
	Title   string `json:"title"`
	Payload string `json:"payload"`
}

// turn runs a message. A message with the header Idempotency-Key may be sent again.
func (s *server) turn(w http.ResponseWriter, r *http.Request) (any, error) {
	body, err := s.api.ReadBody(w, r)
	if err != nil {
		return nil, err
	}
	req, err := read(body)
	if err != nil {
		return nil, err
	}
	reply, err := s.api.Turn(r.Context(), router.Interaction{
		ID: r.Header.Get("Idempotency-Key"), Text: req.Message,
		Context: router.Context{SessionID: req.Sender, UserID: access.From(r.Context()).UserID},
	})
	if err != nil {
		return nil, err
	}
	p := part{Recipient: req.Sender, Text: reply.Reply}
	for _, o := range reply.Options {
		p.Buttons = append(p.Buttons, button{o.Title, o.Text})
	}
	if p.Text == "" {
		return []part{}, nil
	}
	return []part{p}, nil
}

func read(body []byte) (req request, err error) {
	if !utf8.Valid(body) {
		return req, httpapi.BadRequest("bad_request", "The body is not UTF-8.")
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return req, httpapi.BadRequest("bad_request", `The body is a JSON object with "sender" and "message", both text.`)
	}
	if req.Sender == "" { // Rasa takes "default" for it, which would be one conversation of all callers
		return req, httpapi.BadRequest("bad_request", "sender is missing: it names the conversation.")
	}
	return req, nil
}
