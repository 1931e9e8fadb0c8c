package tagger

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// grammar writes orders of a small kitchen, with their values marked as [text](param).
func grammar(n int) []Example {
	dishes := []string{"soup", "green curry", "fish and chips", "lentil stew", "pie", "noodle salad", "plum cake"}
	guests := []string{"Ana", "Bo Larsen", "Chidi", "Dina O'Neil", "Émile", "Fay Wu Li"}
	forms := []string{
		"bring [D](dish) to [G](guest)", "[G](guest) wants [D](dish)", "one [D](dish) for [G](guest), please",
		"we are out of [D](dish)", "is [G](guest) here yet?", "close the kitchen", "[D](dish)!", "tell [G](guest)'s waiter to hurry",
	}
	var out []Example
	for i := range n {
		form := forms[i%len(forms)]
		form = strings.Replace(form, "[D]", "["+dishes[(i/2)%len(dishes)]+"]", 1)
		form = strings.Replace(form, "[G]", "["+guests[(i/3)%len(guests)]+"]", 1)
		out = append(out, marked(form, "dish", "guest"))
	}
	return out
}

// marked reads [text](param).
func marked(form string, tags ...string) Example {
	e := Example{Sentence: Sentence{Tags: tags}}
	for {
		before, rest, found := strings.Cut(form, "[")
		e.Text += before
		if !found {
			return e
		}
		value, rest, _ := strings.Cut(rest, "](")
		tag, rest, _ := strings.Cut(rest, ")")
		start := len([]rune(e.Text))
		e.Text += value
		e.Spans = append(e.Spans, Span{Tag: tag, Start: start, End: len([]rune(e.Text))})
		form = rest
	}
}

func bare(spans []Span) []Span {
	out := slices.Clone(spans)
	for i := range out {
		out[i].Margin = 0
	}
	return out
}

func TestLearnsGrammar(t *testing.T) {
	examples := grammar(240)
	m := Train(examples, nil)
	for _, e := range examples {
		if diff := cmp.Diff(e.Spans, bare(m.Tag(e.Sentence, nil))); diff != "" {
			t.Errorf("Tag(%q), seen in training (-want +got):\n%s", e.Text, diff)
		}
	}
	for _, form := range []string{
		"bring [roast duck](dish) to [Zoe](guest)", "[Milo Brandt](guest) wants [goulash](dish)",
		"one [paella](dish) for [Ines](guest), please", "is [Ravi](guest) here yet?", "close the kitchen", "tell [Noor](guest)'s waiter to hurry",
	} {
		e := marked(form, "dish", "guest")
		if diff := cmp.Diff(e.Spans, bare(m.Tag(e.Sentence, nil))); diff != "" {
			t.Errorf("Tag(%q), of new words (-want +got):\n%s", e.Text, diff)
		}
	}
}

// TestAskedDecides gives the same words to the param that is being asked for.
func TestAskedDecides(t *testing.T) {
	var examples []Example
	towns := strings.FieldsSeq("Ulm Bonn Kiel Trier Mainz Jena Gera Hof Celle Emden Suhl Worms")
	for town := range towns {
		for _, asked := range []string{"from", "to"} {
			for _, form := range []string{"[T](%s)", "it's [T](%s)", "let's say [T](%s) then"} {
				e := marked(fmt.Sprintf(strings.Replace(form, "T", town, 1), asked), "from", "to")
				e.Asked = []string{asked}
				examples = append(examples, e)
			}
		}
	}
	m := Train(examples, nil)
	for _, asked := range []string{"from", "to"} {
		got := bare(m.Tag(Sentence{Text: "let's say Fulda then", Tags: []string{"from", "to"}, Asked: []string{asked}}, nil))
		if diff := cmp.Diff([]Span{{Tag: asked, Start: 10, End: 15}}, got); diff != "" {
			t.Errorf("asked for %s (-want +got):\n%s", asked, diff)
		}
	}
}

// TestHitsDecide learns from what recognisers found where words say nothing.
func TestHitsDecide(t *testing.T) {
	var examples []Example
	for i := range 40 {
		word := fmt.Sprintf("x%c%c", 'a'+i%26, 'a'+i/2)
		e := Example{Sentence: Sentence{Text: "put " + word + " there", Tags: []string{"code"}}}
		if i%2 == 0 {
			e.Hits = []Hit{{"code", 4, 7}}
			e.Spans = []Span{{Tag: "code", Start: 4, End: 7}}
		}
		examples = append(examples, e)
	}
	m := Train(examples, nil)
	in := Sentence{Text: "put qqq there", Tags: []string{"code"}}
	if got := m.Tag(in, nil); len(got) != 0 {
		t.Errorf("without a hit: %v, want nothing", got)
	}
	in.Hits = []Hit{{"code", 4, 7}}
	if diff := cmp.Diff([]Span{{Tag: "code", Start: 4, End: 7}}, bare(m.Tag(in, nil))); diff != "" {
		t.Errorf("with a hit (-want +got):\n%s", diff)
	}
}

func TestRestriction(t *testing.T) {
	m := Train(grammar(240), nil)
	for _, tags := range [][]string{{"guest"}, {"dish"}, {"unknown", "dish"}, {"unknown"}, nil} {
		for _, s := range m.Tag(Sentence{Text: "bring soup to Ana", Tags: tags}, nil) {
			if !slices.Contains(tags, s.Tag) {
				t.Errorf("with tags %v: found %s", tags, s.Tag)
			}
		}
	}
}

func TestNothingToLearn(t *testing.T) {
	for name, examples := range map[string][]Example{
		"no examples": nil,
		"no spans":    {{Sentence: Sentence{Text: "hello", Tags: []string{"dish"}}}},
		"not allowed": {{Sentence: Sentence{Text: "soup"}, Spans: []Span{{Tag: "dish", Start: 0, End: 4}}}},
	} {
		if m := Train(examples, nil); m != nil {
			t.Errorf("%s: a model of %v", name, m.tags)
		}
	}
	var m *Model
	if got := m.Tag(Sentence{Text: "soup", Tags: []string{"dish"}}, nil); got != nil || m.Spans("dish") != 0 {
		t.Errorf("a nil model found %v", got)
	}
	few := Train(grammar(24), &Options{MinSpans: 100})
	if few != nil {
		t.Error("learned params below MinSpans")
	}
}

func TestTrainingIsDeterministic(t *testing.T) {
	a, b := encoded(t, Train(grammar(100), nil)), encoded(t, Train(grammar(100), nil))
	if !bytes.Equal(a, b) {
		t.Error("two trainings on the same examples differ")
	}
	if c := encoded(t, Train(grammar(100), &Options{Seed: 2})); bytes.Equal(a, c) {
		t.Error("the seed changes nothing")
	}
}

// TestPairs learns words that are the value of two params, and still those of one.
func TestPairs(t *testing.T) {
	var examples []Example
	for i := range 60 {
		place := []string{"north", "upper east", "harbour", "old"}[i%4]
		for _, form := range []string{"meet in the P hall", "meet in the [P](room) room", "meet at the P stop in [N](wait) rounds"} {
			e := marked(strings.NewReplacer("P", place, "N", fmt.Sprint(i%7+2)).Replace(form), "room", "stop", "wait")
			if at := strings.Index(e.Text, place+" stop"); at >= 0 {
				for _, tag := range []string{"stop", "room"} {
					e.Spans = append(e.Spans, Span{Tag: tag, Start: at, End: at + len(place)})
				}
			}
			examples = append(examples, e)
		}
	}
	m := Train(examples, nil)
	for _, tc := range []struct {
		text string
		tags []string
		want []Span
	}{
		{"meet at the lower west stop in 9 rounds", []string{"room", "stop", "wait"}, []Span{
			{Tag: "room", Start: 12, End: 22}, {Tag: "stop", Start: 12, End: 22}, {Tag: "wait", Start: 31, End: 32},
		}},
		{"meet in the lower west room", []string{"room", "stop", "wait"}, []Span{{Tag: "room", Start: 12, End: 22}}},
	} {
		got := bare(m.Tag(Sentence{Text: tc.text, Tags: tc.tags}, nil))
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("Tag(%q) (-want +got):\n%s", tc.text, diff)
		}
	}
	for _, s := range m.Tag(Sentence{Text: "meet at the lower west stop", Tags: []string{"stop"}}, nil) {
		if s.Tag != "stop" {
			t.Errorf("found %s, which is not allowed", s.Tag)
		}
	}
}

// TestSpansHold feeds anything: spans lie in the text, do not overlap, are not empty, and
// a second look finds the same.
func TestSpansHold(t *testing.T) {
	m := Train(grammar(120), nil)
	vocabulary := []string{"bring", "soup", "Ana", "’s", "O'Neil", "\xff", "é", "…", "12", "7pm", "\u00a0", ",", "to", "👍", "fish", "and", "chips"}
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(vocabulary)).Draw(rt, "words"), " ") + rapid.String().Draw(rt, "tail")
		n := len([]rune(text))
		in := Sentence{Text: text, Tags: []string{"dish", "guest"}}
		for range rapid.IntRange(0, 3).Draw(rt, "hits") {
			in.Hits = append(in.Hits, Hit{"any", rapid.IntRange(-1, n+1).Draw(rt, "start"), rapid.IntRange(-1, n+1).Draw(rt, "end")})
		}
		got := m.Tag(in, nil)
		if diff := cmp.Diff(got, m.Tag(in, nil)); diff != "" {
			rt.Fatalf("two readings differ: %s", diff)
		}
		end := 0
		for _, s := range got {
			if s.Start < end || s.End <= s.Start || s.End > n || s.Margin < 0 {
				rt.Fatalf("span %+v of a text of %d", s, n)
			}
			end = s.End
		}
	})
}

// TestTrainHolds trains on spans of any kind.
func TestTrainHolds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var examples []Example
		for range rapid.IntRange(1, 4).Draw(rt, "examples") {
			e := Example{Sentence: Sentence{Text: rapid.String().Draw(rt, "text"), Tags: []string{"a", "b"}}}
			for range rapid.IntRange(0, 3).Draw(rt, "spans") {
				e.Spans = append(e.Spans, Span{
					Tag: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "tag"), Start: rapid.IntRange(-2, 9).Draw(rt, "start"), End: rapid.IntRange(-2, 9).Draw(rt, "end"),
				})
			}
			examples = append(examples, e)
		}
		if m := Train(examples, &Options{Passes: 2}); m != nil {
			m.Tag(examples[0].Sentence, nil)
		}
	})
}

// TestMarginsAreExact compares the margin of a span with all readings of a short message.
func TestMarginsAreExact(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var l lattice
		n, params := rapid.IntRange(1, 4).Draw(rt, "tokens"), 2
		l.reset(n, 1+2*params)
		score := rapid.Float32Range(-4, 4)
		for i := range l.emission {
			l.emission[i] = score.Draw(rt, "emission")
		}
		weights := make([]float32, l.tags*l.tags)
		for i := range weights {
			weights[i] = score.Draw(rt, "transition")
		}
		l.link(weights, l.tags, []int32{0, 1})
		best := l.viterbi()
		l.lookBack()
		all := readings(&l, weights)
		top := float32(-1e9)
		for _, r := range all {
			top = max(top, r.score)
		}
		if d := best - top; d > 1e-3 || d < -1e-3 {
			rt.Fatalf("best reading %v, want %v", best, top)
		}
		for from := 0; from < n; from++ {
			if l.path[from] == 0 {
				continue
			}
			to := from + 1
			for to < n && l.path[to]%2 == 0 && l.path[to] > 0 {
				to++
			}
			rival := float32(-1e9)
			for _, r := range all {
				same := slices.Equal(r.path[from:to], l.path[from:to])
				in := l.path[from] + 1
				if !same || to < n && r.path[to] == in {
					rival = max(rival, r.score)
				}
			}
			if d := l.margin(best, from, to) - (best - rival); d > 1e-2 || d < -1e-2 {
				rt.Fatalf("margin %v, want %v", l.margin(best, from, to), best-rival)
			}
			from = to - 1
		}
	})
}

type reading struct {
	path  []int32
	score float32
}

// readings lists every path that BIO allows.
func readings(l *lattice, weights []float32) []reading {
	out := []reading{{}}
	for i := range l.n {
		var next []reading
		for _, r := range out {
			for k := range int32(l.tags) {
				score := r.score + l.emission[i*l.tags+int(k)]
				if i > 0 {
					last := r.path[i-1]
					if k > 0 && k%2 == 0 && last != k-1 && last != k {
						continue
					}
					score += weights[int(last)*l.tags+int(k)]
				} else if k > 0 && k%2 == 0 {
					continue
				}
				next = append(next, reading{append(slices.Clone(r.path), k), score})
			}
		}
		out = next
	}
	return out
}

func BenchmarkTag(b *testing.B) {
	m := Train(grammar(240), nil)
	in := Sentence{Text: "bring fish and chips to Dina O'Neil, please", Tags: []string{"dish", "guest"}}
	var spans []Span
	b.ReportAllocs()
	for b.Loop() {
		spans = m.Tag(in, spans[:0])
	}
}

func BenchmarkTrain(b *testing.B) {
	examples := grammar(2000)
	b.ReportAllocs()
	for b.Loop() {
		Train(examples, nil)
	}
}
