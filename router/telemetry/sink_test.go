package telemetry

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var noon = time.Date(2026, 3, 1, 13, 0, 0, 120_000_000, time.FixedZone("CET", 3600))

func event(p Payload) Event {
	return Event{
		Time: noon, Stage: p.stage(), SessionID: "s-1", Turn: 2, InteractionID: "i-1",
		Duration: 1500 * time.Microsecond, Payload: p,
	}
}

func lineOf(t *testing.T, e Event) string {
	t.Helper()
	var out bytes.Buffer
	NewLog(&out, LevelDebug).Record(e)
	return out.String()
}

func TestLogLines(t *testing.T) {
	head := func(stage string) string {
		return `{"level":"info","time":"2026-03-01T12:00:00.120000Z","stage":"` + stage +
			`","session_id":"s-1","turn":2,"interaction_id":"i-1","duration_us":1500,"payload":`
	}
	tests := []struct {
		payload Payload
		want    string
	}{
		{payloads[StageReceived], `{"memory":{"history_count":4,"params_keys":["city","order_id"]},"waiting_for_param":"order_id","text_length":12,"replayed":true,"settling":1,"hand_over":"held"}`},
		{Received{}, `{"memory":{"history_count":0,"params_keys":[]},"waiting_for_param":null,"text_length":0,"replayed":false,"settling":0}`},
		{payloads[StageClassify], `{"intent":"order_status","confidence":0.93,"exact":true,"lead":"affirm","tier":"linear","fallback":"timeout","ranking":[{"intent":"order_status","confidence":0.93},{"intent":"cancel_order","confidence":0.04}],"params":[{"param":"order_id","source":"pattern","start":5,"end":12}],"chosen":[{"rule":"answer","intent":"order_status","score":0.91,"evidence":0.95,"share":0.8,"spans":[{"start":0,"end":4},{"start":5,"end":12}]}],"runners_up":[{"rule":"another task","intent":null,"score":-0.2,"evidence":0,"share":0,"spans":[]}],"unheard":1}`},
		{Classify{Confidence: math.NaN(), Ranking: []Ranked{{"a", math.Inf(1)}, {"b", -1}}}, `{"intent":null,"confidence":0,"exact":false,"lead":null,"tier":"","ranking":[{"intent":"a","confidence":1},{"intent":"b","confidence":0}],"params":[],"chosen":[],"runners_up":[],"unheard":0}`},
		{Classify{Params: []FoundParam{{Source: "option", End: 5}}}, `{"intent":null,"confidence":0,"exact":false,"lead":null,"tier":"","ranking":[],"params":[{"param":null,"source":"option","start":0,"end":5}],"chosen":[],"runners_up":[],"unheard":0}`},
		{
			Classify{Chosen: []Reading{{Rule: "yes", Score: math.Inf(-1), Evidence: math.NaN(), Share: 2, Spans: []Span{{0, 3}}}}, Unheard: 2},
			`{"intent":null,"confidence":0,"exact":false,"lead":null,"tier":"","ranking":[],"params":[],"chosen":[{"rule":"yes","intent":null,"score":0,"evidence":0,"share":1,"spans":[{"start":0,"end":3}]}],"runners_up":[],"unheard":2}`,
		},
		{payloads[StagePlan], `{"step":"call","step_id":"call_get_order","intent":"order_status","depth":1}`},
		{payloads[StageAskUser], `{"param":"order_id","kind":"ask","attempt":2,"waiting_for_param":"order_id"}`},
		{payloads[StageConfirm], `{"tool":"cancel_order","step_id":"sure","attempt":1}`},
		{payloads[StageToolCall], `{"tool":"get_order","effect":"read","status":"error","error_code":"not_found","attempts":3,"journalled":true}`},
		{ToolCall{Tool: "a", Effect: "write", Status: "error", ErrorCode: "no jane@example.org here"}, `{"tool":"a","effect":"write","status":"error","error_code":"other","attempts":0,"journalled":false}`},
		{payloads[StageRespond], `{"memory":{"history_count":6,"params_keys":["order_id"]},"waiting_for_param":"city","outcome":"waiting","response":["order_found"],"handoff":true,"steps":3,"reply_length":40}`},
		{payloads[StageError], `{"code":"timeout","stage":"summary","message":"no answer for [redacted]"}`},
		{Failure{Code: strings.Repeat("x", 65), Stage: "a"}, `{"code":"other","stage":"a","message":""}`},
		{Failure{Stage: "a"}, `{"code":"other","stage":"a","message":""}`},
		{payloads[StageJob], `{"kind":"summarize","attempt":1,"outcome":"done"}`},
	}
	for _, test := range tests {
		want := head(string(test.payload.stage())) + test.want + "}\n"
		if diff := cmp.Diff(want, lineOf(t, event(test.payload))); diff != "" {
			t.Errorf("line of %+v (-want +got):\n%s", test.payload, diff)
		}
	}
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("telemetry.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("telemetry.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLinesFitTheSchema(t *testing.T) {
	s := compiled(t)
	events := []Event{
		event(Received{}), event(Respond{Outcome: "responded"}), event(Failure{Stage: "call"}),
		event(Classify{Confidence: math.NaN()}),
		{Stage: StageJob, Payload: payloads[StageJob], Level: LevelError, Duration: -1},
	}
	for _, p := range payloads {
		events = append(events, event(p), Event{Payload: p})
	}
	for _, e := range events {
		text := lineOf(t, e)
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatalf("line %s: %v", text, err)
		}
		if err := s.Validate(doc); err != nil {
			t.Errorf("line %s: %v", text, err)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	s := compiled(t)
	good := strings.TrimSpace(lineOf(t, event(payloads[StageReceived])))
	tests := []struct{ name, old, changed string }{
		{"a field more", `"turn":2`, `"turn":2,"text":"hello"`},
		{"a payload field more", `"text_length":12`, `"text_length":12,"text":"hello"`},
		{"a field less", `"waiting_for_param":"order_id",`, ``},
		{"another stage's payload", `"stage":"received"`, `"stage":"plan"`},
		{"an unknown stage", `"stage":"received"`, `"stage":"thinking"`},
		{"a value for a name", `["city","order_id"]`, `{"city":"Bonn"}`},
		{"a local time", `120000Z`, `120000+01:00`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(good, test.old, test.changed, 1)
			if text == good {
				t.Fatal("the line did not change")
			}
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if s.Validate(doc) == nil {
				t.Errorf("the schema accepts %s", text)
			}
		})
	}
}

// chunks fails the test when a write is anything but one line.
type chunks struct {
	t *testing.T
	n int
}

func (c *chunks) Write(p []byte) (int, error) {
	c.n++
	if bytes.Count(p, []byte("\n")) != 1 || p[len(p)-1] != '\n' || !json.Valid(p) {
		c.t.Errorf("one write is not one line: %q", p)
	}
	return len(p), nil
}

func TestLogWritesWholeLinesFromManyGoroutines(t *testing.T) {
	out := &chunks{t: t}
	log := NewLog(out, LevelInfo)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				for _, p := range payloads {
					log.Record(event(p))
				}
			}
		})
	}
	all.Wait()
	if want := 8 * 50 * len(payloads); out.n != want {
		t.Errorf("%d lines, want %d", out.n, want)
	}
}

// An id comes from outside: a line shows what it is made of, and means the same.
func TestLogLinesArePrintable(t *testing.T) {
	e := event(Received{})
	e.SessionID, e.InteractionID = "a\u009b31mb\u202ec", "\x1b[2J\u2028\u2066\x7f"
	line := lineOf(t, e)
	if !strings.Contains(line, `"a\u009b31mb\u202ec"`) || !strings.Contains(line, `"\u001b[2J\u2028\u2066\u007f"`) {
		t.Error(line)
	}
	var got struct {
		Session string `json:"session_id"`
		ID      string `json:"interaction_id"`
	}
	if err := json.Unmarshal([]byte(line), &got); err != nil || got.Session != e.SessionID || got.ID != e.InteractionID {
		t.Errorf("it is read as %+v, %v", got, err)
	}
}

func TestLogLeavesOutLowerLevels(t *testing.T) {
	var out bytes.Buffer
	log := NewLog(&out, LevelWarn)
	for _, level := range []Level{LevelDebug, LevelInfo, LevelWarn, LevelError} {
		log.Record(Event{Level: level, Payload: Job{}})
	}
	if got := strings.Count(out.String(), "\n"); got != 2 {
		t.Errorf("%d lines, want 2:\n%s", got, out.String())
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestLogCountsLostLines(t *testing.T) {
	log := NewLog(full{}, LevelInfo)
	log.Record(event(Job{}))
	log.Record(event(Job{}))
	if log.Lost() != 2 {
		t.Errorf("Lost() = %d, want 2", log.Lost())
	}
}

func TestLinesDoNotObeyZerologGlobals(t *testing.T) {
	want := lineOf(t, event(payloads[StagePlan]))
	level, field, form := zerolog.GlobalLevel(), zerolog.LevelFieldName, zerolog.TimeFieldFormat
	defer func() {
		zerolog.SetGlobalLevel(level)
		zerolog.LevelFieldName, zerolog.TimeFieldFormat = field, form
	}()
	zerolog.SetGlobalLevel(zerolog.FatalLevel)
	zerolog.LevelFieldName, zerolog.TimeFieldFormat = "severity", zerolog.TimeFormatUnix
	if diff := cmp.Diff(want, lineOf(t, event(payloads[StagePlan]))); diff != "" {
		t.Errorf("line (-want +got):\n%s", diff)
	}
}

func TestMultiAndRecorder(t *testing.T) {
	var a, b Recorder
	sink := Multi(nil, &a, Discard, &b)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { sink.Record(event(Job{Kind: "index"})) })
	}
	all.Wait()
	if len(a.Events()) != 4 || len(b.Events()) != 4 {
		t.Errorf("%d and %d events, want 4 each", len(a.Events()), len(b.Events()))
	}
	a.Events()[0].SessionID = "changed"
	if got := a.Events()[0].SessionID; got != "s-1" {
		t.Errorf("SessionID = %q: Events hands out the recorder's own slice", got)
	}
	a.Reset()
	if len(a.Events()) != 0 {
		t.Error("Reset keeps events")
	}
	if Multi() != Discard || Multi(&a) != Sink(&a) {
		t.Error("Multi of none and of one wrap without need")
	}
	Multi().Record(Event{})
}

func BenchmarkLogReceived(b *testing.B) { benchmarkLog(b, payloads[StageReceived]) }
func BenchmarkLogClassify(b *testing.B) { benchmarkLog(b, payloads[StageClassify]) }
func BenchmarkLogToolCall(b *testing.B) { benchmarkLog(b, payloads[StageToolCall]) }

func benchmarkLog(b *testing.B, p Payload) {
	log, e := NewLog(io.Discard, LevelInfo), event(p)
	b.ReportAllocs()
	for b.Loop() {
		log.Record(e)
	}
}
