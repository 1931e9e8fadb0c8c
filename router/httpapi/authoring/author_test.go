package authoring

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/test/routertest"
)

func stateOf(t *testing.T, f *fixture, method string) map[string]any {
	t.Helper()
	status, text := f.ask(method, "/v1/evaluation", "")
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d %s", method, status, text)
	}
	return v
}

// One evaluation runs at a time; its result is kept as long as the agent is the same.
func TestEvaluation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs, step := 0, make(chan struct{})
		f := newFixture(t, Options{Evaluate: func(ctx context.Context, _ *config.Agent, progress func(int, int)) (*Evaluation, error) {
			runs++
			progress(1, 2)
			select {
			case <-step:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			return &Evaluation{Messages: 7, Curve: []ThresholdPoint{}, Intents: []IntentPoint{}, Confusion: []Confused{}, Worst: []Missed{}}, nil
		}})
		if v := stateOf(t, f, http.MethodGet); v["state"] != "none" {
			t.Errorf("at first it is %v", v)
		}
		stateOf(t, f, http.MethodPost)
		synctest.Wait()
		if v := stateOf(t, f, http.MethodPost); v["state"] != "running" || v["done"] != 1.0 || runs != 1 {
			t.Errorf("under way it is %v after %d runs", v, runs)
		}
		stateOf(t, f, http.MethodDelete)
		synctest.Wait()
		if v := stateOf(t, f, http.MethodGet); v["state"] != "cancelled" {
			t.Errorf("cancelled it is %v", v)
		}
		stateOf(t, f, http.MethodPost)
		close(step)
		synctest.Wait()
		v := stateOf(t, f, http.MethodPost)
		if result, _ := v["result"].(map[string]any); v["state"] != "done" || result["messages"] != 7.0 || runs != 2 {
			t.Errorf("done it is %v after %d runs", v, runs)
		}
	})
}

// What costs minutes, or shows or changes the agent's file, is for admins of services that offer it.
func TestAuthorsNeedTheScope(t *testing.T) {
	f := newFixture(t, Options{})
	for _, route := range []string{"GET /v1/evaluation", "POST /v1/evaluation", "DELETE /v1/evaluation", "GET /v1/label", "POST /v1/label"} {
		method, path, _ := strings.Cut(route, " ")
		if status, text := f.ask(method, path, "", "reader"); status != http.StatusForbidden {
			t.Errorf("%s with the scope read: %d %s", route, status, text)
		}
		if status, text := f.ask(method, path, ""); status != http.StatusNotImplemented {
			t.Errorf("%s where it is not offered: %d %s", route, status, text)
		}
	}
}

// A group of messages becomes examples in the file, once, and only where that is allowed.
func TestLabel(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stall.yaml")
	if err := os.WriteFile(file, []byte(stall), 0o600); err != nil {
		t.Fatal(err)
	}
	label := &Label{File: file, Classifier: func(context.Context, *config.Agent) (classifier.Classifier, error) {
		return routertest.Phrases{Words: map[string]string{"price": "price"}, Confidence: 0.1, ItemSure: 1}, nil
	}}
	f := newFixture(t, Options{Label: label})
	f.say("kindly tell about I-77")
	if status, text := f.ask(http.MethodPost, "/v1/sessions/s/undo", ""); status != http.StatusOK {
		t.Fatalf("undo: %d %s", status, text)
	}
	status, text := f.ask(http.MethodGet, "/v1/label", "")
	var list struct {
		Groups   []groupView
		Writable bool
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil || status != http.StatusOK || len(list.Groups) != 1 || !list.Writable {
		t.Fatalf("%d %s", status, text)
	}
	if strings.Contains(text, "I-77") {
		t.Errorf("a redacted value is listed: %s", text)
	}
	body, _ := json.Marshal(map[string]string{"group": list.Groups[0].Group, "intent": "nowhere"})
	if status, text := f.ask(http.MethodPost, "/v1/label", string(body)); status != http.StatusUnprocessableEntity || !strings.Contains(text, "no intent") {
		t.Errorf("an unknown intent: %d %s", status, text)
	}
	body, _ = json.Marshal(map[string]string{"group": list.Groups[0].Group, "intent": "price"})
	label.File = ""
	if status, text := f.ask(http.MethodPost, "/v1/label", string(body)); status != http.StatusForbidden {
		t.Errorf("where writing is not allowed: %d %s", status, text)
	}
	label.File = file
	if status, text := f.ask(http.MethodPost, "/v1/label", string(body)); status != http.StatusOK || !strings.Contains(text, `"kindly tell about [I-1](item)"`) {
		t.Errorf("%d %s", status, text)
	}
	if status, text := f.ask(http.MethodPost, "/v1/label", string(body)); status != http.StatusNotFound {
		t.Errorf("the second time: %d %s", status, text)
	}
	want := `{"text":"kindly tell about I-1","intent":"price","slots":[{"name":"item","start":18,"end":21}]}` + "\n"
	if written, err := os.ReadFile(filepath.Join(filepath.Dir(file), "stall.examples.jsonl")); err != nil || string(written) != want {
		t.Errorf("the examples are now\n%s", written)
	}
	if status, text := f.ask(http.MethodPost, "/v1/label", `{"group": "x"}`); status != http.StatusBadRequest {
		t.Errorf("no intent: %d %s", status, text)
	}
}
