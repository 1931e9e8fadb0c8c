package authoring

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/review"
)

// Label connects what labelling needs.
type Label struct {
	// File is the agent's file, which examples are written to; "": groups are only shown.
	File string
	// Classifier returns the classifier of an agent; it is asked once for each version.
	Classifier func(ctx context.Context, agent *config.Agent) (classifier.Classifier, error)
	// Embedder groups by meaning, too; nil: by words alone.
	Embedder review.Embedder
}

const (
	mostGroups = 50  // in an answer
	maxIntent  = 200 // bytes of an id
)

// labelling keeps the classifier of one version of the agent.
type labelling struct {
	mu      sync.Mutex // held by the request under way
	hash    string
	classes classifier.Classifier
	done    map[string]bool // groups that were labelled since that version
}

// groupView is a group of alike messages.
type groupView struct {
	Group      string                `json:"group"`
	Size       int                   `json:"size"`
	Sessions   int                   `json:"sessions"`
	Last       time.Time             `json:"last"`
	Reasons    map[review.Reason]int `json:"reasons"`
	Texts      []textView            `json:"texts"`
	Candidates []review.Candidate    `json:"candidates"`
}

type textView struct {
	Text  string `json:"text"`
	Count int    `json:"count"`
}

var (
	errNoLabel   = notEnabled("This service does not label; slotway label does, and slotway serve.")
	errNoWriting = &httpapi.Problem{Status: http.StatusForbidden, Code: "read_only", Title: "This service does not write to the agent's file", Detail: "slotway dev does, and slotway serve with --edit-agent."}
	errBusy      = &httpapi.Problem{Status: http.StatusConflict, Code: "conflict", Title: "Another label is being worked on", Detail: "Send the request again once it is done.", RetryAfter: 1}
)

// collect reads the sessions of the caller. It holds the labelling; release lets it go.
func (s *server) collect(r *http.Request) (reader *review.Reader, groups []review.Alike, found *review.Found, release func(), err error) {
	if s.opts.Label == nil {
		return nil, nil, nil, nil, errNoLabel
	}
	if err := httpapi.NoQuery(r); err != nil {
		return nil, nil, nil, nil, err
	}
	l := &s.labelling
	if !l.mu.TryLock() {
		return nil, nil, nil, nil, errBusy
	}
	defer func() {
		if err != nil {
			l.mu.Unlock()
		}
	}()
	agent := s.api.Agent()
	if l.classes == nil || l.hash != agent.Hash {
		if l.classes, err = s.opts.Label.Classifier(r.Context(), agent); err != nil {
			l.classes = nil
			return nil, nil, nil, nil, fmt.Errorf("label: %w", err)
		}
		l.hash, l.done = agent.Hash, map[string]bool{}
	}
	reader = review.NewReader(agent, l.classes)
	query := review.Query{AgentID: agent.ID, UserID: access.From(r.Context()).UserID}
	if found, err = review.Collect(r.Context(), s.api.Memory().Store, query, reader, nil); err != nil {
		return nil, nil, nil, nil, err
	}
	groups = slices.DeleteFunc(review.Group(found.Items, s.opts.Label.Embedder), func(g review.Alike) bool { return l.done[g.ID] })
	return reader, groups, found, l.mu.Unlock, nil
}

// groups lists what the caller's sessions hold to be labelled.
func (s *server) groups(_ http.ResponseWriter, r *http.Request) (any, error) {
	_, groups, found, release, err := s.collect(r)
	if err != nil {
		return nil, err
	}
	defer release()
	out := struct {
		Groups   []groupView `json:"groups"`
		Sessions int         `json:"sessions"` // that were read
		More     bool        `json:"more"`     // there are more groups, or sessions
		Writable bool        `json:"writable"` // POST is allowed
	}{[]groupView{}, found.Sessions, found.More || len(groups) > mostGroups, s.opts.Label.File != ""}
	for i := range groups[:min(len(groups), mostGroups)] {
		g := &groups[i]
		v := groupView{Group: g.ID, Size: g.Size, Sessions: g.Sessions, Last: g.Last, Reasons: g.Reasons, Texts: []textView{}, Candidates: g.Candidates}
		for _, t := range g.Texts {
			v.Texts = append(v.Texts, textView{t.Text, t.Count})
		}
		out.Groups = append(out.Groups, v)
	}
	return out, nil
}

// label writes texts of a group as examples of an intent.
func (s *server) label(w http.ResponseWriter, r *http.Request) (any, error) {
	if s.opts.Label == nil {
		return nil, errNoLabel
	}
	if s.opts.Label.File == "" {
		return nil, errNoWriting
	}
	body, err := s.api.ReadBody(w, r)
	if err != nil {
		return nil, err
	}
	var group, intent string
	var texts []string
	err = httpapi.DecodeFields(body, httpapi.Fields{
		"group": httpapi.TextField(&group), "intent": httpapi.TextField(&intent), "texts": httpapi.ValueField("a list of texts", &texts),
	}, "group", "intent")
	if err != nil {
		return nil, err
	}
	if group == "" || intent == "" || len(intent) > maxIntent {
		return nil, httpapi.BadRequest("missing_field", "group and intent are needed, an intent of at most %d bytes.", maxIntent)
	}
	reader, groups, _, release, err := s.collect(r)
	if err != nil {
		return nil, err
	}
	defer release()
	i := slices.IndexFunc(groups, func(g review.Alike) bool { return g.ID == group })
	if i < 0 {
		return nil, &httpapi.Problem{Status: http.StatusNotFound, Code: "no_group", Title: "There is no such group", Detail: "Its messages may have become examples meanwhile: read the groups again."}
	}
	done, err := reader.Label(s.opts.Label.File, &groups[i], texts, intent)
	var refused *review.RefusedError
	switch {
	case err == nil:
		s.labelling.done[group] = true
		return done, nil
	case errors.Is(err, review.ErrNothing), errors.As(err, &refused):
		return nil, &httpapi.Problem{Status: http.StatusUnprocessableEntity, Code: "not_labelled", Title: "Nothing was written", Detail: err.Error()}
	}
	return nil, err
}
