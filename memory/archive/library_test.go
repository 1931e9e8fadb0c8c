package archive

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/seal"
)

const manual = `# The lamp

The lamp has a switch at its foot. Press the switch twice for a dim light.

## Care

Clean the shade with a dry cloth. Never open the transformer, which has no parts that you can repair.

## Guarantee

The guarantee lasts three years. It covers the transformer but not the bulb.
`

func (w *fixture) add(agent, name, text string) Added {
	w.Helper()
	a, err := w.tier.Add(w.ctx, agent, Source{Name: name, Text: text})
	if err != nil {
		w.Fatal(err)
	}
	return a
}

// All users of an agent find its documents, those of another agent do not.
func TestDocumentsOfAnAgent(t *testing.T) {
	w := newFixture(t, &Options{ChunkSize: 30, ChunkOverlap: 5})
	a := w.add("shop", "lamp.md", manual)
	if a.Title != "The lamp" || a.Pieces < 3 || !a.Changed {
		t.Fatalf("Add = %+v", a)
	}
	for _, user := range []string{"ada", "bob"} {
		got := w.search(Query{Key: keyOf(user + "/shop/now"), Text: "Does the guarantee cover the transformer?", Exclude: "lamp.md"})
		if len(got) == 0 || got[0].Type != Documents || got[0].Key.SessionID != "lamp.md" || !strings.Contains(got[0].Excerpt, "guarantee lasts") || !strings.Contains(manual, got[0].Text) {
			t.Errorf("%s found %+v", user, got)
		}
		if got := w.search(Query{Key: keyOf(user + "/bank/now"), Text: "lamp", Threshold: new(float64(0))}); len(got) != 0 {
			t.Errorf("%s found %+v with another agent", user, got)
		}
		if got := w.search(Query{Key: keyOf(user + "/shop/now"), Type: Conversations, Text: "lamp", Threshold: new(float64(0))}); len(got) != 0 {
			t.Errorf("%s found %+v among conversations", user, got)
		}
	}
}

func TestAddAgain(t *testing.T) {
	w := newFixture(t, nil)
	w.add("shop", "lamp.md", manual)
	if a := w.add("shop", "lamp.md", manual); a.Changed {
		t.Error("the same text changed something")
	}
	if a := w.add("shop", "lamp.md", "The lamp is out of production. A chandelier is not."); !a.Changed {
		t.Error("another text changed nothing")
	}
	find := func(text string) int {
		return len(w.search(Query{Key: keyOf("ada/shop/now"), Text: text}))
	}
	if find("guarantee") != 0 || find("chandelier") != 1 {
		t.Errorf("found %d of the old and %d of the new text", find("guarantee"), find("chandelier"))
	}
	// Nobody looks after documents for years, and they stay.
	if n, err := w.store.Prune(w.ctx, w.clock.AddDate(5, 0, 0)); n != 0 || err != nil {
		t.Errorf("Prune = %d, %v", n, err)
	}
	if find("chandelier") != 1 {
		t.Error("the document was pruned")
	}
	if err := w.tier.Remove(w.ctx, "shop", "lamp.md"); err != nil || find("chandelier") != 0 {
		t.Errorf("Remove: %v; found %d", err, find("chandelier"))
	}
	if err := w.tier.Remove(w.ctx, "shop", "lamp.md"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("Remove again: %v", err)
	}
}

func TestAddRefuses(t *testing.T) {
	w := newFixture(t, nil)
	for _, test := range []struct {
		src  Source
		want error
	}{
		{Source{Name: "a", Text: " \n"}, ErrEmpty},
		{Source{Name: "", Text: "x"}, memory.ErrBadKey},
		{Source{Name: strings.Repeat("n", 300), Text: "x"}, memory.ErrBadKey},
		{Source{Name: "a", Text: strings.Repeat("x", MaxDocument+1)}, ErrTooLarge},
	} {
		if _, err := w.tier.Add(w.ctx, "shop", test.src); !errors.Is(err, test.want) {
			t.Errorf("Add(%.10q): %v, want %v", test.src.Name, err, test.want)
		}
	}
	if a := w.add("shop", "bytes.txt", "a lamp \xff\xfe"); a.Pieces != 1 {
		t.Errorf("bytes that are no text: %+v", a)
	}
}

func TestList(t *testing.T) {
	w := newFixture(t, nil)
	w.add("shop", "lamp.md", manual)
	w.talk("ada/shop/one", refunded...)
	w.talk("ada/shop/now", refunded...)
	w.talk("bob/shop/two", refunded...)
	for _, s := range []string{"ada/shop/one", "ada/shop/now", "bob/shop/two"} {
		w.archive(s)
	}
	names := func(q Query) (out []string) {
		q.Key, q.Exclude = keyOf("ada/shop/now"), "now"
		list, err := w.tier.List(w.ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			out = append(out, string(l.Type)+" "+l.SessionID)
		}
		return out
	}
	for _, test := range []struct {
		q    Query
		want []string
	}{
		{Query{Limit: 10}, []string{"conversations one", "documents lamp.md"}},
		{Query{Limit: 1}, []string{"conversations one"}},
		{Query{Type: Documents}, []string{"documents lamp.md"}},
		{Query{Type: Conversations}, []string{"conversations one"}},
	} {
		if diff := cmp.Diff(test.want, names(test.q)); diff != "" {
			t.Errorf("List(%+v) (-want +got):\n%s", test.q, diff)
		}
	}
	if _, err := w.tier.List(w.ctx, Query{Key: keyOf("ada/shop/now"), Type: "everyone"}); err == nil {
		t.Error("a type that is none was accepted")
	}
}

// Documents and conversations are sealed as sessions are.
func TestEncryptedStore(t *testing.T) {
	w := newFixture(t, nil)
	keys, err := seal.ParseKeys(strings.Repeat("ab", 32))
	if err != nil {
		t.Fatal(err)
	}
	plain := w.store
	w.store = seal.New(plain, keys)
	w.open(nil)
	w.add("shop", "lamp.md", manual)
	w.talk("ada/shop/one", refunded...)
	w.archive("ada/shop/one")
	if got := w.search(Query{Key: keyOf("ada/shop/now"), Text: "lamp", Limit: 10}); len(got) != 2 {
		t.Errorf("found %d, want 2", len(got))
	}
	if views, err := plain.Views(w.ctx, memory.ViewQuery{Tier: Name}); err != nil || len(views) != 0 {
		t.Errorf("without a key %d views, %v", len(views), err)
	}
	if list, err := plain.Messages(w.ctx, documentKey("shop", "lamp.md"), memory.Page{}); !errors.Is(err, seal.ErrNoKey) {
		t.Errorf("without a key %d pieces, %v", len(list), err)
	}
}

func TestExcerpt(t *testing.T) {
	text := strings.Repeat("Nothing of interest stands here. ", 60) + "The transformer hums at night. " + strings.Repeat("Nor does it here. ", 60)
	got := excerpt(text, []string{stemOf("transformer"), stemOf("night")}, 100)
	if !strings.Contains(got, "The transformer hums at night.") || utf8.RuneCountInString(got) > 101 {
		t.Errorf("excerpt = %q", got)
	}
	if got := excerpt("", nil, 100); got != "" {
		t.Errorf("excerpt of nothing = %q", got)
	}
	if got := excerpt(strings.Repeat("漢", 500), nil, 100); !utf8.ValidString(got) || utf8.RuneCountInString(got) > 101 {
		t.Errorf("excerpt = %q", got)
	}
}

// judge is a reranker made of a function.
type judge func(ctx context.Context, question string, texts []string) ([]float64, error)

func (j judge) Rerank(ctx context.Context, question string, texts []string) ([]float64, error) {
	return j(ctx, question, texts)
}

func TestRerank(t *testing.T) {
	search := func(r Reranker, most time.Duration) []string {
		w := newFixture(t, &Options{Reranker: r, RerankTime: most, CrossSession: recall.CrossSession{Enabled: true, Always: true}})
		w.talk("ada/shop/one", "The lamp, the lamp, the lamp is broken.", "I see.")
		w.talk("ada/shop/two", "The lamp is blue and it is large and it is heavy.", "I see.")
		w.talk("ada/shop/three", "The lamp is lost, and so are the kettle, the bed, the chair and the carpet.", "I see.")
		for _, s := range []string{"one", "two", "three"} {
			w.archive("ada/shop/" + s)
		}
		var c memory.Context
		if err := w.tier.Contribute(w.ctx, w.session("ada/shop/now").Request("lamp", w.clock, 0), &c); err != nil || len(c.Recalled) != 3 {
			t.Fatalf("recalled %d, %v", len(c.Recalled), err)
		}
		var out, told []string
		for _, f := range w.search(Query{Key: keyOf("ada/shop/now"), Text: "lamp", Limit: 2}) {
			out = append(out, f.Key.SessionID)
		}
		for i := range c.Recalled {
			told = append(told, c.Recalled[i].Key.SessionID)
		}
		if !slices.Equal(told[:2], out) {
			t.Errorf("a turn is told %q, a search finds %q", told, out)
		}
		return out
	}
	plain := search(nil, time.Minute)
	if len(plain) != 2 || plain[0] != "one" {
		t.Fatalf("without a reranker %q", plain)
	}
	calls := 0
	reversed := search(judge(func(_ context.Context, _ string, texts []string) ([]float64, error) {
		calls++
		out := make([]float64, len(texts))
		for i := range out {
			out[i] = float64(i)
		}
		return out, nil
	}), time.Minute)
	if calls != 2 || len(reversed) != 2 || slices.Contains(reversed, "one") {
		t.Errorf("reranked %q after %d calls", reversed, calls)
	}
	for name, hostile := range map[string]judge{
		"error":    func(context.Context, string, []string) ([]float64, error) { return nil, errors.New("down") },
		"too few":  func(context.Context, string, []string) ([]float64, error) { return []float64{1}, nil },
		"too many": func(context.Context, string, []string) ([]float64, error) { return make([]float64, 99), nil },
		"nan": func(_ context.Context, _ string, texts []string) ([]float64, error) {
			return slices.Repeat([]float64{math.NaN()}, len(texts)), nil
		},
		"infinite": func(_ context.Context, _ string, texts []string) ([]float64, error) {
			return slices.Repeat([]float64{math.Inf(1)}, len(texts)), nil
		},
		"panic": func(context.Context, string, []string) ([]float64, error) { panic("no") },
		"slow": func(ctx context.Context, _ string, texts []string) ([]float64, error) {
			<-ctx.Done()
			return make([]float64, len(texts)), nil
		},
		"meddling": func(_ context.Context, _ string, texts []string) ([]float64, error) {
			clear(texts)
			return make([]float64, len(texts)), nil
		},
	} {
		most := time.Minute
		if name == "slow" {
			most = time.Millisecond
		}
		if got := search(hostile, most); !slices.Equal(got, plain) {
			t.Errorf("%s: %q, want %q", name, got, plain)
		}
	}
}
