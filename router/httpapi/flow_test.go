package httpapi

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
)

func TestFlow(t *testing.T) {
	w := newFixture(t)
	var got flowView
	res := w.ask("GET", "/v1/agent/flow?intent=badge", "", "X-Test-Scopes", "read")
	if err := json.Unmarshal([]byte(readAll(t, res)), &got); err != nil || res.StatusCode != http.StatusOK {
		t.Fatal(res.StatusCode, err)
	}
	var order []string
	for _, n := range got.Nodes {
		order = append(order, n.Shape+" "+n.Param+n.Part)
		if n.Place.X < 0 || n.Place.X+n.Place.Width > got.Width || n.Place.Y+n.Place.Height > got.Height || n.Place.Width <= 0 {
			t.Errorf("node %s is at %+v, outside of %v x %v", n.ID, n.Place, got.Width, got.Height)
		}
	}
	if want := []string{"start ", "question name", "question pin", "confirm ", "question denied", "write ", "say "}; !slices.Equal(order, want) {
		t.Errorf("nodes %q, want %q", order, want)
	}
	ways := map[string]string{}
	for _, e := range got.Edges {
		if e.On != "" {
			ways[e.On] = e.Step
		}
		if e.Path == "" || (e.Place == nil) != (e.Label == "") {
			t.Errorf("edge %+v", e)
		}
	}
	if ways["yes"] == "" || ways["yes"] != ways["denied"] {
		t.Errorf("ways out of the confirmation: %v", ways)
	}
	wantProblem(t, w.ask("GET", "/v1/agent/flow?intent=nothing", ""), 404, "intent_not_found")
	wantProblem(t, w.ask("GET", "/v1/agent/flow", ""), 400, "bad_query")
	wantProblem(t, w.ask("GET", "/v1/agent/flow?intent=badge&x=1", ""), 400, "bad_query")
}

func TestAgentHasSamples(t *testing.T) {
	w := newFixture(t)
	var got agentView
	if err := json.Unmarshal([]byte(readAll(t, w.ask("GET", "/v1/agent", ""))), &got); err != nil {
		t.Fatal(err)
	}
	for _, in := range got.Intents {
		if in.ID == "badge" && (in.Example != "badge please" || in.Title != "make a badge" || !in.Task) {
			t.Errorf("%+v", in)
		}
		if in.System && in.Task {
			t.Errorf("%s is offered", in.ID)
		}
	}
}
