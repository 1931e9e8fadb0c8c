package httpapi

import (
	"net/http"
	"unicode/utf8"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/recall"
)

// maxQuery bounds a search's question and the text to assemble a context for, in code points.
const maxQuery = 2000

// Disabled is the problem of a part of the service that the operator has not enabled.
func Disabled(what string) *Problem {
	return &Problem{Status: http.StatusNotImplemented, Code: "not_enabled", Title: "This is not enabled", Detail: what + " is not enabled in this service's settings."}
}

// recalledView is an older message with its neighbours.
type recalledView struct {
	SessionID string          `json:"session_id"`
	Message   messageView     `json:"message"`
	Before    []messageView   `json:"before"`
	After     []messageView   `json:"after"`
	Score     float64         `json:"score"`
	Similar   float64         `json:"similarity"`
	Why       []memory.Reason `json:"why"` // parts that sum to the score; empty unless they were asked for
}

func viewRecalled(list []memory.Recalled) []recalledView {
	out := make([]recalledView, len(list))
	for i, r := range list {
		out[i] = recalledView{
			SessionID: r.Key.SessionID, Message: viewMessages([]memory.Message{r.Message}, 0)[0],
			Before: viewMessages(r.Before, 0), After: viewMessages(r.After, 0), Score: r.Score, Similar: r.Similarity, Why: append([]memory.Reason{}, r.Why...),
		}
	}
	return out
}

// contextView is the context that a model would receive.
type contextView struct {
	System         []messageView  `json:"system"`
	Facts          []memory.Fact  `json:"facts"`
	Narrative      string         `json:"narrative"`
	Recalled       []recalledView `json:"recalled"`
	Kept           []messageView  `json:"kept"`
	Recent         []messageView  `json:"recent"`
	SummarizedUpTo int64          `json:"summarized_up_to"`
	Failed         []string       `json:"failed"` // tiers that were left out
	Messages       []promptView   `json:"messages"`
}

type promptView struct {
	Role memory.Role `json:"role"`
	Text string      `json:"text"`
}

// context returns what a model would be told if a text were said now.
func (a *API) context(_ http.ResponseWriter, r *http.Request) (any, error) {
	q := readQuery(r, "text")
	text := q.text("text", maxQuery)
	l, err := a.readSession(r, q)
	if err != nil {
		return nil, err
	}
	if a.opts.Memory.Context == nil {
		return nil, Disabled("memory")
	}
	known, err := a.opts.Memory.Context(r.Context(), l.key, text)
	if err == nil {
		known, err = l.masks.Context(r.Context(), l.key, known)
	}
	if err != nil {
		return nil, err
	}
	if !maySeePrompts(r.Context()) {
		known.System = nil
	}
	out := contextView{
		System: viewMessages(known.System, 0), Facts: append([]memory.Fact{}, known.Facts...), Narrative: known.Narrative,
		Recalled: viewRecalled(known.Recalled), Kept: viewMessages(known.Kept, 0), Recent: viewMessages(known.Recent, 0),
		SummarizedUpTo: known.SummarizedUpTo, Failed: append([]string{}, known.Failed...), Messages: []promptView{},
	}
	for _, m := range prompt.Messages(known, l.mask.Text(text)) {
		out.Messages = append(out.Messages, promptView{m.Role, m.Text})
	}
	return out, nil
}

// searchMemory finds earlier messages of the caller.
func (a *API) searchMemory(w http.ResponseWriter, r *http.Request) (any, error) {
	masks, body, err := a.maskedBody(w, r)
	if err != nil {
		return nil, err
	}
	find, err := decodeSearch(body)
	if err != nil {
		return nil, err
	}
	if a.opts.Memory.Search == nil {
		return nil, Disabled("recall")
	}
	if err := a.scopeSearch(r, &find); err != nil {
		return nil, err
	}
	found, err := a.opts.Memory.Search(r.Context(), find)
	if err == nil {
		found, err = masks.Recalled(r.Context(), found)
	}
	if err != nil {
		return nil, err
	}
	return map[string][]recalledView{"results": viewRecalled(shownTags(found, find.Tags))}, nil
}

// scopeSearch limits a search to the caller's own sessions.
func (a *API) scopeSearch(r *http.Request, find *recall.Query) error {
	session := find.Key.SessionID
	find.Key = a.owner(r)
	if session == "" {
		return nil
	}
	find.Key.SessionID = session
	if find.Key.Validate() != nil {
		return memory.ErrNotFound
	}
	_, err := a.session(r.Context(), find.Key)
	return err
}

// maxFound bounds the results of a search.
const maxFound = 50

// decodeSearch reads the body of a search. Its error is a *Problem.
func decodeSearch(body []byte) (recall.Query, error) {
	find := recall.Query{K: 5, Neighbours: 1, Rerank: true}
	var role memory.Role
	var limit *int64
	err := DecodeFields(body, Fields{
		"query":          TextField(&find.Text),
		"session_id":     TextField(&find.Key.SessionID),
		"limit":          IntegerField(&limit),
		"role":           ValueField("user or agent", &role),
		"from":           momentField(&find.Since),
		"to":             momentField(&find.Until),
		"min_similarity": ValueField("a number", &find.MinSimilarity),
		"tags":           tagsField(&find.Tags),
		"min_importance": importanceField(&find.MinImportance),
		"explain":        ValueField("true or false", &find.Explain),
	}, "query")
	if limit != nil {
		find.K = int(min(max(*limit, 0), maxFound+1))
	}
	if role != "" {
		find.Roles = []memory.Role{role}
	}
	similar := find.MinSimilarity
	switch {
	case err != nil:
		return find, err
	case find.Text == "" || utf8.RuneCountInString(find.Text) > maxQuery:
		return find, BadRequest("bad_field", "query must have 1 to %d characters.", maxQuery)
	case find.K < 1 || find.K > maxFound:
		return find, BadRequest("bad_field", "limit must be from 1 to %d.", maxFound)
	case role != "" && role != memory.User && role != memory.Agent:
		return find, BadRequest("bad_field", "role must be user or agent.")
	case similar != nil && (*similar < 0 || *similar > 1):
		return find, BadRequest("bad_field", "min_similarity must be from 0 to 1.")
	case !find.Until.IsZero() && find.Until.Before(find.Since):
		return find, BadRequest("bad_field", "to is before from.")
	}
	return find, nil
}
