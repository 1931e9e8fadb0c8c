package recall

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/memory"
)

// said makes messages of one session from lines "role speaker: text".
func said(lines ...string) []memory.Message {
	var out []memory.Message
	for i, line := range lines {
		who, text, _ := strings.Cut(line, ": ")
		m := memory.Message{Seq: int64(i) + 1, Turn: int64(i) + 1, Role: memory.User, Text: text}
		switch who {
		case "agent":
			m.Role = memory.Agent
		case "user":
		default:
			m.Metadata = map[string]string{SpeakerKey: who}
		}
		out = append(out, m)
	}
	return out
}

func feed(x *index, id string, messages []memory.Message) {
	sn := x.open(id)
	for i := range messages {
		x.add(sn, &messages[i])
	}
}

func near32(a float32, b float64) bool { return math.Abs(float64(a)-b) < 1e-4 }

// TestScore compares with scores worked out by hand, for "red kite" in two sessions:
//
//	a1 red kite | a2 green | a3 green green      b1 red      (one word is one term)
func TestScore(t *testing.T) {
	x := newIndex(nil)
	feed(x, "a", said("user: red kite", "user: green", "user: green green"))
	feed(x, "b", said("user: red"))
	s := x.scratch()
	defer s.release()
	a := &indexQuery{text: "red kite", k: 10, filter: matchAll}
	x.read(s, a)
	x.byWords(s)
	x.complete(s)

	// The mean length is (2+1+2+1)/4 = 1.5, so its floor of 2 words holds for all.
	tf := 1.9 / (1 + .9*.25 + .9*.5*2) // .75/1.5 = .5
	red := math.Log(1 + (4-2+.5)/2.5)
	kite := math.Log(1 + (4-1+.5)/1.5)
	// Sessions: 5 and 1 words, mean 3; red is in both, kite in one.
	length := func(words float64) float64 { return 1.9 / (1 + .9*(.25+.75*words/3)) }
	inBoth, inOne := math.Log(1+.5/2.5), math.Log(2)
	sessA, sessB := .75*(inBoth+inOne)*length(5), .75*inBoth*length(1)
	own1, own4 := (red+kite)*tf, red*tf
	want := []float64{own1 + sessA, .4*own1 + sessA, .1*own1 + sessA, own4 + sessB}
	for n, w := range want {
		got := s.full[n]
		if n == 2 {
			// Two messages away from the only match: it is no candidate by itself.
			p := x.parts(s, uint32(n))
			got = p.sum()
		}
		if !near32(got, w) {
			t.Errorf("score of message %d is %v, worked out %v", n+1, got, w)
		}
	}
}

func TestFactors(t *testing.T) {
	x := newIndex(nil)
	feed(x, "a", said("Anna: the kite", "Ben: hello", "user: nothing", "agent: a kite", "user: or a kite?"))
	s := x.scratch()
	defer s.release()
	x.read(s, &indexQuery{text: "What did Anna say about the kite?", filter: matchAll})
	x.byWords(s)
	got := []float32{}
	for n := range uint32(5) {
		p := x.parts(s, n)
		got = append(got, p.factor())
	}
	if diff := cmp.Diff([]float32{1.75, 1, 1, .5, .8}, got); diff != "" {
		t.Errorf("factors (-want +got):\n%s", diff)
	}
}

func TestAnswerFollowsQuestion(t *testing.T) {
	x := newIndex(nil)
	feed(x, "a", said("Anna: Which kite do you like?", "Ben: The red one.", "Ben: A kite?", "Ben: Sure."))
	s := x.scratch()
	defer s.release()
	x.read(s, &indexQuery{text: "kite", filter: matchAll})
	x.byWords(s)
	p := x.parts(s, 1)
	if want := .7*float64(s.own[0]) + .2*float64(s.own[2]); !near32(p.neighbours, want) {
		t.Errorf("neighbours of an answer give %v, want %v", p.neighbours, want)
	}
	p = x.parts(s, 3)
	if want := .4*float64(s.own[2]) + .1*float64(s.own[1]); !near32(p.neighbours, want) {
		t.Errorf("neighbours after one's own question give %v, want %v", p.neighbours, want)
	}
}

func TestRelatedWords(t *testing.T) {
	x := newIndex([]Embedder{clusters{}})
	feed(x, "a", said("user: we saw a kitten", "user: tall trees", "user: the kitchen", "user: kites fly"))
	hits := x.rank(&indexQuery{text: "kitty", k: 3, filter: matchAll}, true)
	if len(hits) != 3 || hits[0].doc == 1 {
		t.Fatalf("found %+v, want the three with a word like kitty", hits)
	}
	parts := map[string]float64{}
	for _, r := range hits[0].why {
		parts[r.Part] += r.Score
	}
	if parts["related words"] <= 0 || parts["words"] != 0 {
		t.Errorf("explained as %v, want related words only", parts)
	}
	if exact := x.rank(&indexQuery{text: "kitty", k: 3, filter: matchAll, exact: true}, false); len(exact) != 0 {
		t.Errorf("found %v without embedding words", exact)
	}
}

// TestExplainSums holds that the parts of every score sum to it.
func TestExplainSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := newIndex([]Embedder{clusters{}})
		for i := range rapid.IntRange(1, 3).Draw(t, "sessions") {
			feed(x, fmt.Sprint(i), said(rapid.SliceOfN(rapid.StringMatching(
				`(user|agent|Anna|Ben): (red|read|kite|kitten|tree|Anna)( (red|kite|tree|trap)){0,4}\??`), 1, 12).Draw(t, "lines")...))
		}
		a := &indexQuery{text: rapid.StringMatching(`(Anna )?(red|kite|tree|kin|zoo)( (red|trap|new)){0,2}`).Draw(t, "text"), k: 10, filter: matchAll}
		if rapid.Bool().Draw(t, "meaning") {
			a.vec = make([]float32, clusterDim)
			clusters{}.EmbedInto(a.vec, a.text)
			a.meaningOnly = rapid.Bool().Draw(t, "only")
		}
		for _, h := range x.rank(a, true) {
			sum := 0.0
			for _, r := range h.why {
				sum += r.Score
			}
			if math.Abs(sum-float64(h.score)) > 1e-4 {
				t.Fatalf("parts %v sum to %v, the score is %v", h.why, sum, h.score)
			}
			if h.similar < 0 || h.similar > 1.001 {
				t.Fatalf("similarity %v", h.similar)
			}
		}
	})
}

func TestFilter(t *testing.T) {
	x := newIndex(nil)
	messages := said("user: kite one", "agent: kite two", "user: kite three")
	for i := range messages {
		messages[i].Timestamp = time.UnixMicro(int64(i+1) * 1000)
		messages[i].Importance = i
	}
	feed(x, "a", messages)
	feed(x, "b", said("user: kite four"))
	at := func(n int64) time.Time { return time.UnixMicro(n * 1000) }
	tests := []struct {
		name string
		q    Query
		want []uint32
	}{
		{"all", Query{}, []uint32{0, 1, 2, 3}},
		{"session", Query{Key: memory.Key{SessionID: "b"}}, []uint32{3}},
		{"without", Query{ExcludeSession: "a"}, []uint32{3}},
		{"role", Query{Roles: []memory.Role{memory.Agent}}, []uint32{1}},
		{"no such role", Query{Roles: []memory.Role{memory.Tool}}, nil},
		{"time", Query{Since: at(2), Until: at(3)}, []uint32{1}},
		{"importance", Query{MinImportance: 2}, []uint32{2}},
		{"before", Query{currentSession: "a", before: 2}, []uint32{0, 3}},
	}
	for _, test := range tests {
		a := indexQuery{text: "kite", k: 10}
		if !x.filter(&test.q, &a.filter) {
			t.Errorf("%s: nothing passes", test.name)
			continue
		}
		got := map[uint32]bool{}
		for _, h := range x.rank(&a, false) {
			got[h.doc] = true
		}
		want := map[uint32]bool{}
		for _, n := range test.want {
			want[n] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	if x.filter(&Query{Key: memory.Key{SessionID: "c"}}, new(filter)) {
		t.Error("a session that is not there passes")
	}
}

func TestPostings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type posting struct{ Doc, Occur uint32 }
		var p postings
		var want []posting
		next := uint32(0)
		for range rapid.IntRange(0, 50).Draw(t, "n") {
			next += rapid.Uint32Range(0, 100_000).Draw(t, "gap")
			occur := rapid.IntRange(1, 400).Draw(t, "occur")
			p.add(next, occur)
			want = append(want, posting{next, uint32(min(occur, maxOccur))})
			next++
		}
		var got []posting
		for c := p.cursor(); c.next(); {
			got = append(got, posting{c.doc, c.occur})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}
