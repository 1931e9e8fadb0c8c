package widget

import (
	"net/http"
	"time"

	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
)

// Adapter serves the widget. The zero value is ready.
type Adapter struct{}

var _ httpapi.Adapter = Adapter{}

// Routes implements httpapi.Adapter.
func (Adapter) Routes(a *httpapi.API) []httpapi.Route {
	s := &server{a}
	const messages = "/widget/messages"
	return []httpapi.Route{
		{Method: http.MethodGet, Path: "/widget.js", Handler: serveScript, Anywhere: true},
		{Method: http.MethodPost, Path: "/widget/visits", Handler: httpapi.JSON(s.visit), PerAddress: true},
		{Method: http.MethodGet, Path: messages, Scope: access.Chat, Visitors: true, Handler: httpapi.JSON(s.read)},
		{Method: http.MethodPost, Path: messages, Scope: access.Chat, Visitors: true, Handler: s.say},
	}
}

type server struct {
	api *httpapi.API
}

// visitView is a visitor's token.
type visitView struct {
	Token     string    `json:"token"`
	ExpiresAt time.Time `json:"expires_at"`
}

var noVisitors = &httpapi.Problem{
	Status: http.StatusForbidden, Code: "no_visitors", Title: "Visitors may not talk here",
	Detail: "Send the credential of a user, or ask the operator to set server.widget.visitors.",
}

// visit gives a token to a person without a credential.
func (s *server) visit(http.ResponseWriter, *http.Request) (any, error) {
	visitors := s.api.Visitors()
	if visitors == nil {
		return nil, noVisitors
	}
	token, end := visitors.Admit()
	return visitView{token, end}, nil
}
