package archive

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
)

// A question is open until something answers it, not until anything is said.
func TestOpenQuestions(t *testing.T) {
	for _, test := range []struct {
		lines []string
		want  []string
	}{
		{[]string{"user: When does it arrive?", "agent: On Friday."}, nil},
		{[]string{"user: When does it arrive?"}, []string{"When does it arrive?"}},
		{[]string{"user: When does it arrive?", "agent: I am not sure, let me check."}, []string{"When does it arrive?"}},
		{[]string{"user: When does it arrive?", "agent: The lamp is blue."}, []string{"When does it arrive?"}},
		{[]string{"user: When does it arrive?", "agent: Thanks for your message!"}, []string{"When does it arrive?"}},
		{[]string{"user: When does the parcel arrive?", "agent: I will check.", "user: Thanks.", "agent: The parcel will arrive on Friday."}, nil},
		{[]string{"user: When does the parcel arrive?", "agent: I will check.", "user: Thanks.", "agent: It will be here on Friday."}, nil},
		{[]string{"user: When does the parcel arrive?", "agent: I will check.", "user: And it rains.", "agent: It does."}, []string{"When does the parcel arrive?"}},
		{[]string{"user: When does the parcel arrive?", "agent: We sell lamps.", "user: I see.", "agent: The parcel is insured."}, []string{"When does the parcel arrive?"}},
		{[]string{"user: Where is my parcel?", "agent: Which parcel?", "user: The red one.", "agent: The red parcel is in Bergen."}, nil},
		{[]string{"user: Where is my parcel?", "agent: Which parcel?", "user: The red one.", "agent: In Bergen."}, nil},
		{[]string{"user: Do you know where my parcel is?", "agent: Your invoice was paid."}, []string{"Do you know where my parcel is?"}},
		{[]string{"user: How much is the repair?", "agent: It takes a technician."}, []string{"How much is the repair?"}},
		{[]string{"user: How much is the repair?", "agent: It is free."}, nil},
		{[]string{"user: Who repairs it?", "agent: Ann Lee does."}, nil},
		{[]string{"user: Why is it late?", "agent: Because of the snow."}, nil},
		{[]string{"user: Why is it late?", "agent: It was held at the border."}, nil},
		{[]string{"user: What happened to it?", "agent: The truck broke down."}, nil},
		{[]string{"user: Can I return it?", "agent: You can, within 30 days."}, nil},
		{[]string{"user: Can I return it?", "agent: Your address was changed."}, []string{"Can I return it?"}},
		{[]string{"user: Can I return it?", "agent: No."}, nil},
		{[]string{"user: It is insured, isn't it?", "agent: Yes."}, nil},
		{[]string{"user: Is it insured? When does it arrive?", "agent: On Friday."}, []string{"Is it insured?"}},
		{[]string{"user: Should we implement refresh tokens?", "agent: Your build is green.", "user: Thanks."}, []string{"Should we implement refresh tokens?"}},
		{[]string{"user: Should we implement refresh tokens?", "agent: Your build is green.", "user: Never mind."}, nil},
		{[]string{"user: Should we implement refresh tokens?", "agent: Your build is green.", "user: Fine.", "agent: We will implement refresh tokens next month."}, nil},
		{[]string{"user: When does it arrive?", "agent: Hm.", "user: When does it arrive then?", "agent: On Friday."}, nil},
		{[]string{"agent: Which size do you need?"}, []string{"Which size do you need?"}},
		{[]string{"agent: Which size do you need?", "user: Large"}, nil},
		{[]string{"agent: Which size do you need?", "user: Thanks"}, []string{"Which size do you need?"}},
		{[]string{"agent: Which size do you need?", "user: Cancel my order."}, []string{"Which size do you need?"}},
		{[]string{"agent: Which size do you need?", "user: By the way, it rains."}, []string{"Which size do you need?"}},
		{[]string{"agent: What's your order number?", "user: O-12345"}, nil},
		{[]string{"agent: What's your order number?", "user: I don't know it."}, []string{"What's your order number?"}},
		{[]string{"agent: Shall I cancel it?", "user: What does it cost?", "agent: 5 euros."}, []string{"Shall I cancel it?"}},
		{[]string{"agent: Shall I cancel it?", "user: Ok"}, nil},
		{[]string{"agent: How is the new lamp?", "user: Fine"}, nil},
		{[]string{"agent: How is the new lamp?", "user: Thanks, Ann!"}, []string{"How is the new lamp?"}},
		{[]string{"agent: What made you choose the lamp?", "user: Thanks, Ann!"}, []string{"What made you choose the lamp?"}},
		{[]string{"agent: What made you choose the lamp?", "user: Great."}, []string{"What made you choose the lamp?"}},
		{[]string{"agent: Shall I cancel it?", "user: Thanks"}, []string{"Shall I cancel it?"}},
		{[]string{"user: Hello!", "agent: How can I help you today?"}, nil},
		{[]string{"agent: Is there anything else?"}, nil},
	} {
		if diff := cmp.Diff(test.want, openQuestions(sentencesOf(spoken(test.lines...)), len(test.lines), nil)); diff != "" {
			t.Errorf("openQuestions(%q) (-want +got):\n%s", test.lines, diff)
		}
	}
}

// asks commits a turn after which a param is waited for; "" for none.
func (w *fixture) asks(path, waiting string, params map[string]any, lines ...string) {
	w.Helper()
	s := w.session(path)
	for i, text := range lines {
		s.Append(memory.Message{Role: []memory.Role{memory.User, memory.Agent}[i%2], Text: text, Timestamp: w.clock})
	}
	s.Merge(params)
	s.SetWaiting(waiting)
	outcome := "responded"
	if waiting != "" {
		outcome = outcomeWaiting
	}
	s.RecordTurn(memory.Turn{Outcome: outcome})
	if err := s.Commit(w.ctx, w.clock); err != nil {
		w.Fatal(err)
	}
}

// What a task asks for is open until the param is there or the task is over, whatever is
// said meanwhile, and however the answer is worded.
func TestQuestionsOfTasks(t *testing.T) {
	for name, test := range map[string]struct {
		then func(w *fixture)
		want []string
	}{
		"left":      {func(*fixture) {}, []string{"Which order is it?"}},
		"digressed": {func(w *fixture) { w.asks("ada/shop/one", "order", nil, "The blue one", "We have no blue one.") }, []string{"Which order is it?"}},
		"answered": {func(w *fixture) {
			w.asks("ada/shop/one", "", map[string]any{"order": "O-1"}, "My wife wrote down O-1 for me, and cancel it", "Done.")
		}, nil},
		"on to the next": {func(w *fixture) {
			w.asks("ada/shop/one", "reason", map[string]any{"order": "O-1"}, "I wrote down O-1 for that", "Tell me the reason.")
		}, nil},
		"given up": {func(w *fixture) { w.asks("ada/shop/one", "", nil, "stop", "All right.") }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, nil)
			w.asks("ada/shop/one", "order", nil, "I want to return a lamp", "Which order is it?")
			test.then(w)
			w.archive("ada/shop/one")
			if diff := cmp.Diff(test.want, w.docs("ada/shop/one")[0].Questions); diff != "" {
				t.Errorf("open questions (-want +got):\n%s", diff)
			}
		})
	}
}

// The answer may stand at the beginning of what comes after a document's range.
func TestAnswerInTheNextRange(t *testing.T) {
	w := newFixture(t, &Options{RangeMessages: 2})
	w.talk("ada/shop/one", "When does the lamp arrive?", "Which size do you need?", "Large", "On Friday.", "Who repairs it?", "We sell lamps.")
	w.archive("ada/shop/one")
	var got [][]string
	for _, d := range w.docs("ada/shop/one") {
		got = append(got, d.Questions)
	}
	if diff := cmp.Diff([][]string{nil, nil, {"Who repairs it?"}}, got); diff != "" {
		t.Errorf("open questions (-want +got):\n%s", diff)
	}
}

// A conversation that was taken for over goes on, and answers what was open in its document.
func TestAnsweredAfterTheDocument(t *testing.T) {
	w := newFixture(t, nil)
	w.asks("ada/shop/one", "order", nil, "I want to return a lamp. Who repairs it?", "Which order is it?")
	w.archive("ada/shop/one")
	open := func() (all []string) {
		for _, d := range w.docs("ada/shop/one") {
			all = append(all, d.Questions...)
		}
		return all
	}
	if diff := cmp.Diff([]string{"Who repairs it?", "Which order is it?"}, open()); diff != "" {
		t.Errorf("at first (-want +got):\n%s", diff)
	}
	w.asks("ada/shop/one", "", map[string]any{"order": "O-1"}, "it was O-1", "It is returned.")
	w.archive("ada/shop/one")
	if diff := cmp.Diff([]string{"Who repairs it?"}, open()); diff != "" {
		t.Errorf("after the order is known (-want +got):\n%s", diff)
	}
	if got := w.search(Query{Key: keyOf("ada/shop/now"), Text: "repairs lamp return", Threshold: new(float64(0))}); len(got) == 0 || strings.Contains(got[len(got)-1].Text, "Which order") {
		t.Errorf("found %+v", got)
	}
}

// modelFunc is a model server.
type modelFunc func(user string) (string, error)

func (f modelFunc) Complete(_ context.Context, _, user string, _ json.RawMessage) (string, error) {
	return f(user)
}

// A model makes the digest; what it says that is not in the text is left out, and where it
// fails the rules' digest stays.
func TestModelDigest(t *testing.T) {
	lines := []string{
		"I'll take the refund for O-12345.", "It was refunded, 12 euros.",
		"Should we order another lamp?", "Your address is in Bergen.", "Write to ann@mail.example then.", "Fine.",
	}
	full := `{"summary":"The user took the refund of 12 euros. Another lamp cost 99 euros.","topics":["refund","astronomy"],` +
		`"entities":["O-12345","Bergen","Oslo","12","ann@mail.example"],"decisions":["The user takes the refund.","A car was bought."],` +
		`"questions":["Should another lamp be ordered?","What about a bicycle?"]}`
	for name, test := range map[string]struct {
		reply string
		err   error
		model bool
	}{
		"read":       {full, nil, true},
		"down":       {full, memory.ErrUnavailable, false},
		"no JSON":    {"I am sorry", nil, false},
		"of nothing": {`{"summary":"The moon rose over 3 hills.","topics":[],"entities":[],"decisions":[],"questions":[]}`, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, &Options{
				Model: modelFunc(func(user string) (string, error) {
					if strings.Contains(user, "O-12345") || !strings.Contains(user, "<order:1>") {
						t.Errorf("the model was shown %q", user)
					}
					return strings.ReplaceAll(test.reply, "O-12345", "<order:1>"), test.err
				}),
				Pseudonyms: func(context.Context, memory.Key) (hide, restore func(string) string, err error) {
					return strings.NewReplacer("O-12345", "<order:1>").Replace, strings.NewReplacer("<order:1>", "O-12345").Replace, nil
				},
			})
			w.talk("ada/shop/one", lines...)
			if n, err := w.tier.Archive(w.ctx, keyOf("ada/shop/one")); n != 1 || errors.Is(err, ErrModel) != (test.err != nil) || err != nil && test.err == nil {
				t.Fatalf("%d documents, %v", n, err)
			}
			d := w.docs("ada/shop/one")[0]
			if d.Model != test.model {
				t.Fatalf("made by a model: %v, want %v: %+v", d.Model, test.model, d)
			}
			if diff := cmp.Diff([]string{"Should we order another lamp?"}, d.Questions); diff != "" {
				t.Errorf("open questions (-want +got):\n%s", diff)
			}
			if !test.model {
				return
			}
			got := [][]string{{d.Summary}, d.Topics, d.Entities, d.Decisions}
			want := [][]string{{"The user took the refund of 12 euros."}, {"refund"}, {"O-12345", "Bergen"}, {"The user takes the refund."}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What cannot be hidden is not sent.
func TestModelSeesNothingThatCannotBeHidden(t *testing.T) {
	w := newFixture(t, &Options{
		Model: modelFunc(func(string) (string, error) {
			t.Error("the model was asked")
			return "", nil
		}),
		Pseudonyms: func(context.Context, memory.Key) (hide, restore func(string) string, err error) {
			return nil, nil, memory.ErrUnavailable
		},
	})
	w.talk("ada/shop/one", refunded...)
	if n, err := w.tier.Archive(w.ctx, keyOf("ada/shop/one")); n != 1 || !errors.Is(err, ErrModel) {
		t.Errorf("%d documents, want 1, %v", n, err)
	}
}

// While the model does not answer the rules' digest serves, the job says so, and the model makes
// it once it answers, once.
func TestModelDigestLater(t *testing.T) {
	down, calls := true, 0
	w := newFixture(t, &Options{ThresholdCount: 2, RangeMessages: 2, Keep: -1, Model: modelFunc(func(string) (string, error) {
		if calls++; down {
			return "", memory.ErrUnavailable
		}
		return `{"summary":"The user took the refund.","topics":["refund"],"entities":[],"decisions":[],"questions":[]}`, nil
	})})
	w.talk("ada/shop/one", refunded...)
	job := memory.Job{Key: keyOf("ada/shop/one"), Kind: Kind}
	models := func() (n int) {
		for _, d := range w.docs("ada/shop/one") {
			if d.Summary == "" {
				t.Errorf("a document says nothing: %+v", d)
			}
			if d.Model {
				n++
			}
		}
		return n
	}
	for range 2 {
		if err := w.tier.Work(w.ctx, job); !errors.Is(err, ErrModel) || len(w.docs("ada/shop/one")) != 2 || models() != 0 {
			t.Fatalf("while it is down: %d documents, %d of the model, %v", len(w.docs("ada/shop/one")), models(), err)
		}
	}
	if calls != 3 { // a document waits for the one before it
		t.Errorf("it was asked %d times while it was down", calls)
	}
	down = false
	w.work("ada/shop/one")
	if n := models(); n != 2 {
		t.Errorf("%d documents of the model", n)
	}
	w.work("ada/shop/one")
	if calls != 5 {
		t.Errorf("it was asked %d times", calls)
	}
}

// Of a digest in words of its own, which nothing can be compared with, the lists still count.
func TestModelDigestPartByPart(t *testing.T) {
	w := newFixture(t, &Options{Model: modelFunc(func(string) (string, error) {
		return `{"summary":"Somebody got reimbursed.","topics":["refund"],"entities":["Oslo"],"decisions":["The user takes the refund."],"questions":[]}`, nil
	})})
	w.talk("ada/shop/one", "I'll take the refund for O-12345.", "It was refunded, 12 euros.", "Should we order another lamp?", "Your address is in Bergen.")
	w.archive("ada/shop/one")
	d := w.docs("ada/shop/one")[0]
	if !d.Model || !strings.Contains(d.Summary, "O-12345") {
		t.Errorf("the summary is %q, by a model: %v", d.Summary, d.Model)
	}
	got := [][]string{d.Topics, d.Decisions, d.Questions}
	if diff := cmp.Diff([][]string{{"refund"}, {"The user takes the refund."}, nil}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !slices.Contains(d.Entities, "O-12345") || slices.Contains(d.Entities, "Oslo") {
		t.Errorf("entities %q", d.Entities)
	}
}

// What compression took out of the window is archived, however little it is.
func TestCompressedIsArchived(t *testing.T) {
	w := newFixture(t, nil)
	w.talk("ada/shop/one", cancelled...)
	w.work("ada/shop/one")
	if n := len(w.docs("ada/shop/one")); n != 0 {
		t.Fatalf("%d documents of a short conversation", n)
	}
	s := w.session("ada/shop/one")
	s.Prune(4)
	if err := s.Commit(w.ctx, w.clock); err != nil {
		t.Fatal(err)
	}
	w.work("ada/shop/one")
	docs := w.docs("ada/shop/one")
	if len(docs) != 1 || docs[0].To != 4 {
		t.Errorf("%+v", docs)
	}
}
