package widget

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
)

// said is the body of POST /widget/messages.
type said struct {
	Text      string
	MessageID string
	AfterTurn *int64 // the turn that the page shows; nil: the page does not say
	After     int64  // the number of the newest message that the page shows
}

// answered is the data of the event done: the messages after the newest one that the page showed, and the
// parts of the turn that the page needs.
type answered struct {
	view
	Answered int64 `json:"answered"` // the turn of the message
	Handoff  bool  `json:"handoff"`
}

// conversation returns the id of the caller's conversation. A stranger cannot guess it, and it does not
// identify the user.
func (s *server) conversation(r *http.Request) string {
	return s.api.Digests().UUID("widget", access.From(r.Context()).UserID)
}

// say runs one turn and streams its answer. A message that comes again gets the same answer.
func (s *server) say(w http.ResponseWriter, r *http.Request) {
	in, err := s.readSaid(w, r)
	if err != nil {
		httpapi.WriteProblem(w, httpapi.Explain(err))
		return
	}
	httpapi.StreamTurn(r.Context(), w, func(draft func(router.Draft)) (string, any, error) {
		id := s.conversation(r)
		reply, err := s.api.Turn(r.Context(), router.Interaction{
			ID: in.MessageID, Text: in.Text, AfterTurn: in.AfterTurn, Draft: draft,
			Context: router.Context{SessionID: id, UserID: access.From(r.Context()).UserID},
		})
		if err != nil {
			return "", nil, err
		}
		v, err := s.since(r, id, &in.After)
		if err != nil {
			return "", nil, err // the turn is stored: if the message comes again, it gets its answer
		}
		v.live(in.Text, reply)
		return reply.Reply, answered{v, reply.Turn, reply.Handoff}, nil
	})
}

// readSaid reads the body strictly. Its error is a *httpapi.Problem.
func (s *server) readSaid(w http.ResponseWriter, r *http.Request) (in said, err error) {
	body, err := s.api.ReadBody(w, r)
	if err != nil {
		return in, err
	}
	err = httpapi.DecodeFields(body, httpapi.Fields{
		"text": httpapi.TextField(&in.Text), "message_id": httpapi.TextField(&in.MessageID),
		"after_turn": httpapi.IntegerField(&in.AfterTurn), "after": httpapi.ValueField("a whole number", &in.After),
	})
	if err != nil {
		return in, err
	}
	switch {
	case strings.TrimSpace(in.Text) == "":
		return in, httpapi.BadRequest("missing_field", "text is missing: send what the user says.")
	case in.MessageID == "":
		return in, httpapi.BadRequest("missing_field", "message_id is missing: send a new id with each message, and the same id when you repeat one.")
	case in.After < 0 || (in.AfterTurn != nil && *in.AfterTurn < 0):
		return in, httpapi.BadRequest("bad_field", "after and after_turn must be 0 or more.")
	}
	return in, nil
}

// read returns the end of the conversation, or the messages after a given one.
func (s *server) read(_ http.ResponseWriter, r *http.Request) (any, error) {
	after, err := readAfter(r)
	if err != nil {
		return nil, err
	}
	return s.since(r, s.conversation(r), after)
}

// readAfter reads the query parameter after; nil: it is missing.
func readAfter(r *http.Request) (*int64, error) {
	query := r.URL.Query()
	for name, given := range query {
		if name != "after" || len(given) > 1 {
			return nil, httpapi.BadRequest("bad_query", "The only query parameter is after; send it once or leave it out.")
		}
	}
	if !query.Has("after") {
		return nil, nil
	}
	after, err := strconv.ParseInt(query.Get("after"), 10, 64)
	if err != nil || after < 0 {
		return nil, httpapi.BadRequest("bad_query", "after must be the number of a message, 0 or more: the seq of an earlier response.")
	}
	return &after, nil
}
