package httpapi

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
)

func TestTraceOfATurn(t *testing.T) {
	w := newFixture(t)
	w.say(t, "s", "badge please", canaryName)
	for query, turn := range map[string]float64{"": 2, "?turn=1": 1, "?turn=2": 2} {
		got := object(t, w.ask("GET", "/v1/sessions/s/trace"+query, ""))
		path, _ := got["path"].([]any)
		if got["turn"] != turn || at(got, "events", 0, "stage") != "received" || len(path) < 5 || path[len(path)-1] != "waiting" {
			t.Errorf("trace%s: %v", query, got)
		}
	}
	wantProblem(t, w.ask("GET", "/v1/sessions/s/trace?turn=3", ""), 404, "trace_gone")
	wantProblem(t, w.ask("GET", "/v1/sessions/other/trace", ""), 404, "session_not_found")
}

func TestAgentIsDescribed(t *testing.T) {
	w := newFixture(t)
	got := object(t, w.ask("GET", "/v1/agent", "", "X-Test-Scopes", "read"))
	if got["id"] != "desk" || got["user"] != "ann" || at(got, "machine", "initial") != "idle" {
		t.Errorf("agent %v", got)
	}
	if diff := cmp.Diff([]any{"read"}, got["scopes"]); diff != "" {
		t.Errorf("scopes (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]any{"responded", "waiting"}, at(got, "machine", "resting")); diff != "" {
		t.Errorf("resting states (-want +got)\n%s", diff)
	}
	want := map[string]any{"id": "badge", "title": "make a badge", "description": "make a badge", "example": "badge please", "task": true, "answer_only": false, "system": false, "params": []any{"name", "pin"}}
	if diff := cmp.Diff(want, at(got, "intents", 0)); diff != "" {
		t.Errorf("an intent (-want +got)\n%s", diff)
	}
	for i, want := range []map[string]any{
		{"name": "name", "type": "text", "label": "name", "scope": "plan", "redacted": true},
		{"name": "parcel", "type": "text", "label": "parcel", "scope": "plan", "redacted": true},
	} {
		if diff := cmp.Diff(want, at(got, "params", i)); diff != "" {
			t.Errorf("a param (-want +got)\n%s", diff)
		}
	}
	if diff := cmp.Diff(map[string]any{"name": "make_badge", "kind": "go", "effect": "write"}, at(got, "tools", 2)); diff != "" {
		t.Errorf("a tool (-want +got)\n%s", diff)
	}
}

// eventsOf runs a stream of events until its context ends and returns what was sent.
func eventsOf(w *fixture, ctx context.Context, query string) string {
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/v1/events"+query, nil)
	r.Header.Set("X-Test-User", w.as)
	out := httptest.NewRecorder()
	watched(w.api).ServeHTTP(out, r)
	return out.Body.String()
}

// The stream tells of the caller's own turns, and beats where there are none.
func TestEventsAreFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFixture(t)
		ctx, hangUp := context.WithCancel(t.Context())
		all, one := make(chan string, 1), make(chan string, 1)
		go func() { all <- eventsOf(w, ctx, "") }()
		go func() { one <- eventsOf(w, ctx, "?session_id=mine") }()
		synctest.Wait()
		w.say(t, "mine", "badge please")
		w.say(t, "other", "badge please")
		w.as = "bob"
		w.say(t, "bobs", "badge please")
		time.Sleep(40 * time.Second) // on the bubble's clock
		hangUp()
		for name, got := range map[string]string{"all": <-all, "one": <-one} {
			if strings.Contains(got, "bobs") || strings.Contains(got, "other") != (name == "all") {
				t.Errorf("the stream of %s tells of the wrong sessions:\n%s", name, got)
			}
			if !strings.HasPrefix(got, ": open\n\nevent: telemetry\ndata: {") || strings.Count(got, ": alive\n\n") != 2 {
				t.Errorf("the stream of %s:\n%s", name, got)
			}
			if want := `event: path` + "\n" + `data: {"session_id":"mine","turn":1,"path":[`; !strings.Contains(got, want) {
				t.Errorf("the stream of %s has no path:\n%s", name, got)
			}
		}
		if streams, _ := w.api.underWay(); w.recent.Following() != 0 || streams != 0 {
			t.Errorf("%d followers and %d streams are left", w.recent.Following(), streams)
		}
	})
}

// HEAD asks for the header of a stream, and no more.
func TestHeadOfAStream(t *testing.T) {
	res := newFixture(t).ask("HEAD", "/v1/events", "")
	if kind := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || kind != "text/event-stream" {
		t.Errorf("status %d, type %q", res.StatusCode, kind)
	}
}

// A reader that is too slow learns how many events it lost.
func TestLostEventsAreCounted(t *testing.T) {
	recent := telemetry.NewRecent(&telemetry.RecentOptions{Buffer: 1})
	from, err := recent.Follow("ann", "")
	if err != nil {
		t.Fatal(err)
	}
	defer from.Stop()
	for range 8 {
		recent.Record(telemetry.Event{UserID: "ann", SessionID: "s", Payload: telemetry.Job{Kind: "embed", Attempt: 1, Outcome: "done"}})
	}
	out := httptest.NewRecorder()
	if err := follow(t.Context(), from, newEventWriter(out)); err != nil {
		t.Fatal(err)
	}
	if text := out.Body.String(); !strings.HasPrefix(text, "event: lost\ndata: {\"lost\":7}\n\nevent: telemetry\n") {
		t.Errorf("the stream:\n%s", text)
	}
}

func TestStreamsAreLimitedAndEndWithTheService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFixture(t)
		w.api.streams.max = 1
		ended := make(chan string, 1)
		go func() { ended <- eventsOf(w, t.Context(), "") }()
		synctest.Wait()
		wantProblem(t, w.ask("GET", "/v1/events", ""), 503, "too_many_streams")
		if err := w.api.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		if got := <-ended; got != ": open\n\n" {
			t.Errorf("the stream: %q", got)
		}
		wantProblem(t, w.ask("GET", "/v1/events", ""), 503, "draining")
	})
}

// A server's time limit for reading a request does not end a stream.
func TestStreamOutlivesTheReadTimeout(t *testing.T) {
	w := newFixture(t)
	server := httptest.NewUnstartedServer(watched(w.api))
	server.Config.ReadTimeout = 20 * time.Millisecond
	server.Start()
	defer server.Close()
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Test-User", "ann")
	res, err := http.DefaultClient.Do(req)
	for tries := 0; err != nil && tries < 100; tries++ { // on a busy machine the request itself may be read too late
		res, err = http.DefaultClient.Do(req)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	for n, begun := 0, time.Now(); time.Since(begun) < 10*server.Config.ReadTimeout; n++ {
		w.recent.Record(telemetry.Event{UserID: "ann", SessionID: fmt.Sprint("s", n), Payload: telemetry.Job{Kind: "embed", Attempt: 1, Outcome: "done"}})
		for !strings.Contains(lines.Text(), fmt.Sprintf(`"s%d"`, n)) {
			if !lines.Scan() {
				t.Fatalf("the stream ended after %s: %v", time.Since(begun), lines.Err())
			}
		}
	}
}

// A client that streams a turn which takes its time sees that somebody is at work; what goes
// wrong then is an event.
func TestStreamOfASlowTurn(t *testing.T) {
	cases := []struct {
		name  string
		takes time.Duration
		err   error
		want  string // beginning of what is sent
		beats int
	}{
		{"quick", 900 * time.Millisecond, nil, "event: reply\ndata: hi\n\nevent: done\n", 0},
		{"slow", 20 * time.Second, nil, ": working\n\n: working\n\nevent: reply\ndata: hi\n\nevent: done\n", 2},
		{"slow and wrong", 5 * time.Second, router.ErrBusy, ": working\n\nevent: error\ndata: {\"type\":\"urn:slotway:problem:busy\",", 1},
		{"slow and late", 5 * time.Second, &router.StaleTurnError{Newest: 4}, ": working\n\nevent: error\ndata: {\"type\":\"urn:slotway:problem:moved_on\",", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := New(handlerFunc(func(ctx context.Context, in router.Interaction) (router.Reply, error) {
					time.Sleep(c.takes) // on the bubble's clock
					reply, _ := echo(ctx, in)
					return reply, c.err
				}), nil)
				res := post(api, `{"message":"hi","conversation_id":"c","stream":true}`)
				body := string(readAll(t, res))
				if res.StatusCode != http.StatusOK || res.Header.Get("X-Conversation-Id") != "c" || !strings.HasPrefix(body, c.want) {
					t.Errorf("status %d:\n%s", res.StatusCode, body)
				}
				if n := strings.Count(body, ": working"); n != c.beats {
					t.Errorf("%d comments, want %d", n, c.beats)
				}
			})
		})
	}
}

// What goes wrong before a client was shown anything has its status.
func TestStreamOfATurnThatFailsAtOnce(t *testing.T) {
	api := New(handlerFunc(func(context.Context, router.Interaction) (router.Reply, error) {
		return router.Reply{}, router.ErrBusy
	}), nil)
	wantProblem(t, post(api, `{"message":"hi","stream":true}`), 429, "busy")
	broken := New(handlerFunc(func(context.Context, router.Interaction) (router.Reply, error) { panic(secret) }), nil)
	wantProblem(t, post(broken, `{"message":"hi","stream":true}`), 500, "internal")
}

// Drafts come as they are made, each an event; what is void is taken back; the reply closes them,
// and is all that a client needs which reads only the end.
func TestStreamOfDrafts(t *testing.T) {
	cases := []struct {
		name   string
		drafts []router.Draft // one a second; a part of "" takes a second alone
		err    error
		want   string // beginning of what is sent
	}{
		{"as they come", []router.Draft{{Text: "h"}, {Text: " i\r\n"}}, nil, "event: draft\ndata: h\n\nevent: draft\ndata:  i\ndata: \n\nevent: reply\ndata: hi\n\nevent: done\n"},
		{"void", []router.Draft{{Text: "no"}, {Void: true}, {Text: "hi"}}, nil, "event: draft\ndata: no\n\nevent: void\ndata: void\n\nevent: draft\ndata: hi\n\nevent: reply\ndata: hi\n\n"},
		{"void before anything", []router.Draft{{Void: true}}, nil, "event: reply\ndata: hi\n\n"},
		{"wrong in the end", []router.Draft{{Text: "no"}}, router.ErrBusy, "event: draft\ndata: no\n\nevent: error\ndata: {\"type\":\"urn:slotway:problem:busy\","},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := New(handlerFunc(func(ctx context.Context, in router.Interaction) (router.Reply, error) {
					for _, d := range c.drafts {
						in.Draft(d)
						time.Sleep(time.Second / 2) // on the bubble's clock
					}
					reply, _ := echo(ctx, in)
					return reply, c.err
				}), nil)
				res := post(api, `{"message":"hi","conversation_id":"c","stream":true}`)
				if body := string(readAll(t, res)); !strings.HasPrefix(body, c.want) {
					t.Errorf("status %d:\n%q, want\n%q", res.StatusCode, body, c.want)
				}
			})
		})
	}
	plain := New(handlerFunc(func(ctx context.Context, in router.Interaction) (router.Reply, error) {
		if in.Draft != nil {
			t.Error("a client that asked for no stream is drafted for")
		}
		return echo(ctx, in)
	}), nil)
	post(plain, `{"message":"hi"}`)
}

// A client that is too slow for drafts does not hold up the turn: they come together.
func TestDraftsDoNotWaitForTheClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &slowWriter{ResponseRecorder: httptest.NewRecorder(), takes: time.Minute}
		begun := time.Now()
		var took time.Duration
		StreamTurn(t.Context(), slow, func(draft func(router.Draft)) (string, any, error) {
			for range 1000 {
				draft(router.Draft{Text: "w "})
				time.Sleep(time.Millisecond)
			}
			took = time.Since(begun)
			return "all", chatReply{}, nil
		})
		if took != time.Second {
			t.Errorf("the turn took %s, want 1s", took)
		}
		body := slow.Body.String()
		if n := strings.Count(body, "event: draft"); n == 0 || n > 2 || !strings.Contains(body, "event: reply\ndata: all\n\n") {
			t.Errorf("%d drafts and then\n%s", n, body[max(0, len(body)-200):])
		}
	})
}

// slowWriter takes its time for every write.
type slowWriter struct {
	*httptest.ResponseRecorder
	takes time.Duration
}

func (w *slowWriter) Write(p []byte) (int, error) {
	time.Sleep(w.takes)
	return w.ResponseRecorder.Write(p)
}
