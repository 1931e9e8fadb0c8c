package cascade

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// ferryAgent books ferries. Its examples say most things n times over, with other values.
func ferryAgent(n int) *config.Agent {
	builtin := func(name string) *config.Type { return &config.Type{Name: name, Builtin: name} }
	cabin := &config.Type{Name: "cabin", Fuzzy: 1, Values: []config.EnumValue{{Value: "inside cabin", Synonyms: []string{"inner"}}, {Value: "sea view"}}}
	text, day := builtin("text"), builtin("date")
	ps := map[string]*config.Param{}
	param := func(name string, t *config.Type) *config.Param {
		ps[name] = &config.Param{Name: name, Type: t}
		return ps[name]
	}
	book := &config.Intent{ID: "book_ferry", Description: "book a ferry", Required: []*config.Param{
		param("from", text), param("to", text), param("out", day), param("back", day), param("cabin", cabin), param("seats", builtin("integer")),
	}}
	harbours := strings.Split("Stavanger,Port Ellen,Le Havre,Gdynia,San Juan,Ystad,Old Pier,Trelleborg,Hook of Holland,9 Elms Dock,Kiel,Puerto Real,Larvik", ",")
	days := strings.Split("may 3,the 4th of june,5/6,august 12,monday,tomorrow,next friday", ",")
	for i := range n {
		fill := strings.NewReplacer("F", "["+harbours[i%13]+"](from)", "T", "["+harbours[(i*5+3)%13]+"](to)", "O", "["+days[i%7]+"](out)", "B", "["+days[(i+2)%7]+"](back)")
		for _, form := range []string{
			"book a ferry from F to T", "i need a crossing to T leaving from F on O", "a ferry to T please",
			"leave on O and come back on B", "sail out O, return B", "book me a ferry",
		} {
			book.Examples = append(book.Examples, marked(fill.Replace(form))...)
		}
		for _, form := range []string{"from:F", "from:i'm leaving from F", "from:let's take F", "to:T", "to:i'm going to T", "to:T sounds good", "to:we want to see T", "from:i don't know yet"} {
			asked, form, _ := strings.Cut(form, ":")
			e := marked(fill.Replace(form))[0]
			e.Asked = asked
			book.Examples = append(book.Examples, e)
		}
	}
	prices := &config.Intent{ID: "prices", AnswerOnly: true, Examples: marked("what does a ticket cost\nhow much is a crossing\nticket prices\nwhat do i pay")}
	return &config.Agent{
		ID: "ferries", Language: "en", Params: ps, Intents: []*config.Intent{book, prices}, System: systemIntents(),
		Classifier: config.ClassifierPolicy{Threshold: 0.55, Ambiguity: 0.1},
	}
}

func tagged(tb testing.TB, agent *config.Agent) *Classifier {
	tb.Helper()
	c, err := New(agent, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func values(r message.Result) string {
	var out []string
	for _, v := range r.Params {
		out = append(out, fmt.Sprintf("%s=%v %s", v.Param, v.Value, v.Source))
	}
	return strings.Join(out, ", ")
}

func TestTaggedValues(t *testing.T) {
	c := tagged(t, ferryAgent(40))
	for _, tc := range []struct{ text, active, asked, want string }{
		{"book a ferry from Bari to Corfu Town", "", "", "from=Bari tagger, to=Corfu Town tagger"},
		{"i'm going to Isla Verde", "book_ferry", "to", "to=Isla Verde tagger"},
		{"i'm leaving from Isla Verde", "book_ferry", "from", "from=Isla Verde tagger"},
		{"Rostock", "book_ferry", "to", "to=Rostock tagger"},
		{"let's take Rostock!", "book_ferry", "from", "from=Rostock tagger"},
		// the words tell which of two dates is which
		{"leave on may 9 and come back on may 19", "book_ferry", "", "out=2027-05-09 builtin, back=2027-05-19 builtin"},
		// the number in a name is none of its own
		{"book a ferry from Bari to 7 Winds Bay", "", "", "from=Bari tagger, to=7 Winds Bay tagger"},
		// what was not learned stays as it is
		{"sea view", "book_ferry", "cabin", "cabin=sea view enum"},
		{"never mind", "book_ferry", "from", ""},
		{"what does a ticket cost", "book_ferry", "to", ""},
		{"what does a ticket cost", "", "", ""},
	} {
		in := classifier.Input{Text: tc.text, Active: tc.active}
		if tc.asked != "" {
			in.Asked = &classifier.Asked{Param: tc.asked}
		}
		r := classify(t, c, in)
		r.Params = slices.DeleteFunc(r.Params, func(v message.Value) bool { return tc.want == "" && v.Source == "text" })
		if diff := cmp.Diff(tc.want, values(r)); diff != "" {
			t.Errorf("params of %q (-want +got):\n%s", tc.text, diff)
		}
	}
}

func TestFewSpansLearnNothing(t *testing.T) {
	if c := tagged(t, ferryAgent(1)); c.tagger != nil {
		t.Error("learned a tagger from a handful of examples")
	}
	agent := ferryAgent(40)
	for _, in := range agent.Intents {
		for i := range in.Examples {
			in.Examples[i].Spans = nil
		}
	}
	c := tagged(t, agent)
	if c.tagger != nil {
		t.Error("learned a tagger without spans")
	}
	for _, v := range classify(t, c, classifier.Input{Text: "book a ferry from Bari to Corfu", Active: "book_ferry"}).Params {
		t.Errorf("found %s=%v (%s) without a tagger", v.Param, v.Value, v.Source)
	}
	if c := tagged(t, supportAgent()); c.tagger != nil {
		t.Error("the shop's agent has few spans and needs no tagger")
	}
}

// TestHitsForTexts tells texts apart by what built-in types find, though no param has one.
func TestHitsForTexts(t *testing.T) {
	text := &config.Type{Name: "text", Builtin: "text"}
	agent := &config.Agent{ID: "notes", Language: "en", Params: map[string]*config.Param{}, System: systemIntents()}
	in := &config.Intent{ID: "note"}
	for _, name := range []string{"when", "what"} {
		agent.Params[name] = &config.Param{Name: name, Type: text}
		in.Optional = append(in.Optional, agent.Params[name])
	}
	days := strings.Split("may 3,next friday,tomorrow,12 august,monday,june 30", ",")
	things := strings.Split("milk,Aunt Jo,the tyres,a new lamp,rent,old letters,bees", ",")
	for i := range 60 {
		in.Examples = append(in.Examples, marked("put ["+days[i%6]+"](when) down\nput ["+things[i%7]+"](what) down\nput it down")...)
	}
	agent.Intents = []*config.Intent{in}
	c := tagged(t, agent)
	for text, want := range map[string]string{
		"put july 9 down":   "when=july 9 tagger",
		"put thursday down": "when=thursday tagger",
		"put violins down":  "what=violins tagger",
	} {
		if diff := cmp.Diff(want, values(classify(t, c, classifier.Input{Text: text, Active: "note"}))); diff != "" {
			t.Errorf("params of %q (-want +got):\n%s", text, diff)
		}
	}
}

// TestReplyIsNoRequest keeps the replies to a question from speaking for an intent.
func TestReplyIsNoRequest(t *testing.T) {
	c := tagged(t, ferryAgent(40))
	if r := classify(t, c, classifier.Input{Text: "let's take Visby"}); r.Exact {
		t.Errorf("a reply became a stock phrase of %s", r.Intent)
	}
}

func TestTaggedHolds(t *testing.T) {
	c := tagged(t, ferryAgent(12))
	vocabulary := []string{"ferry", "from", "to", "Visby", "Port", "Ellen", "on", "may 3", "back", "sea view", "!", "é", "\xff", "’s", "O'Neil", "👍", "yes,", "5/6"}
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(vocabulary)).Draw(rt, "words"), " ") + rapid.String().Draw(rt, "tail")
		in := classifier.Input{Text: text, Active: rapid.SampledFrom([]string{"", "book_ferry", "prices", "gone"}).Draw(rt, "active")}
		if p := rapid.SampledFrom([]string{"", "from", "out", "cabin", "gone"}).Draw(rt, "asked"); p != "" {
			in.Asked = &classifier.Asked{Param: p}
		}
		r := classify(t, c, in)
		if diff := cmp.Diff(r, classify(t, c, in)); diff != "" {
			rt.Fatalf("two readings differ: %s", diff)
		}
		runes, last := []rune(text), 0
		for i, v := range r.Params {
			if v.Start < last || v.End <= v.Start || v.End > len(runes) || string(runes[v.Start:v.End]) != string([]rune(v.Text)) {
				rt.Fatalf("span %+v of %q", v, text)
			}
			last = v.Start
			for _, w := range r.Params[:i] {
				if v.Param == w.Param && overlap(v, w) && (v.Source == "tagger") != (w.Source == "tagger") && !c.soft(v) && !c.soft(w) {
					rt.Fatalf("the tagger's %s overlaps what was recognised: %+v, %+v", v.Param, v, w)
				}
			}
		}
	})
}

func TestALearnedSpanCutsNoAnswer(t *testing.T) {
	c := tagged(t, ferryAgent(40))
	for said, want := range map[string]string{
		"i'm going to Isla Verde":  "Isla Verde",               // as the examples lead to it
		"4B Port Ellen":            "4B Port Ellen",            // 4B is one word
		"Upper Isla Verde":         "Upper Isla Verde",         // no lead-in
		"Isla Verde by the church": "Isla Verde by the church", // no end of an example
	} {
		r := classify(t, c, classifier.Input{Text: said, Active: "book_ferry", Asked: &classifier.Asked{Param: "to"}, Now: now})
		whole := slices.ContainsFunc(r.Params, func(v message.Value) bool { return v.Param == "to" && v.Text == want })
		shorter := slices.ContainsFunc(r.Params, func(v message.Value) bool { return v.Param == "to" && v.Source == "text" && v.Text != want })
		if !whole || shorter {
			t.Errorf("%q: %+v, want %q", said, r.Params, want)
		}
	}
}

func BenchmarkTagged(b *testing.B) {
	c := tagged(b, ferryAgent(40))
	in := classifier.Input{Text: "i'm going to Isla Verde", Active: "book_ferry", Asked: &classifier.Asked{Param: "to"}, Now: now}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Classify(b.Context(), in); err != nil {
			b.Fatal(err)
		}
	}
}

// TestTaggerMissesNothing has the tagger read messages for which it is spared the work: it finds
// nothing in them.
func TestTaggerMissesNothing(t *testing.T) {
	shop, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	for name, agent := range map[string]*config.Agent{"shop": shop, "ferries": ferryAgent(40)} {
		t.Run(name, func(t *testing.T) { sparesInVain(t, agent) })
	}
}

func sparesInVain(t *testing.T, agent *config.Agent) {
	c := tagged(t, agent)
	if c.tagger == nil {
		t.Fatal("the agent has nothing to tag: the test shows nothing")
	}
	texts := []string{"where is my order", "no thanks", "leave on may 9 and come back on may 19"}
	asked := []string{""}
	for _, intent := range agent.Intents {
		for _, e := range intent.Examples {
			texts = append(texts, e.Text)
		}
		asked = append(asked, c.tags[intent.ID]...)
	}
	spared := 0
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.SampledFrom(texts).Draw(rt, "first")
		if rapid.Bool().Draw(rt, "longer") {
			text += rapid.SampledFrom([]string{" and ", ". ", ", no, "}).Draw(rt, "between") + rapid.SampledFrom(texts).Draw(rt, "second")
		}
		in := classifier.Input{Text: text, Now: now}
		if param := rapid.SampledFrom(asked).Draw(rt, "asked"); param != "" {
			in.Asked = &classifier.Asked{Param: param}
		}
		for _, intent := range agent.Intents {
			r := message.Result{Params: c.extract.Extract(in, nil)}
			before := slices.Clone(r.Params)
			tags := &tagging{c: c, in: in}
			if tags.add(intent.ID, &r); tags.ready || len(c.tags[intent.ID]) == 0 {
				continue
			}
			spared++
			tags.tag(intent.ID, &r)
			if diff := cmp.Diff(before, r.Params); diff != "" {
				rt.Fatalf("%q for %s (-before +behind the tagger):\n%s", text, intent.ID, diff)
			}
		}
	})
	if spared == 0 && agent.ID == "shop" {
		t.Error("the tagger was never spared")
	}
}
