package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
)

// bots are made up for these tests.
const bots = "testdata/bots"

// load converts a made-up bot and reads the agent that comes of it.
func load(t *testing.T, key string) (*bot, *config.Agent) {
	t.Helper()
	b, _, err := convert(bots, key)
	if err != nil {
		t.Fatal(err)
	}
	agent, err := b.load(t.TempDir())
	if err != nil {
		t.Fatalf("the converted agent is refused: %v\n%+v", err, b.file())
	}
	return b, agent
}

func TestConvertSGD(t *testing.T) {
	_, agent := load(t, "sgd_boats_1")
	for _, c := range []struct {
		param, kind string
		scope       config.Scope
	}{
		{"harbor", "location", config.ScopePlan},
		{"rental_day", "date", config.ScopeSession},
		{"seats", "integer", config.ScopeSession},
		{"deck", "deck", config.ScopePlan},
		{"boat_name", "text", config.ScopeSession}, // a result of one intent, required by the other
	} {
		p := agent.Params[c.param]
		if p == nil || p.Type.Name != c.kind || p.Scope != c.scope {
			t.Errorf("param %s = %+v, want type %s and scope %s", c.param, p, c.kind, c.scope)
		}
	}
	if f := agent.Params["deck"].Type.Fuzzy; f != 0 {
		t.Errorf("deck tolerates %d typos, want none beside mined synonyms", f)
	}
	if agent.Params["deposit"] != nil {
		t.Error("a slot that only results have became a param")
	}
	find, hire := agent.Intent("find_boat"), agent.Intent("hire_boat")
	if got := names(hire.Required); !slices.Equal(got, []string{"boat_name", "rental_day", "seats"}) {
		t.Errorf("hire_boat requires %v, want the schema's order", got)
	}
	if p := find.Param("seats"); p == nil || p.Default != 2.0 {
		t.Errorf("seats of find_boat = %+v, want the schema's default", p)
	}
	if p := find.Param("deck"); p == nil || p.Default != nil {
		t.Errorf("deck of find_boat = %+v, want no default for what stands for anything", p)
	}
	if got, want := kinds(hire.Plan), "confirm call respond"; got != want {
		t.Errorf("plan of hire_boat = %s, want %s", got, want)
	}
	if got, want := kinds(find.Plan), "call respond"; got != want {
		t.Errorf("plan of find_boat = %s, want %s", got, want)
	}
	if e := agent.Tools["hire_boat"].Effect; e != config.EffectWrite {
		t.Errorf("effect of hire_boat = %s, want write", e)
	}
	if e := agent.Tools["find_boat"].Effect; e != config.EffectRead {
		t.Errorf("effect of find_boat = %s, want read", e)
	}
	if !agent.Intent("boats_1_details").AnswerOnly {
		t.Error("questions about results are no answer in passing")
	}
}

// Replies to questions teach values, never the intent; courtesies go to the built-in ones.
func TestConvertSGDExamples(t *testing.T) {
	b, _ := load(t, "sgd_boats_1")
	for _, e := range b.intent("find_boat").examples {
		if strings.HasPrefix(e.text, "In ") && e.asked != "harbor" {
			t.Errorf("example %q has asked %q, want harbor", e.text, e.asked)
		}
	}
	var got []string
	for _, e := range b.system["affirm"] {
		got = append(got, e.text)
	}
	if !slices.Contains(got, "Yes, that is right") {
		t.Errorf("examples of affirm = %q, want the recorded ones", got)
	}
	i := slices.IndexFunc(b.intent("hire_boat").examples, func(e example) bool { return e.text == "There will be three of us" })
	if i < 0 {
		t.Fatal("a reply with a value is missing")
	}
	want := []span{{"seats", "3", 14, 19}}
	if diff := cmp.Diff(want, b.intent("hire_boat").examples[i].spans, cmp.AllowUnexported(span{})); diff != "" {
		t.Errorf("spans of an unmarked value (-want +got):\n%s", diff)
	}
}

func TestConvertSTAR(t *testing.T) {
	b, agent := load(t, "star_pier")
	in := agent.Intent("pier")
	if got, want := names(in.Required), []string{"guest_name", "berth", "side", "hour"}; !slices.Equal(got, want) {
		t.Errorf("pier requires %v, want %v, as the graph asks", got, want)
	}
	for param, kind := range map[string]string{"guest_name": "person", "berth": "berth", "side": "side", "hour": "time"} {
		if p := agent.Params[param]; p == nil || p.Type.Name != kind {
			t.Errorf("param %s = %+v, want type %s", param, p, kind)
		}
	}
	if got, want := b.param("berth").pattern, `\b\d{4,4}\b`; got != want {
		t.Errorf("pattern of berth = %s, want %s: an id keeps its zeros", got, want)
	}
	if got, want := kinds(in.Plan), "call confirm call respond"; got != want {
		t.Errorf("plan of pier = %s, want %s", got, want)
	}
	if agent.Tools["pier_check"].Effect != config.EffectRead || agent.Tools["pier"].Effect != config.EffectWrite {
		t.Error("looking is no read, or booking no write")
	}
}

func TestConvertRasa(t *testing.T) {
	b, agent := load(t, "rasa_quay")
	if agent.Classifier.Fallback != "out_of_scope" {
		t.Errorf("fallback = %q, want out_of_scope", agent.Classifier.Fallback)
	}
	if got := len(agent.Intent("ask_tide").Examples); got != 5 {
		t.Errorf("ask_tide has %d examples, want the 5 of its answers", got)
	}
	if b.intentOf["thankyou"] != "thanks" || agent.Intent("thankyou") != nil {
		t.Error("a courtesy is not the built-in one")
	}
	want := []enumValue{{"high", []string{"awful", "terrible"}}, {"small", []string{"small"}}}
	got := b.param("severity").values
	for _, v := range got {
		slices.Sort(v.synonyms)
	}
	for i := range got {
		got[i].synonyms = slices.DeleteFunc(slices.Compact(got[i].synonyms), func(s string) bool { return s == "high" })
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(enumValue{})); diff != "" {
		t.Errorf("values of severity (-want +got):\n%s", diff)
	}
}

// Services that share a conversation keep their own params and intents.
func TestConvertTwoServices(t *testing.T) {
	s, err := readSGD(bots + "/sgd_boats_1")
	if err != nil {
		t.Fatal(err)
	}
	other := *s
	other.schema.Schema.Service = "Ferries_2"
	b := mergeSGD("both", []*sgdService{s, &other})
	if b.paramOf["Boats_1.harbor"] != "boats_1_harbor" || b.paramOf["Ferries_2.harbor"] != "ferries_2_harbor" {
		t.Errorf("params = %v, want one of each service", b.paramOf)
	}
	if got := b.ours("ferries_2_find_boat", "harbor"); got != "ferries_2_harbor" {
		t.Errorf("harbor of the second service's intent = %s", got)
	}
	if _, err := b.load(t.TempDir()); err != nil {
		t.Errorf("the merged agent is refused: %v", err)
	}
}

func names(params []*config.Param) []string {
	var out []string
	for _, p := range params {
		out = append(out, p.Name)
	}
	return out
}

func kinds(plan []*config.Step) string {
	var out []string
	for _, s := range plan {
		out = append(out, string(s.Kind))
	}
	return strings.Join(out, " ")
}
