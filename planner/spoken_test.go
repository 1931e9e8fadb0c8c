package planner

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// piece is one clause of a message, with what the classifier makes of it.
type piece struct {
	text   string
	acts   []message.Act
	sure   float32 // of the acts; 0: 0.9
	mark   rune
	join   string
	stock  string
	tasks  []message.Score
	values []message.Value
}

// message is what is heard of some clauses.
func heard(pieces ...piece) Understanding {
	var h Understanding
	best := map[string]float64{}
	for _, p := range pieces {
		if h.Text != "" {
			h.Text += " "
		}
		at := utf8.RuneCountInString(h.Text)
		h.Text += p.text
		c := message.Clause{Start: at, End: utf8.RuneCountInString(h.Text), Join: p.join, Mark: p.mark, Stock: p.stock, Ranking: p.tasks}
		for _, a := range p.acts {
			if c.Acts[a] = p.sure; p.sure == 0 {
				c.Acts[a] = 0.9
			}
		}
		for _, v := range p.values {
			v.Start = at + utf8.RuneCountInString(p.text[:strings.Index(p.text, v.Text)])
			v.End = v.Start + utf8.RuneCountInString(v.Text)
			h.Values = append(h.Values, v)
		}
		for _, s := range p.tasks {
			best[s.Intent] = max(best[s.Intent], s.Confidence)
		}
		h.Clauses = append(h.Clauses, c)
	}
	for _, p := range pieces {
		for _, s := range p.tasks {
			if !slices.ContainsFunc(h.Ranking, func(r message.Score) bool { return r.Intent == s.Intent }) {
				h.Ranking = append(h.Ranking, message.Score{Intent: s.Intent, Confidence: best[s.Intent]})
			}
		}
	}
	slices.SortStableFunc(h.Ranking, func(a, b message.Score) int {
		if a.Confidence > b.Confidence {
			return -1
		}
		return 1
	})
	if len(h.Ranking) > 0 {
		h.Intent, h.Confidence = h.Ranking[0].Intent, h.Ranking[0].Confidence
	}
	return h
}

func mail(address string) message.Value {
	return message.Value{Param: "email", Value: address, Text: address, Source: "builtin", Confidence: 1}
}

// spoken is a conversation of which every word that is said counts.
type spoken struct {
	name  string
	tool  tools // those that do not just work
	turns []exchange
}

type tools map[string]func(args map[string]any) Outcome

// fails is a tool that fails.
func fails(code string) func(map[string]any) Outcome {
	return func(map[string]any) Outcome { return Outcome{Code: code} }
}

// talk plays conversations with an agent.
func talk(t *testing.T, def *config.Agent, all []spoken) {
	t.Helper()
	for _, tc := range all {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t)
			b.def = def
			works := b.tool
			b.tool = func(c ToolCall) Outcome {
				if do := tc.tool[c.Tool]; do != nil {
					return do(c.Args)
				}
				return works(c)
			}
			for i, x := range tc.turns {
				if diff := cmp.Diff(x.want, b.say(x.heard)); diff != "" {
					t.Fatalf("turn %d, %q, reply (-want +got):\n%s", i+1, x.heard.Text, diff)
				}
				if diff := cmp.Diff(x.calls, b.calls); diff != "" {
					t.Fatalf("turn %d, %q, calls (-want +got):\n%s", i+1, x.heard.Text, diff)
				}
			}
		})
	}
}

// agentWith is the shop with another text in the place of some of its file.
func agentWith(t *testing.T, oldNew ...string) *config.Agent {
	t.Helper()
	def, err := config.Parse("test.yaml", []byte(strings.NewReplacer(oldNew...).Replace(shopYAML)), "")
	if err != nil {
		t.Fatal(err)
	}
	return def
}

// toConfirm leads to "Cancel O-1?".
func toConfirm(then ...exchange) []exchange {
	return append([]exchange{
		{asks("call_off", order("O-1")), "Any note?", []string{"exists"}},
		{does("skip"), "Cancel O-1?", []string{"get"}},
	}, then...)
}

const (
	stopOrDo = "Shall I call off, or stop here? Cancel O-1?"
	stopped  = "OK, I stopped: call off. Nothing was done."
	fallback = "Sorry, I didn't understand that. Could you say it another way?"
)

// What ends a task, and what only sounds like it.
func TestWhatIsAStop(t *testing.T) {
	cancel := heard(piece{text: "cancel", acts: []message.Act{message.ActStop}})
	stop := heard(piece{text: "stop", acts: []message.Act{message.ActStop}})
	talk(t, testAgent(t), []spoken{
		{name: "the question's own verb is asked about once", turns: toConfirm(
			exchange{cancel, stopOrDo, nil},
			exchange{cancel, stopped, nil},
		)},
		{name: "then a yes", turns: toConfirm(
			exchange{cancel, stopOrDo, nil},
			exchange{does("affirm"), "Dropped O-1.", []string{"drop"}},
		)},
		{name: "with its object it is a yes", turns: toConfirm(
			exchange{heard(piece{text: "cancel it", acts: []message.Act{message.ActStop}}), "Dropped O-1.", []string{"drop"}},
		)},
		{name: "another word stops at once", turns: toConfirm(exchange{stop, stopped, nil})},
		{name: "a word beside a question for a value", turns: []exchange{
			{asks("status"), "Which order?", nil},
			{heard(piece{text: "cancel", acts: []message.Act{message.ActStop}}), "OK, I stopped: status. Nothing was done.", nil},
		}},
		{name: "a sign without a word", turns: toConfirm(exchange{heard(piece{text: "🛑", stock: "cancel"}), stopped, nil})},
		{
			name: "behind a call that failed", tool: tools{"find": fails("unavailable")},
			turns: []exchange{
				{asks("status", order("O-1")), `Sorry, that didn't work just now. Nothing is lost; say "try again" when you like.`, []string{"exists", "find"}},
				{stop, "OK, I stopped: status. Nothing was done.", nil},
			},
		},
		{name: "what comes with a stop and is not used is said", turns: toConfirm(
			exchange{
				heard(piece{text: "stop", acts: []message.Act{message.ActStop}}, piece{text: "a@b.example", values: []message.Value{mail("a@b.example")}}),
				stopped + ` I did not get what to do with "a@b.example".`, nil,
			},
		)},
	})
}

// What is asked where the message fits no task for sure.
func TestWhichTaskIsAskedAbout(t *testing.T) {
	def := agentWith(t, "intents:\n", "classifier: {reject: 0.5, threshold: 0.7}\nintents:\n")
	reject, threshold := def.Classifier.Reject, def.Classifier.Threshold
	near := func(confidence float64, tasks ...string) Understanding {
		p := piece{text: "something about that old matter"}
		for _, id := range tasks {
			p.tasks = append(p.tasks, message.Score{Intent: id, Confidence: confidence})
		}
		return heard(p)
	}
	one, both := "Do you mean this: status?", "Which of these do you mean: status or call off?"
	talk(t, def, []spoken{
		{name: "between reject and threshold", turns: []exchange{{near((reject+threshold)/2, "status"), one, nil}}},
		{name: "at reject", turns: []exchange{{near(reject, "status"), one, nil}}},
		{name: "below reject", turns: []exchange{{near(reject-0.01, "status"), fallback, nil}}},
		{name: "below reject, two that are near", turns: []exchange{{near(reject-0.1, "status", "call_off"), both, nil}}},
		{name: "two that are near", turns: []exchange{{near((reject+threshold)/2, "status", "call_off"), both, nil}}},
		{name: "two that are near and sure", turns: []exchange{{near(0.9, "status", "call_off"), both, nil}}},
		{name: "said again, another is offered", turns: []exchange{
			{near((reject+threshold)/2, "status"), one, nil},
			{near((reject+threshold)/2, "call_off"), "Do you mean this: call off?", nil},
		}},
		{name: "not while a task is under way", turns: []exchange{
			{asks("status"), "Which order?", nil},
			{near((reject+threshold)/2, "call_off"), "I need an order like O-1.", nil},
		}},
	})
}

// A hold leaves the question as it is; who gives what is asked for holds nothing.
func TestWhatIsAHold(t *testing.T) {
	hold := heard(piece{text: "one moment", acts: []message.Act{message.ActHold}})
	unknown := heard(piece{text: "i am not sure", acts: []message.Act{message.ActUnknown}})
	talk(t, agentWith(t), []spoken{
		{name: "at a confirmation", turns: toConfirm(
			exchange{hold, "Take your time. Cancel O-1?", nil},
			exchange{unknown, "No hurry, take your time. Cancel O-1?", nil},
			exchange{does("affirm"), "Dropped O-1.", []string{"drop"}},
		)},
		{name: "at a question", turns: []exchange{
			{asks("call_off"), "Which order?", nil},
			{hold, "Take your time. Which order?", nil},
			{unknown, "It is on your receipt. Which order?", nil},
		}},
		{name: "with the answer in it", turns: []exchange{
			{asks("call_off"), "Which order?", nil},
			{heard(piece{text: "wait O-1", acts: []message.Act{message.ActHold}, values: []message.Value{order("O-1")}}), "Any note?", []string{"exists"}},
		}},
		{name: "a hold that is taken back", turns: toConfirm(
			exchange{heard(piece{text: "wait", acts: []message.Act{message.ActHold}}, piece{text: "yes", acts: []message.Act{message.ActYes}, stock: "affirm"}), "Please answer with yes or no. Cancel O-1?", nil},
		)},
		{name: "with nothing under way", turns: []exchange{{hold, fallback, nil}}},
	})
}

// What was offered and not chosen is spoken of for some turns.
func TestTheOtherOne(t *testing.T) {
	first, last := map[string]any{"id": "O-1", "state": "open"}, map[string]any{"id": "O-2", "state": "gone"}
	two := tools{"find": func(args map[string]any) Outcome {
		if args["order_id"] == "O-1" {
			return Outcome{Value: []any{first}}
		}
		return Outcome{Value: []any{first, last}}
	}}
	second := message.Value{Param: "order_id", Value: "O-2", Text: "O-2", Source: sourceOption, Confidence: 1}
	other := heard(piece{text: "and the other one", acts: []message.Act{message.ActAdd}})
	thanks := heard(piece{text: "thanks", acts: []message.Act{message.ActThanks}})
	chosen := []exchange{
		{asks("status", mail("a@b.example")), "Which one do you mean: O-1 or O-2?", []string{"find"}},
		{tells(second), "O-2 is gone.", []string{"exists"}},
	}
	after := func(turns int) []exchange {
		out := slices.Clone(chosen)
		for range turns {
			out = append(out, exchange{thanks, "You're welcome.", nil})
		}
		return out
	}
	talk(t, agentWith(t), []spoken{
		{name: "at once", tool: two, turns: append(after(0), exchange{other, "O-1 is open.", []string{"exists", "find"}})},
		{name: "after three turns", tool: two, turns: append(after(3), exchange{other, "O-1 is open.", []string{"exists", "find"}})},
		{name: "after a while it is forgotten", tool: two, turns: append(after(4), exchange{other, fallback, nil})},
	})
}

// What the state still speaks of is held to the definition that it came of, so that it is stored.
func TestTheVersionIsStoredWithWhatIsSpokenOf(t *testing.T) {
	for name, st := range map[string]State{
		"a task that was declined": {Declined: &declinedConfirm{Frame: &frame{Intent: "status"}}},
		"a task that ended":        {Ended: &endedTask{Intent: "status"}},
		"what was offered":         {Offered: &offeredChoice{Param: "order_id"}},
		"what was known":           {Recent: map[string]any{"order_id": "O-1"}},
		"half of a moment":         {Halves: map[string]any{"order_id": "O-1"}},
		"an offer with values":     {Open: &openQuestion{Kind: askIntent, Brought: brought{"status": {"order_id": {Value: "O-1"}}}}},
		"a session param":          {Session: map[string]*paramCell{"order_id": {Value: "O-1"}}},
		"a suspended task":         {Suspended: []*frame{{ID: "a", Intent: "status"}}},
	} {
		t.Run(name, func(t *testing.T) {
			st.Version = "v1"
			saved, err := (&Turn{State: &st}).Save()
			if err != nil {
				t.Fatal(err)
			}
			loaded, err := Load(saved, st.Params())
			if err != nil {
				t.Fatal(err)
			}
			if loaded.Version != "v1" {
				t.Errorf("version %q is loaded of %s", loaded.Version, saved)
			}
		})
	}
	for name, st := range map[string]State{"nothing": {}, "a question without values": {Open: &openQuestion{Kind: askIntent}}} {
		t.Run(name, func(t *testing.T) {
			st.Version = "v1"
			if saved, err := (&Turn{State: &st}).Save(); err != nil || strings.Contains(string(saved), "v1") {
				t.Errorf("%s, %v: a version that nothing stands under", saved, err)
			}
		})
	}
}

// What says the request again is a yes only where it agrees, too: somebody may not have seen the
// question.
func TestWhatSaysTheRequestAgain(t *testing.T) {
	again := func(text string, values ...message.Value) Understanding {
		return heard(piece{text: text, acts: []message.Act{message.ActRequest}, tasks: []message.Score{{Intent: "call_off", Confidence: 0.9}}, values: values})
	}
	const still = "Cancel O-1?"
	for text, want := range map[string]string{
		"cancel my order O-1":     still,
		"yes cancel my order O-1": "Dropped O-1.",
		"ok cancel order O-1":     "Dropped O-1.",
		"cancel my order":         "Dropped O-1.",
		"cancel it please":        "Dropped O-1.",
		"cancel":                  still,
		"cancel my lamp":          still,
		"do not cancel it":        still,
		"order it":                still,
	} {
		t.Run(text, func(t *testing.T) {
			b := confirming(t)
			var values []message.Value
			if strings.Contains(text, "O-1") {
				values = append(values, order("O-1"))
			}
			if got := b.say(again(text, values...)); !strings.Contains(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// A question that something answers in passing is answered while another is open, also where it is
// not sure that it is meant.
func TestWhatIsAnsweredInPassing(t *testing.T) {
	cost := func(confidence float64) Understanding {
		return heard(piece{text: "what does that come to", acts: []message.Act{message.ActQuestion}, mark: '?', tasks: []message.Score{{Intent: "price", Confidence: confidence}}})
	}
	def := testAgent(t)
	begun := exchange{asks("status"), "Which order?", nil}
	talk(t, def, []spoken{
		{name: "sure", turns: []exchange{begun, {cost(0.9), "It is free. Which order?", nil}}},
		{name: "not so sure", turns: []exchange{begun, {cost(def.Classifier.Reject), "It is free. Which order?", nil}}},
		{name: "hardly", turns: []exchange{begun, {cost(def.Classifier.Reject - 0.1), "It is on your receipt. Which order?", nil}}},
		{name: "with nothing open", turns: []exchange{{cost(def.Classifier.Reject), fallback, nil}}},
		{name: "at a confirmation", turns: toConfirm(exchange{cost(def.Classifier.Reject), "It is free. Cancel O-1?", nil})},
	})
}
