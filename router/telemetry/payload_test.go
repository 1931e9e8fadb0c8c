package telemetry

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// payloads has one filled payload per stage.
var payloads = map[Stage]Payload{
	StageReceived: Received{
		Memory: Memory{HistoryCount: 4, ParamsKeys: []string{"city", "order_id"}}, WaitingForParam: "order_id",
		TextLength: 12, Replayed: true, Recovering: 1, HandOver: "held",
	},
	StageClassify: Classify{
		Intent: "order_status", Confidence: 0.93, Exact: true, Lead: "affirm", Tier: "linear", Fallback: "timeout",
		Ranking:   []Ranked{{"order_status", 0.93}, {"cancel_order", 0.04}},
		Params:    []FoundParam{{Param: "order_id", Source: "pattern", Start: 5, End: 12}},
		Chosen:    []Reading{{Rule: "answer", Intent: "order_status", Score: 0.91, Evidence: 0.95, Share: 0.8, Spans: []Span{{0, 4}, {5, 12}}}},
		RunnersUp: []Reading{{Rule: "another task", Score: -0.2}}, Unheard: 1,
	},
	StagePlan:    Plan{Step: "call", StepID: "call_get_order", Intent: "order_status", Depth: 1},
	StageAskUser: AskUser{Param: "order_id", Kind: "ask", Attempt: 2, WaitingForParam: "order_id"},
	StageConfirm: Confirm{Tool: "cancel_order", StepID: "sure", Attempt: 1},
	StageToolCall: ToolCall{
		Tool: "get_order", Effect: "read", Status: "error", ErrorCode: "not_found", Attempts: 3, Journalled: true,
	},
	StageRespond: Respond{
		Memory: Memory{HistoryCount: 6, ParamsKeys: []string{"order_id"}}, WaitingForParam: "city", Outcome: "waiting",
		Response: []string{"order_found"}, Handoff: true, Steps: 3, ReplyLength: 40,
	},
	StageError: Failure{Code: "timeout", Stage: "summary", Message: Scrub("no answer for O-12345", []string{"O-12345"})},
	StageJob:   Job{Kind: "summarize", Attempt: 1, Outcome: "done"},
}

func TestEveryStageHasItsPayload(t *testing.T) {
	got := slices.Collect(maps.Keys(payloads))
	slices.Sort(got)
	want := slices.Sorted(slices.Values(Stages))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stages (-Stages +payloads):\n%s", diff)
	}
	for stage, p := range payloads {
		if p.stage() != stage {
			t.Errorf("%T.stage() = %q, want %q", p, p.stage(), stage)
		}
	}
}

// nameFields are the only fields of payloads that may be strings: each holds a name from the
// agent's definition, or a word of a closed set. Before you add one, ask who fills it.
var nameFields = []string{
	"Memory.ParamsKeys",
	"Received.WaitingForParam", "Received.HandOver",
	"Classify.Intent", "Classify.Lead", "Classify.Tier", "Classify.Fallback",
	"Ranked.Intent",
	"FoundParam.Param", "FoundParam.Source",
	"Reading.Rule", "Reading.Intent",
	"Plan.Step", "Plan.StepID", "Plan.Intent",
	"AskUser.Param", "AskUser.Kind", "AskUser.WaitingForParam",
	"Confirm.Tool", "Confirm.StepID",
	"ToolCall.Tool", "ToolCall.Effect", "ToolCall.Status", "ToolCall.ErrorCode",
	"Respond.WaitingForParam", "Respond.Outcome", "Respond.Response",
	"Failure.Code", "Failure.Stage",
	"Job.Kind", "Job.Outcome",
}

func TestNoPayloadCanHoldText(t *testing.T) {
	used := make(map[string]bool)
	for _, p := range payloads {
		for _, problem := range textFields(reflect.TypeOf(p), nameFields, used) {
			t.Error(problem)
		}
	}
	for _, name := range nameFields {
		if !used[name] {
			t.Errorf("nameFields has %s, which no payload has", name)
		}
	}
}

// textFields lists the fields, at any depth, that could hold arbitrary text.
func textFields(typ reflect.Type, names []string, used map[string]bool) []string {
	var problems []string
	for field := range typ.Fields() {
		name := typ.Name() + "." + field.Name
		kind := field.Type
		if kind.Kind() == reflect.Slice {
			kind = kind.Elem()
		}
		switch kind.Kind() {
		case reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64:
		case reflect.String:
			used[name] = true
			if !slices.Contains(names, name) {
				problems = append(problems, name+" is a text that no list allows")
			}
		case reflect.Struct:
			if kind != reflect.TypeFor[Scrubbed]() {
				problems = append(problems, textFields(kind, names, used)...)
			}
		default:
			problems = append(problems, fmt.Sprintf("%s is a %s, which may hold anything", name, field.Type))
		}
	}
	return problems
}

func TestTextFieldsFindsText(t *testing.T) {
	type inner struct{ Value string }
	type bad struct {
		Intent string
		Text   string
		Any    any
		Map    map[string]int
		Raw    []byte
		Err    error
		Ptr    *string
		Deep   []inner
		Fine   time.Duration
		Also   Scrubbed
		Texts  []string
	}
	got := textFields(reflect.TypeFor[bad](), []string{"bad.Intent"}, map[string]bool{})
	want := []string{
		"bad.Text is a text that no list allows",
		"bad.Any is a interface {}, which may hold anything",
		"bad.Map is a map[string]int, which may hold anything",
		"bad.Raw is a []uint8, which may hold anything",
		"bad.Err is a error, which may hold anything",
		"bad.Ptr is a *string, which may hold anything",
		"inner.Value is a text that no list allows",
		"bad.Texts is a text that no list allows",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("textFields (-want +got):\n%s", diff)
	}
}

func TestNewMemory(t *testing.T) {
	got := NewMemory(3, map[string]any{"zip": "1", "city": nil, "age": 4.0})
	want := Memory{HistoryCount: 3, ParamsKeys: []string{"age", "zip"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("NewMemory (-want +got):\n%s", diff)
	}
}

func TestLevels(t *testing.T) {
	for _, level := range []Level{LevelDebug, LevelInfo, LevelWarn, LevelError} {
		if got, ok := ParseLevel(level.String()); got != level || !ok {
			t.Errorf("ParseLevel(%q) = %v, %v", level.String(), got, ok)
		}
	}
	if got := Level(100).String() + Level(-100).String(); got != "errordebug" {
		t.Errorf("levels beyond the ends are %q", got)
	}
	if _, ok := ParseLevel("loud"); ok {
		t.Error("ParseLevel accepts loud")
	}
}
