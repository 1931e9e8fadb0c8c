package openai

import (
	"net/http"

	"github.com/slotway/slotway/router/httpapi"
)

// alias is another name of the served agent.
const alias = "slotway"

// model is an agent in the list of models.
type model struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"` // Unix seconds; since when this process serves it
	OwnedBy string `json:"owned_by"`
}

// checkModel fails for any model but the agent: its id, "slotway", or none.
func (f *Adapter) checkModel(name string) error {
	id := f.opts.Agent().ID
	if name == "" || name == alias || name == id {
		return nil
	}
	return notFound("model_not_found", "model", "There is no such model. This service answers for %s.", id)
}

func (f *Adapter) current() model {
	return model{ID: f.opts.Agent().ID, Object: "model", Created: f.since.Unix(), OwnedBy: alias}
}

// models answers GET /v1/models.
func (s *server) models(w http.ResponseWriter, _ *http.Request) error {
	httpapi.WriteJSON(w, http.StatusOK, "application/json", struct {
		Object string  `json:"object"`
		Data   []model `json:"data"`
	}{"list", []model{s.current()}})
	return nil
}

// model answers GET /v1/models/{model}.
func (s *server) model(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkModel(r.PathValue("model")); err != nil {
		return err
	}
	httpapi.WriteJSON(w, http.StatusOK, "application/json", s.current())
	return nil
}
