package embed

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func newStatic(t testing.TB) *Static {
	t.Helper()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *Static) vector(text string) []float32 {
	v := make([]float32, s.Dimension())
	s.EmbedInto(v, text)
	return v
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestNearer(t *testing.T) {
	s := newStatic(t)
	tests := []struct{ text, near, far string }{
		{"refund", "reimburse", "weather"},
		{"cancel my subscription", "I want to stop my membership", "what will the weather be"},
		{"the parcel has not arrived", "where is my package", "please change my password"},
		{"what is the forecast for tomorrow", "will it rain", "transfer money to my savings"},
		{"book a table for dinner", "reserve a seat at a restaurant", "my card was stolen"},
		{"turn the music up", "make the song louder", "how do I renew my passport"},
		{"I can't log in", "trouble signing into my account", "recommend a film"},
		{"my dog is ill", "a sick puppy", "the stock exchange"},
		{"she moved to Sweden", "Stockholm", "cucumber"},
		{"doctor", "physician", "guitar"},
		{"colour", "color", "engine"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			v := s.vector(test.text)
			near, far := dot(v, s.vector(test.near)), dot(v, s.vector(test.far))
			if near < far+0.1 {
				t.Errorf("cosine to %q %.3f, to %q %.3f; want the first nearer by 0.1", test.near, near, test.far, far)
			}
		})
	}
}

func TestSameVector(t *testing.T) {
	s := newStatic(t)
	tests := []struct{ name, a, b string }{
		{"case", "Cancel MY Order", "cancel my order"},
		{"punctuation", "cancel... my order!?", "cancel my order"},
		{"accents", "café crème à Zürich", "cafe creme a zurich"},
		{"apostrophes", "I don’t know", "I don't know"},
		{"number", "order 12,345.67 now", "order 8 now"},
		{"invalid bytes", "cancel\xff my\xc3 order", "cancel my order"},
		{"other scripts", "заказ cancel my order 注文", "cancel my order"},
		{"order of words", "order my cancel", "cancel my order"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(s.vector(test.b), s.vector(test.a)); diff != "" {
				t.Errorf("%q and %q differ (-want +got):\n%s", test.b, test.a, diff)
			}
		})
	}
}

func TestWordsBeyondTheVocabulary(t *testing.T) {
	s := newStatic(t)
	tests := []struct{ text, near, far string }{
		{"cancelllation", "cancel", "weather"},
		{"passwordless", "password", "banana"},
		{"microwaveable", "microwave", "lawyer"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			v := s.vector(test.text)
			if near, far := dot(v, s.vector(test.near)), dot(v, s.vector(test.far)); near <= far {
				t.Errorf("cosine to %q %.3f, to %q %.3f; want the first nearer", test.near, near, test.far, far)
			}
		})
	}
}

func TestZeroWithoutKnownWord(t *testing.T) {
	s := newStatic(t)
	for _, text := range []string{"", " \t\n", "?!…", "привет", "こんにちは", "\xff\xfe", "🙂"} {
		for i, x := range s.vector(text) {
			if x != 0 {
				t.Errorf("%q has %v in dimension %d, want zeros", text, x, i)
				break
			}
		}
	}
}

func TestEmbedIntoOverwrites(t *testing.T) {
	s := newStatic(t)
	v := s.vector("refund")
	s.EmbedInto(v, "")
	if diff := cmp.Diff(make([]float32, s.Dimension()), v); diff != "" {
		t.Errorf("the former content shows (-want +got):\n%s", diff)
	}
}

func TestEmbedIntoWrongLengthPanics(t *testing.T) {
	s := newStatic(t)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	s.EmbedInto(make([]float32, s.Dimension()-1), "refund")
}

func TestUnitLength(t *testing.T) {
	s := newStatic(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-zA-Z]{1,12}[ ,.'0-9]){0,40}`).Draw(t, "text")
		checkVector(t, s, text)
	})
}

// checkVector fails unless the vector of text is finite and of length one or zero.
func checkVector(t interface{ Fatalf(string, ...any) }, s *Static, text string) {
	v := s.vector(text)
	square := dot(v, v)
	if math.IsNaN(square) || square != 0 && math.Abs(square-1) > 1e-4 {
		t.Fatalf("a text of %d bytes has a vector of squared length %v", len(text), square)
	}
	for i, again := range s.vector(text) {
		if again != v[i] {
			t.Fatalf("a second call gave %v in dimension %d, the first %v", again, i, v[i])
		}
	}
}

func TestLongText(t *testing.T) {
	s := newStatic(t)
	checkVector(t, s, strings.Repeat("refund ", 3*maxRows))
	checkVector(t, s, strings.Repeat("q", 1<<20))
	long, short := s.vector(strings.Repeat("refund ", 3*maxRows)), s.vector("refund")
	if got := dot(long, short); got < 0.9999 {
		t.Errorf("the same word many times has cosine %v to the word, want 1", got)
	}
}

func TestEmbed(t *testing.T) {
	s := newStatic(t)
	texts := []string{"cancel my order", "", "where is my parcel"}
	got, err := s.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	var want [][]float32
	for _, text := range texts {
		want = append(want, s.vector(text))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Embed (-want +got):\n%s", diff)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Embed(ctx, texts); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: error %v", err)
	}
}

func TestModel(t *testing.T) {
	s := newStatic(t)
	if !strings.HasPrefix(s.Model(), "static-minilm-") || !utf8.ValidString(s.Model()) {
		t.Errorf("model %q", s.Model())
	}
	if s.Dimension() != 256 {
		t.Errorf("dimension %d", s.Dimension())
	}
	if len(staticTable) > 13_000_000 {
		t.Errorf("the table has %d bytes, its limit is 13 million", len(staticTable))
	}
}

func TestEmbedIntoAllocatesNothing(t *testing.T) {
	s := newStatic(t)
	v := make([]float32, s.Dimension())
	for _, text := range []string{message, "zyxxwv flibbertigibbeted", "Zürich’s cafés", "1 2 3"} {
		if n := testing.AllocsPerRun(100, func() { s.EmbedInto(v, text) }); n != 0 {
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}

func TestFold(t *testing.T) {
	for r, want := range map[rune]byte{
		'à': 'a', 'Ç': 'c', 'é': 'e', 'ï': 'i', 'Ñ': 'n', 'ö': 'o', 'ü': 'u', 'ÿ': 'y', 'ß': 's',
		'Č': 'c', 'ğ': 'g', 'ł': 'l', 'Ő': 'o', 'š': 's', 'ų': 'u', 'Ž': 'z', 'ſ': 's',
		'×': 0, '÷': 0, '¿': 0, 'ƀ': 0, 'д': 0, '漢': 0, utf8.RuneError: 0,
	} {
		if got := fold(r); got != want {
			t.Errorf("fold(%q) = %q, want %q", r, got, want)
		}
	}
}

func FuzzEmbedInto(f *testing.F) {
	s := newStatic(f)
	for _, seed := range []string{message, "", "don’t", "\xff\xc3", "12,3.4", "ſtraße", strings.Repeat("x", 100)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkVector(t, s, text) })
}

// message has ten words.
const message = "Hi, I would like to return the shoes from yesterday"

// The front is the whole vector's first part, brought to unit length.
func TestFront(t *testing.T) {
	s := newStatic(t)
	whole, front := make([]float32, s.Dimension()), make([]float32, 16)
	f := s.Front(16)
	for _, text := range []string{"where is my refund", "zzzqqq", ""} {
		s.EmbedInto(whole, text)
		f.EmbedInto(front, text)
		var square float64
		for _, v := range whole[:16] {
			square += float64(v) * float64(v)
		}
		for i, v := range front {
			want := float64(whole[i])
			if square > 0 {
				want /= math.Sqrt(square)
			}
			if math.Abs(want-float64(v)) > 1e-6 {
				t.Errorf("%q: dimension %d is %v, want %v", text, i, v, want)
			}
		}
	}
	if f.Model() == s.Model() || f.Dimension() != 16 {
		t.Errorf("front is %s of %d dimensions", f.Model(), f.Dimension())
	}
	if n := testing.AllocsPerRun(100, func() { f.EmbedInto(front, "where is my refund") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestKnows: whole words of the vocabulary are known, pieces of words and misspellings are not.
func TestKnows(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	f := s.Front(8)
	for w := range strings.FieldsSeq("burst pipe fire sink wire wind shift hire blood house red") {
		if !f.Knows(w) {
			t.Errorf("%q is not known", w)
		}
	}
	for _, w := range append(strings.Fields("fier burglery exspress delivry adress recieve doubel meduim #ing Fire größe"), "", "a pipe") {
		if f.Knows(w) {
			t.Errorf("%q is known", w)
		}
	}
}

// Words are ranked by how frequent they are; pieces, numbers and other letters have no rank.
func TestRank(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	f := s.Front(64)
	last := -1
	for _, word := range []string{"the", "card", "refund"} {
		rank, ok := f.Rank([]byte(word))
		if !ok || rank <= last {
			t.Errorf("Rank(%q) = %d, %t behind %d", word, rank, ok, last)
		}
		last = rank
	}
	for _, word := range []string{"", "0", "#ing", "Card", "recieve", "ärger"} {
		if rank, ok := f.Rank([]byte(word)); ok {
			t.Errorf("Rank(%q) = %d", word, rank)
		}
	}
}
