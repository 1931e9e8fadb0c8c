package httpapi

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
)

// stateView is the state of a session, now or after a turn.
type stateView struct {
	Params          map[string]any  `json:"params"`
	WaitingForParam *string         `json:"waiting_for_param"`
	Confirming      *string         `json:"confirming"` // write tool that waits for a confirmation
	LastIntentID    *string         `json:"last_intent_id"`
	LastResult      json.RawMessage `json:"last_result"`
	Plan            *planner.View   `json:"plan"` // null: of a version that this program cannot read
	HistoryCount    int64           `json:"history_count"`
	Handoff         *handoffView    `json:"handoff"`
}

func viewState(s *memory.State, history int64, mask *sessions.Mask) stateView {
	v := stateView{
		Params: mask.Params(s.Params), WaitingForParam: orNull(s.WaitingForParam), LastIntentID: orNull(s.LastIntentID),
		LastResult: mask.JSON(s.LastResult), HistoryCount: history,
	}
	if len(v.LastResult) == 0 {
		v.LastResult = json.RawMessage("null")
	}
	plan, err := planner.Load(s.PlanExecution, s.Params)
	if err != nil {
		return v
	}
	view := mask.Plan(plan.View())
	if tool, open := plan.Confirming(); open {
		v.Confirming = orNull(tool)
	}
	v.Plan, v.Handoff = &view, viewHandoff(plan.Person, mask)
	return v
}

// CurrentTurn returns the turn that a session is at, with which after_turn is compared.
func CurrentTurn(snap *memory.Snapshot) int64 {
	plan, err := planner.Load(snap.State.PlanExecution, nil)
	if err != nil { // written by a newer release: this one can run no turn on it
		return snap.Turns
	}
	return plan.Stands(snap.Turns)
}

// state returns the current state of a session.
func (a *API) state(_ http.ResponseWriter, r *http.Request) (any, error) {
	l, err := a.readSession(r, readQuery(r))
	if err != nil {
		return nil, err
	}
	return struct {
		SessionID string `json:"session_id"`
		Turns     int64  `json:"turns"`
		Turn      int64  `json:"turn"` // the turn that after_turn is compared with
		Version   int64  `json:"version"`
		stateView
		UpdatedAt time.Time `json:"updated_at"`
	}{
		l.key.SessionID, l.snap.Turns, CurrentTurn(l.snap), l.snap.State.Version,
		viewState(&l.snap.State, l.snap.History(), l.mask), l.snap.UpdatedAt,
	}, nil
}

// turnView is one turn of a session's history.
type turnView struct {
	Turn          int64                `json:"turn"`
	InteractionID string               `json:"interaction_id"`
	Intent        *string              `json:"intent"`
	Outcome       string               `json:"outcome"`
	Reply         string               `json:"reply"`
	At            time.Time            `json:"at"`
	Undone        bool                 `json:"undone"`
	Options       []planner.Suggestion `json:"options,omitempty"` // the suggested answers
	Unheard       []router.Unheard     `json:"unheard,omitempty"`
	Action        string               `json:"action,omitempty"` // take, answer or give_back: a person's; held: the message went to a person
	State         *stateView           `json:"state"`            // after the turn; null if an earlier release did not keep it
}

// actionHeld is turnView.Action of a message that went to a person.
const actionHeld = "held"

func viewTurn(t *memory.Turn, mask *sessions.Mask) turnView {
	v := turnView{
		Turn: t.Number, InteractionID: t.RequestID, Intent: orNull(t.Intent), Outcome: t.Outcome, At: t.At, Undone: t.Undone,
	}
	if reply, err := router.StoredReply("", t); err == nil {
		v.Reply = mask.Text(reply.Reply)
		v.Options, v.Unheard = reply.Shown(mask.Text)
		if v.Action = string(reply.Action); reply.Person != nil && v.Action == "" {
			v.Action = actionHeld
		}
	}
	if t.Snapshot != nil {
		s := viewState(&t.Snapshot.State, t.Snapshot.Counters.History(), mask)
		v.State = &s
	}
	return v
}

// history returns a page of turns, undone ones included, with the state after each.
func (a *API) history(_ http.ResponseWriter, r *http.Request) (any, error) {
	q := readQuery(r, "after", "limit", "last")
	page := q.pageOf(200)
	page.Inactive = true
	l, list, at, err := paged(a, r, q, page, pager[memory.Turn]{
		read: a.opts.Memory.Store.Turns, number: func(t *memory.Turn) int64 { return t.Number }, size: turnSize,
	})
	if err != nil {
		return nil, err
	}
	out := struct {
		Turns []turnView `json:"turns"`
		paging
	}{Turns: []turnView{}, paging: at}
	for i := range list {
		out.Turns = append(out.Turns, viewTurn(&list[i], l.mask))
	}
	return out, nil
}
