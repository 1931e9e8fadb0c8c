package archive

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/summary"
)

// spoken makes messages of lines "user: ..." and "agent: ...".
func spoken(lines ...string) []memory.Message {
	var out []memory.Message
	for i, line := range lines {
		role, text, _ := strings.Cut(line, ": ")
		out = append(out, memory.Message{
			Seq: int64(i + 1), Turn: int64(i/2 + 1), Role: memory.Role(role), Text: text, Timestamp: time.Date(2026, 3, 1, 9, i, 0, 0, time.UTC),
		})
	}
	return out
}

func TestDecisions(t *testing.T) {
	for _, test := range []struct {
		lines []string
		want  []string
	}{
		{[]string{"user: I'll take the refund."}, []string{"I'll take the refund."}},
		{[]string{"user: I’ll go with the blue one."}, []string{"I'll go with the blue one."}},
		{[]string{"user: Please cancel it. Thanks."}, []string{"Please cancel it."}},
		{[]string{"user: Let's meet in Oslo.", "agent: The meeting has been scheduled."}, []string{"Let's meet in Oslo.", "The meeting has been scheduled."}},
		{[]string{"user: We agreed on Monday."}, []string{"We agreed on Monday."}},
		{[]string{"agent: Would you like me to book it?", "user: No, thank you."}, []string{"Would you like me to book it? no"}},
		{[]string{"agent: Shall I close the ticket?", "user: yes"}, []string{"Shall I close the ticket? yes"}},
		{[]string{"agent: Shall I close the ticket?", "user: Which ticket?"}, nil},
		{[]string{"user: Has it been cancelled?"}, nil},
		{[]string{"user: I haven't decided yet."}, nil},
		{[]string{"user: If I cancel it, what then?"}, nil},
		{[]string{"user: If it is approved I will be glad."}, nil},
		{[]string{"tool: The order has been cancelled.", "system: We agreed."}, nil},
		{nil, nil},
	} {
		if diff := cmp.Diff(test.want, decisions(spoken(test.lines...))); diff != "" {
			t.Errorf("decisions(%q) (-want +got):\n%s", test.lines, diff)
		}
	}
}

func TestEntities(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"I met Ada Lovelace in London.", []string{"Ada Lovelace", "London"}},
		{"I saw Ada Lovelace. I know Ada.", []string{"Ada Lovelace"}},
		{"I saw Ada Lovelace and Ada Byron. I know Ada.", []string{"Ada Lovelace", "Ada Byron", "Ada"}},
		{"Tomorrow I fly. On Monday I land, in May.", nil},
		{"Oslo is cold. I like Oslo.", []string{"Oslo"}},
		{"My card is 4111111111111111 and my number is 555 010 4477.", nil},
		{"Order AB-1234-X and ticket #4711.", []string{"AB-1234-X", "#4711"}},
		{"Write to ann.lee+x@mail.example.org!", nil},
		{"The API speaks HTTP.", []string{"API", "HTTP"}},
		{"Élodie's friend Zoë came with Élodie.", []string{"Élodie", "Zoë"}},
		{"I'm happy and I've slept. It's fine.", nil},
	} {
		if diff := cmp.Diff(test.want, entities(sentencesOf(spoken("user: "+test.text)))); diff != "" {
			t.Errorf("entities(%q) (-want +got):\n%s", test.text, diff)
		}
	}
}

func TestDates(t *testing.T) {
	for text, want := range map[string][]string{
		"On 2026-02-28 and 2026-02-30.":             {"2026-02-28"},
		"On May 5th, 2025, and on 3 March.":         {"2025-05-05", "2026-03-03"},
		"The 1st of April or Sept 12":               {"2026-04-01", "2026-09-12"},
		"It may 40 times; version 1.2.3; 99 March.": nil,
		"nothing": nil,
	} {
		messages := spoken("user: " + text)
		if diff := cmp.Diff(want, dates(summary.Facts(messages))); diff != "" {
			t.Errorf("dates(%q) (-want +got):\n%s", text, diff)
		}
	}
}

// What tells a conversation from the user's others comes first.
func TestTopicsAreWhatIsRare(t *testing.T) {
	w := newFixture(t, nil)
	for _, s := range []string{"a", "b", "c", "d"} {
		w.talk("ada/shop/"+s, "The delivery of the parcel is late. The delivery is what I pay for.", "The delivery is under way.")
		w.archive("ada/shop/" + s)
	}
	w.talk("ada/shop/e", "The delivery brought a violin, but the violin has no strings, and the delivery was late.", "The violin strings follow.")
	w.archive("ada/shop/e")
	if got := w.docs("ada/shop/e")[0].Topics; len(got) == 0 || !strings.Contains(got[0], "violin") {
		t.Errorf("topics %q, want the violin first", got)
	}
}

// Whatever is said, a document is bounded, valid and quotes nothing but what was said.
func TestDigestOfAnything(t *testing.T) {
	w := newFixture(t, nil)
	pieces := []string{"I'll take the refund.", "Where is it?", "yes", "Shall I cancel it?", "O-12345", "Ada Lovelace", "\n", "漢字。", "🙂", " ", "x@y.example", "2026-13-45", "'", "\"?", "…", strings.Repeat("long ", 300)}
	rapid.Check(t, func(r *rapid.T) {
		var messages []memory.Message
		for i := range rapid.IntRange(1, 30).Draw(r, "messages") {
			role := rapid.SampledFrom([]memory.Role{memory.User, memory.Agent, memory.Tool, memory.System}).Draw(r, "role")
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6).Draw(r, "text"), rapid.SampledFrom([]string{"", " "}).Draw(r, "between"))
			messages = append(messages, memory.Message{Seq: int64(i + 1), Role: role, Text: text, Timestamp: w.clock})
		}
		d, err := w.tier.digest(w.ctx, keyOf("ada/shop/x"), messages, nil)
		if err != nil {
			r.Fatal(err)
		}
		if d.Title == "" || utf8.RuneCountInString(d.Title) > maxTitle+1 || len(d.Topics) > maxTopics || len(d.Entities) > maxEntities ||
			len(d.Decisions) > maxDecisions || len(d.Questions) > maxQuestions || len(d.Dates) > maxDates || len(d.Words) > maxTerms ||
			utf8.RuneCountInString(d.Summary) > maxSummary+1 || strings.ContainsAny(d.Text(), "\n\r") || !utf8.ValidString(d.Text()) {
			r.Fatalf("document %+v", d)
		}
		v, err := d.view(keyOf("ada/shop/x"), 0, w.clock)
		if err != nil {
			r.Fatal(err)
		}
		again, err := documentOf(&v)
		if err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(d.Text(), again.Text()); diff != "" {
			r.Fatalf("read back (-want +got):\n%s", diff)
		}
	})
}

// A document that cannot be read is made again from the messages.
func TestDamagedDocuments(t *testing.T) {
	w := newFixture(t, &Options{RangeMessages: 2})
	w.talk("ada/shop/one", refunded...)
	w.archive("ada/shop/one")
	before := w.docs("ada/shop/one")
	for _, data := range []string{"", "{", `{"version":99}`, `{"version":1,"from_seq":-4,"to_seq":2}`} {
		v := memory.View{Key: keyOf("ada/shop/one"), Tier: Name, ID: viewID(1), UpTo: 2, Data: []byte(data)}
		if n, err := w.store.PutViews(w.ctx, []memory.View{v}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		w.open(&Options{RangeMessages: 2})
		if got := w.found("ada", "refund for the lamp"); len(got) != 0 {
			t.Errorf("%q: found %q", data, got)
		}
		if n := w.archive("ada/shop/one"); n != 2 {
			t.Errorf("%q: %d documents made again, want 2", data, n)
		}
	}
	if diff := cmp.Diff(len(before), len(w.docs("ada/shop/one"))); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
}

// Turns, jobs, searches and additions at the same time.
func TestConcurrency(t *testing.T) {
	w := newFixture(t, &Options{ThresholdCount: 4, RangeMessages: 4, Keep: 2, CrossSession: recall.CrossSession{Enabled: true, Always: true}, MaxScopes: 1})
	var wg sync.WaitGroup
	for _, user := range []string{"ada", "bob", "eve"} {
		wg.Go(func() {
			for range 20 {
				key := keyOf(user + "/shop/one")
				s, err := memory.NewConversations(w.store, 8).ForSession(w.ctx, key)
				if err != nil {
					t.Error(err)
					return
				}
				s.Append(memory.Message{Role: memory.User, Text: user + " wants a lamp", Timestamp: w.clock})
				if err := s.Commit(w.ctx, w.clock); err != nil {
					t.Error(err)
				}
				if err := w.tier.Work(w.ctx, memory.Job{Key: key}); err != nil {
					t.Error(err)
				}
				var c memory.Context
				if err := w.tier.Contribute(w.ctx, memory.Request{Key: keyOf(user + "/shop/two"), Text: "lamp"}, &c); err != nil {
					t.Error(err)
				}
				for _, r := range c.Recalled {
					if r.Key.UserID != user && r.Key.UserID != Owner {
						t.Errorf("%s was told of %s", user, r.Key.UserID)
					}
				}
				if _, err := w.tier.Add(w.ctx, "shop", Source{Name: user, Text: "All about lamps."}); err != nil {
					t.Error(err)
				}
				w.tier.Drop(user)
			}
		})
	}
	wg.Wait()
}

// broken is a store that goes down while documents are written, as a process does that is
// killed: before the write, or after it.
type broken struct {
	memory.Backend
	left  int // writes until then
	after bool
}

var errKilled = errors.New("killed")

func (b *broken) PutViews(ctx context.Context, views []memory.View) (int, error) {
	if b.left--; b.left >= 0 {
		return b.Backend.PutViews(ctx, views)
	}
	if b.left == -1 && b.after {
		_, _ = b.Backend.PutViews(ctx, views)
	}
	return 0, errKilled
}

// Whenever the work is cut off, the next run finishes it, and nothing is there twice.
func TestKilledWhileArchiving(t *testing.T) {
	opts := Options{ThresholdCount: 10, RangeMessages: 4, Keep: 2}
	ranges := func(w *fixture) (out [][2]int64) {
		for _, d := range w.docs("ada/shop/one") {
			out = append(out, [2]int64{d.From, d.To})
		}
		return out
	}
	want := [][2]int64{{1, 4}, {5, 8}, {9, 12}, {13, 16}, {17, 20}}
	for left := range len(want) + 1 {
		for _, after := range []bool{false, true} {
			w := newFixture(t, &opts)
			for range 11 {
				w.turn("ada/shop/one", "Where is my lamp?", "In Bergen.")
			}
			whole := w.store
			w.store = &broken{Backend: whole, left: left, after: after}
			w.open(&opts)
			err := w.tier.Work(w.ctx, memory.Job{Key: keyOf("ada/shop/one")})
			if (err != nil) != (left < len(want)) {
				t.Fatalf("cut off after %d writes: %v", left, err)
			}
			w.store = whole
			w.open(&opts)
			w.work("ada/shop/one")
			if diff := cmp.Diff(want, ranges(w)); diff != "" {
				t.Errorf("cut off after %d writes (-want +got):\n%s", left, diff)
			}
		}
	}
}

// Two workers with other limits at the same time leave documents that overlap; they are
// told once, and put right by the next run.
func TestOverlappingDocuments(t *testing.T) {
	w := newFixture(t, &Options{RangeMessages: 4})
	for range 6 {
		w.turn("ada/shop/one", "Where is my lamp?", "In Bergen.")
	}
	w.archive("ada/shop/one")
	stray := Document{Version: version, From: 3, To: 10, Messages: 8, Words: map[string]int{"lamp": 1}}
	v, err := stray.view(keyOf("ada/shop/one"), 0, w.clock)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.store.PutViews(w.ctx, []memory.View{v}); err != nil {
		t.Fatal(err)
	}
	w.open(nil)
	if got := w.search(Query{Key: keyOf("ada/shop/now"), Text: "lamp", Limit: 10}); len(got) != 3 {
		t.Errorf("found %d, want 3", len(got))
	}
	if w.archive("ada/shop/one"); len(w.docs("ada/shop/one")) != 3 {
		t.Errorf("%d documents, want 3", len(w.docs("ada/shop/one")))
	}
}
