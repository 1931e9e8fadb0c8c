package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/httpapi/studio"
	"github.com/slotway/slotway/router/telemetry"
)

// The stand-in answers the routes that the studio reads where `serve` has none of them yet.
// What it answers with is of real turns: POST /chat goes through the whole app.

// standIn is a Sink that keeps the lines, and a Face over the app's store.
type standIn struct {
	app  *app
	mu   sync.Mutex // guards what follows
	line []standInLine
	more chan struct{} // closed and replaced with each line
}

type standInLine struct {
	data  []byte
	event telemetry.Event
}

// startStandIn runs an app with the studio and the stand-in for the rest.
func startStandIn(t *testing.T) string {
	t.Helper()
	s := &standIn{more: make(chan struct{})}
	a, err := newApp(t.Context(), &flags{data: t.TempDir()}, parts{sink: s})
	if err != nil {
		t.Fatal(err)
	}
	s.app = a
	server := httptest.NewServer(httpapi.New(a.router, &httpapi.Options{Agent: a.router.Agent, Faces: []httpapi.Face{studio.Face{}, s}}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return server.URL
}

func (s *standIn) Record(e telemetry.Event) {
	var line bytes.Buffer
	telemetry.NewLog(&line, telemetry.LevelDebug).Record(e)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line = append(s.line, standInLine{bytes.TrimSpace(line.Bytes()), e})
	close(s.more)
	s.more = make(chan struct{})
}

func (s *standIn) Routes(*httpapi.API) []httpapi.Route {
	routes := []httpapi.Route{
		{Method: http.MethodGet, Path: "/v1/agent", Scope: access.Read, Handler: s.agent},
		{Method: http.MethodGet, Path: "/v1/events", Scope: access.Read, Handler: s.events},
		{Method: http.MethodGet, Path: "/v1/sessions", Scope: access.Read, Handler: s.sessions},
		{Method: http.MethodGet, Path: "/v1/sessions/{id}", Scope: access.Read, Handler: s.sessions},
		{Method: http.MethodPatch, Path: "/v1/sessions/{id}", Scope: access.Chat, Handler: s.rename},
		{Method: http.MethodDelete, Path: "/v1/sessions/{id}", Scope: access.Chat, Handler: func(w http.ResponseWriter, r *http.Request) {
			if err := s.app.store.Delete(r.Context(), s.key(r)); err != nil {
				gone(w, "session_not_found")
				return
			}
			w.WriteHeader(http.StatusNoContent)
		}},
	}
	for name, read := range map[string]func(*http.Request, *telemetry.Redactor) (any, error){
		"messages": s.messages, "state": s.state, "turns": s.turns, "context": s.context, "trace": s.trace,
	} {
		routes = append(routes, httpapi.Route{Method: http.MethodGet, Path: "/v1/sessions/{id}/" + name, Scope: access.Read, Handler: func(w http.ResponseWriter, r *http.Request) {
			mask := telemetry.NewRedactor(s.app.agent)
			if r.FormValue("reveal") == "true" {
				mask = telemetry.NewRedactor(nil)
			}
			out, err := read(r, mask)
			if err != nil {
				gone(w, map[bool]string{true: "trace_gone", false: "session_not_found"}[name == "trace"])
				return
			}
			httpapi.WriteJSON(w, http.StatusOK, "application/json", out)
		}})
	}
	return routes
}

func gone(w http.ResponseWriter, code string) {
	httpapi.WriteProblem(w, &httpapi.Problem{Status: http.StatusNotFound, Code: code, Title: "Not found"})
}

func (s *standIn) key(r *http.Request) memory.Key {
	return memory.Key{UserID: access.From(r.Context()).UserID, AgentID: s.app.agent.ID, SessionID: r.PathValue("id")}
}

func (s *standIn) agent(w http.ResponseWriter, r *http.Request) {
	agent, rows := s.app.agent, []map[string]string{}
	rests := map[string]bool{}
	for _, t := range router.Machine() {
		rows = append(rows, map[string]string{"from": t.From, "on": t.On, "to": t.To})
		rests[t.To] = router.Rests(t.To)
	}
	resting := []string{}
	for state, yes := range rests {
		if yes {
			resting = append(resting, state)
		}
	}
	intents, params := []any{}, []any{}
	for _, i := range agent.Intents {
		intents = append(intents, map[string]any{"id": i.ID, "description": i.Description, "system": i.System})
	}
	mask := telemetry.NewRedactor(agent)
	for name, p := range agent.Params {
		params = append(params, map[string]any{"name": name, "label": p.Label, "redacted": mask.Hides(name)})
	}
	id := access.From(r.Context())
	httpapi.WriteJSON(w, http.StatusOK, "application/json", map[string]any{
		"id": agent.ID, "description": agent.Description, "language": agent.Language, "user": id.UserID, "scopes": id.Scopes,
		"machine": map[string]any{"initial": "idle", "resting": resting, "transitions": rows}, "intents": intents, "params": params, "tools": []any{},
	})
}

func (s *standIn) sessions(w http.ResponseWriter, r *http.Request) {
	key := s.key(r)
	infos, err := s.app.store.Sessions(r.Context(), memory.Query{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID, Text: r.FormValue("text")})
	if err != nil {
		httpapi.WriteProblem(w, httpapi.Explain(err))
		return
	}
	list := []any{}
	for _, i := range infos {
		list = append(list, map[string]any{"session_id": i.Key.SessionID, "title": i.Title, "tags": i.Tags, "turns": i.Turns, "waiting_for_param": i.Waiting, "updated_at": i.UpdatedAt})
	}
	if key.SessionID == "" {
		httpapi.WriteJSON(w, http.StatusOK, "application/json", map[string]any{"sessions": list, "next_offset": nil})
	} else if len(list) == 0 {
		gone(w, "session_not_found")
	} else {
		httpapi.WriteJSON(w, http.StatusOK, "application/json", list[0])
	}
}

func (s *standIn) rename(w http.ResponseWriter, r *http.Request) {
	var about memory.About
	if err := json.NewDecoder(r.Body).Decode(&about); err != nil || s.app.store.Describe(r.Context(), s.key(r), about) != nil {
		gone(w, "session_not_found")
		return
	}
	s.sessions(w, r)
}

func page(r *http.Request) memory.Page {
	limit, _ := strconv.Atoi(r.FormValue("limit"))
	after, _ := strconv.ParseInt(r.FormValue("after"), 10, 64)
	return memory.Page{Limit: limit, After: after, Last: r.FormValue("last") == "true"}
}

func (s *standIn) messages(r *http.Request, mask *telemetry.Redactor) (any, error) {
	list, err := s.app.store.Messages(r.Context(), s.key(r), page(r))
	for i := range list {
		list[i].Text = mask.MaskText(list[i].Text, nil)
	}
	return map[string]any{"messages": list, "next_after": nil}, err
}

func (s *standIn) state(r *http.Request, mask *telemetry.Redactor) (any, error) {
	snap, err := s.app.store.Load(r.Context(), s.key(r), memory.LoadOptions{})
	if err != nil || snap.State.Version == 0 {
		return nil, memory.ErrNotFound
	}
	return standing(&snap.State, mask), nil
}

// standing shows a state as GET state does.
func standing(state *memory.State, mask *telemetry.Redactor) map[string]any {
	out := map[string]any{"params": mask.MaskParams(state.Params), "waiting_for_param": state.WaitingForParam, "last_intent_id": state.LastIntentID, "confirming": nil}
	plan, err := planner.Load(state.PlanExecution, state.Params)
	if err != nil {
		return out
	}
	shown := map[string]any{"active": nil, "suspended": []any{}, "queued": []any{}, "question": nil}
	if plan.Active != nil {
		shown["active"] = map[string]any{"intent": plan.Active.Intent, "done": plan.Active.Done}
	}
	if q := plan.Open; q != nil {
		shown["question"] = map[string]any{"kind": q.Kind, "param": q.Param, "tool": q.Tool}
		if q.Kind == planner.AskConfirm {
			out["confirming"] = q.Tool
		}
	}
	out["plan"] = shown
	return out
}

func (s *standIn) turns(r *http.Request, mask *telemetry.Redactor) (any, error) {
	turns, err := s.app.store.Turns(r.Context(), s.key(r), page(r))
	list := []any{}
	for _, t := range turns {
		list = append(list, map[string]any{"turn": t.Number, "intent": t.Intent, "outcome": t.Outcome, "at": t.At, "undone": t.Undone, "state": standing(&t.Past.State, mask)})
	}
	return map[string]any{"turns": list, "next_after": nil}, err
}

func (s *standIn) context(r *http.Request, mask *telemetry.Redactor) (any, error) {
	out, err := s.messages(r, mask)
	if err != nil {
		return nil, err
	}
	list := out.(map[string]any)["messages"].([]memory.Message)
	told := []map[string]any{}
	for _, m := range list {
		told = append(told, map[string]any{"role": m.Role, "text": m.Text})
	}
	fact := memory.Fact{Key: "order_id", Value: mask.MaskText("O-12345", nil), Category: memory.Entity, Origin: memory.FromSlot, Source: 3, ValidFrom: time.Now()}
	return map[string]any{"facts": []memory.Fact{fact}, "recent": list, "messages": told}, nil
}

func (s *standIn) trace(r *http.Request, _ *telemetry.Redactor) (any, error) {
	turn, _ := strconv.ParseInt(r.FormValue("turn"), 10, 64)
	s.mu.Lock()
	defer s.mu.Unlock()
	events, path := []json.RawMessage{}, []string{}
	for _, l := range s.line {
		if l.event.SessionID == r.PathValue("id") && l.event.Turn == turn {
			events = append(events, l.data)
			path = l.event.Path
		}
	}
	if len(events) == 0 {
		return nil, memory.ErrNotFound
	}
	return map[string]any{"turn": turn, "path": path, "events": events}, nil
}

func (s *standIn) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, ": here\n\n")
	_ = http.NewResponseController(w).Flush()
	s.mu.Lock()
	seen := len(s.line)
	s.mu.Unlock()
	for {
		s.mu.Lock()
		fresh, more := s.line[seen:], s.more
		s.mu.Unlock()
		seen += len(fresh)
		for _, l := range fresh {
			fmt.Fprintf(w, "event: telemetry\ndata: %s\n\n", l.data)
			if l.event.Path != nil {
				path, _ := json.Marshal(map[string]any{"session_id": l.event.SessionID, "turn": l.event.Turn, "path": l.event.Path})
				fmt.Fprintf(w, "event: path\ndata: %s\n\n", path)
			}
		}
		_ = http.NewResponseController(w).Flush()
		select {
		case <-more:
		case <-r.Context().Done():
			return
		}
	}
}
