package traces

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/router/telemetry"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// play records payloads as the events of one turn, a second each.
func play(t *Traces, interaction, parent string, payloads ...telemetry.Payload) {
	for i, p := range payloads {
		e := telemetry.Event{
			Time: noon.Add(time.Duration(i+1) * time.Second), Duration: time.Second, Turn: 3,
			UserID: "ana", SessionID: "s-1", InteractionID: interaction, TraceParent: parent, Payload: p,
		}
		if i == len(payloads)-1 {
			e.Path = []string{"received", "responded"}
		}
		t.Record(e)
	}
}

func open(t *testing.T, opts Options) *Traces {
	t.Helper()
	traces, err := New(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return traces
}

func closed(t *testing.T, traces *Traces) {
	t.Helper()
	if err := traces.Close(t.Context()); err != nil {
		t.Errorf("Close: %v", err)
	}
}

func TestTurnsBecomeSpans(t *testing.T) {
	f := newFake(t)
	traces := open(t, Options{Endpoint: f.URL, Version: "v1", AgentID: "shop", AgentName: "Shop"})
	play(
		traces, "i-1", parent, telemetry.Received{Memory: telemetry.Memory{HistoryCount: 4}, TextLength: 12},
		telemetry.Classify{Intent: "order_status", Confidence: 0.5, Tier: "linear", Params: []telemetry.FoundParam{{Param: "order_id"}}, Chosen: []telemetry.Reading{{Rule: "answer"}}, Unheard: 1},
		telemetry.Plan{Step: "call", StepID: "find", Intent: "order_status"},
		telemetry.ToolCall{Tool: "get_order", Effect: "read", Status: "error", ErrorCode: "not_found", Attempts: 2},
		telemetry.AskUser{Param: "order_id", Kind: "ask", Attempt: 1},
		telemetry.Respond{Outcome: "waiting", WaitingForParam: "order_id", Steps: 2, Response: []string{"a", "b"}},
	)
	play(traces, "i-2", "", telemetry.Received{}, telemetry.Failure{Code: "store", Stage: "received", Message: telemetry.Scrub("no room for jane", nil)})
	play(traces, "i-3", "no parent at all", telemetry.Received{Replayed: true})
	traces.Record(telemetry.Event{Time: noon, Duration: time.Second, SessionID: "s-1", Level: telemetry.LevelWarn, Payload: telemetry.Job{Kind: "index", Attempt: 2, Outcome: "timeout"}})
	traces.Record(telemetry.Event{Time: noon, Payload: telemetry.Failure{Code: "panic", Stage: "httpapi"}}) // of no turn
	closed(t, traces)
	closed(t, traces)
	const turn = "gen_ai.operation.name=invoke_agent gen_ai.provider.name=slotway gen_ai.conversation.id=s-1 slotway.turn=3" +
		" slotway.path=received,responded gen_ai.agent.id=shop gen_ai.agent.name=Shop slotway.interaction_id="
	want := `invoke_agent Shop 0s+6s ` + turn + `i-1 slotway.intent=order_status slotway.outcome=waiting slotway.waiting_for_param=order_id
  received 0s+1s slotway.history_count=4 slotway.text_length=12
  classify 1s+1s slotway.intent=order_status slotway.tier=linear slotway.confidence=0.5 slotway.params=1 slotway.unheard=1 slotway.rule=answer
  plan 2s+1s slotway.step=call slotway.step_id=find slotway.intent=order_status
  execute_tool get_order 3s+1s gen_ai.operation.name=execute_tool gen_ai.tool.name=get_order slotway.attempts=2 slotway.effect=read slotway.status=error error.type=not_found status=2:not_found
  ask_user 4s+1s slotway.param=order_id slotway.kind=ask slotway.attempt=1
  respond 5s+1s slotway.outcome=waiting slotway.response=a,b slotway.steps=2
invoke_agent Shop 0s+2s ` + turn + `i-2 error.type=store status=2:store
  received 0s+1s slotway.history_count=0 slotway.text_length=0
  error 1s+1s slotway.stage=received error.type=store status=2:store
invoke_agent Shop 0s+1s ` + turn + `i-3 slotway.replayed=true
  received 0s+1s slotway.history_count=0 slotway.text_length=0
job index -1s+1s slotway.attempt=2 slotway.kind=index slotway.outcome=timeout gen_ai.conversation.id=s-1 error.type=timeout status=2:timeout
`
	if diff := cmp.Diff(want, f.told()); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
	if got := fmt.Sprintf("%x %x", f.spans[6].TraceId, f.spans[6].ParentSpanId); !strings.Contains(parent, strings.ReplaceAll(got, " ", "-")) {
		t.Errorf("the turn of a request with a parent has %s", got)
	}
	var about []string
	for _, a := range f.resource {
		about = append(about, a.Key+"="+value(a.Value))
	}
	if diff := cmp.Diff([]string{"service.name=slotway", "service.version=v1"}, about); diff != "" {
		t.Errorf("resource (-want +got):\n%s", diff)
	}
	if traces.Lost() != 0 || traces.sender.waiting.Load() != 0 {
		t.Errorf("%d lost, %d waiting", traces.Lost(), traces.sender.waiting.Load())
	}
	traces.Record(telemetry.Event{InteractionID: "late", Payload: telemetry.Received{}, Path: []string{"idle"}})
}

// TestACallerWhoDoesNotSample is obeyed.
func TestACallerWhoDoesNotSample(t *testing.T) {
	f := newFake(t)
	traces := open(t, Options{Endpoint: f.URL})
	play(traces, "i", strings.TrimSuffix(parent, "01")+"00", telemetry.Received{}, telemetry.Respond{})
	closed(t, traces)
	if got := f.told(); got != "" || traces.sender.waiting.Load() != 0 {
		t.Errorf("told:\n%s", got)
	}
}

// TestSpansHoldNoValue says a secret wherever an event can hold any text.
func TestSpansHoldNoValue(t *testing.T) {
	const canary = "jane@example.org"
	f := newFake(t)
	traces := open(t, Options{Endpoint: f.URL, AgentID: "shop"})
	play(
		traces, "i", canary, telemetry.Received{}, telemetry.Classify{Intent: "a", Fallback: canary},
		telemetry.ToolCall{Tool: "get_order", Status: "error", ErrorCode: "no " + canary},
		telemetry.Failure{Code: canary, Stage: "call", Message: telemetry.Scrub("about "+canary, nil)},
	)
	traces.Record(telemetry.Event{Level: telemetry.LevelError, Payload: telemetry.Job{Kind: "index", Outcome: canary}})
	closed(t, traces)
	if len(f.spans) != 6 {
		t.Errorf("%d spans", len(f.spans))
	}
	if strings.Contains(string(f.raw), "jane") {
		t.Errorf("a span holds the canary:\n%s", f.told())
	}
}

func TestEndpoint(t *testing.T) {
	for endpoint, want := range map[string]string{
		"http://127.0.0.1:4318":        "http://127.0.0.1:4318/v1/traces",
		"http://127.0.0.1:4318/":       "http://127.0.0.1:4318/v1/traces",
		"https://otel.test/in/traces":  "https://otel.test/in/traces",
		"":                             "",
		"127.0.0.1:4318":               "",
		"localhost:4318":               "",
		"ftp://otel.test":              "",
		"http://":                      "",
		"http://otel.test?key=s3cret":  "",
		"http://me:s3cret@otel.test":   "",
		"http://me:s3cret@otel.test:x": "",
	} {
		got, err := tracesURL(endpoint)
		if got != want || (want == "") != errors.Is(err, errEndpoint) {
			t.Errorf("tracesURL(%q) = %q, %v; want %q", endpoint, got, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("the error tells the secret: %v", err)
		}
	}
	if _, err := New(t.Context(), Options{}); !errors.Is(err, errEndpoint) {
		t.Errorf("New without an endpoint: %v", err)
	}
}

// TestTheEnvironmentDoesNotSurprise sets what the OpenTelemetry libraries obey by themselves.
func TestTheEnvironmentDoesNotSurprise(t *testing.T) {
	f, wrong := newFake(t), newFake(t)
	authority := filepath.Join(t.TempDir(), "ca.pem")
	secure := httptest.NewTLSServer(nil)
	defer secure.Close()
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
	if err := os.WriteFile(authority, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": wrong.URL, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": wrong.URL + "/wrong",
		"OTEL_EXPORTER_OTLP_INSECURE": "false", "OTEL_EXPORTER_OTLP_COMPRESSION": "none", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json",
		"OTEL_EXPORTER_OTLP_TIMEOUT": "1", "OTEL_EXPORTER_OTLP_CERTIFICATE": authority, "OTEL_TRACES_SAMPLER": "always_off", "OTEL_BSP_MAX_QUEUE_SIZE": "1",
		"OTEL_BSP_SCHEDULE_DELAY": "3600000", "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT": "1", "OTEL_SDK_DISABLED": "true",
		"OTEL_SERVICE_NAME": "wrong", "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=test",
		"OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20key",
	} {
		t.Setenv(name, v)
	}
	traces := open(t, Options{Endpoint: f.URL, AgentID: "shop"})
	play(traces, "i", "", telemetry.Received{}, telemetry.Respond{})
	closed(t, traces)
	if len(wrong.spans) > 0 || len(f.spans) != 3 || f.paths[0] != "/v1/traces" {
		t.Errorf("%d spans to the right collector, at %v, %d to the wrong one", len(f.spans), f.paths, len(wrong.spans))
	}
	if got := f.headers.Get("Authorization"); got != "Bearer key" {
		t.Errorf("Authorization: %q", got)
	}
	var about []string
	for _, a := range f.resource {
		about = append(about, a.Key+"="+value(a.Value))
	}
	if diff := cmp.Diff([]string{"deployment.environment.name=test", "service.name=slotway"}, about); diff != "" {
		t.Errorf("resource (-want +got):\n%s", diff)
	}
}

// TestACollectorThatHangs must neither hold up a turn nor let spans pile up.
func TestACollectorThatHangs(t *testing.T) {
	release := make(chan struct{})
	asked := make(chan struct{}, 1000)
	hung := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	var failed telemetry.Recorder
	before := runtime.NumGoroutine()
	traces := open(t, Options{Endpoint: hung.URL, Queue: 100, Timeout: time.Minute, Interval: time.Millisecond, Failed: &failed})
	play(traces, "first", "", telemetry.Received{}, telemetry.Respond{})
	<-asked // from here on nothing is ever sent
	for i := range 5000 {
		play(traces, fmt.Sprint(i), "", telemetry.Received{}, telemetry.Respond{})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := traces.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Close: %v", err)
	}
	if got := traces.sender.waiting.Load(); got != 0 {
		t.Errorf("%d spans wait after Close", got)
	}
	// A turn that is turned away before it becomes spans counts its two events.
	if lost := traces.Lost(); lost < 5000*2 || lost > 5001*3 {
		t.Errorf("%d spans lost", lost)
	}
	events := failed.Events()
	if len(events) != 1 {
		t.Fatalf("%d failures told", len(events))
	}
	if p := events[0].Payload.(telemetry.Failure); p.Code != "export_failed" || !strings.Contains(p.Message.String(), "spans are lost") {
		t.Errorf("told %+v", p)
	}
	close(release)
	hung.Close()
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond) // connections take a moment to notice that they are closed
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// TestWhatWaitsIsBounded looks at every bound without a collector that answers.
func TestWhatWaitsIsBounded(t *testing.T) {
	traces := open(t, Options{Endpoint: "http://127.0.0.1:9", Queue: 10, Interval: time.Hour})
	for i := range 3 * maxOpen {
		traces.Record(telemetry.Event{InteractionID: fmt.Sprint(i), Payload: telemetry.Received{}})
	}
	for range 3 * maxEvents {
		traces.Record(telemetry.Event{InteractionID: "long", Payload: telemetry.Plan{}})
	}
	traces.mu.Lock()
	if n, long := len(traces.open), len(traces.open[turnID{interaction: "long"}]); n > maxOpen || long != maxEvents {
		t.Errorf("%d turns are open, one with %d events", n, long)
	}
	traces.mu.Unlock()
	for i := range 100 {
		play(traces, fmt.Sprint("turn", i), "", telemetry.Received{}, telemetry.Respond{})
		if n := traces.sender.waiting.Load(); n > 10 {
			t.Fatalf("%d spans wait", n)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = traces.Close(ctx) // nobody is there
	if traces.Lost() == 0 {
		t.Error("nothing is lost")
	}
}

func BenchmarkRecord(b *testing.B) {
	traces, err := New(b.Context(), Options{Endpoint: "http://127.0.0.1:9", Queue: 64})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		play(traces, "i", "", telemetry.Received{}, telemetry.Classify{}, telemetry.Plan{}, telemetry.Respond{})
	}
	b.StopTimer()
	ctx, cancel := context.WithCancel(b.Context())
	cancel()
	_ = traces.Close(ctx)
}
