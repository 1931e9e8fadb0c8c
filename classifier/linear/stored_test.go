package linear

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/classifier/internal/modelfile"
)

// letters embeds a text by its letters: enough to be told from others.
type letters struct{ name string }

func (l letters) Model() string  { return l.name }
func (l letters) Dimension() int { return 26 }

func (l letters) EmbedInto(dst []float32, text string) {
	clear(dst)
	for _, r := range text {
		if r >= 'a' && r <= 'z' {
			dst[r-'a']++
		}
	}
}

// encode is a model as a cache keeps it.
func encode(tb testing.TB, m *Model) []byte {
	tb.Helper()
	b, err := modelfile.Keep("test", m.Stored())
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// decode is the way back.
func decode(data []byte, parts Parts) (*Model, error) {
	var s Stored
	if !modelfile.Load(data, "test", &s) {
		return nil, errors.New("not loaded")
	}
	return Restore(&s, parts)
}

func TestAStoredModelIsTheSame(t *testing.T) {
	for _, e := range []Embedder{nil, letters{"a"}} {
		m := train(t, lights(), &Options{Embedder: e})
		b := encode(t, m)
		got, err := decode(b, Parts{Embedder: e})
		if err != nil {
			t.Fatal(err)
		}
		if again := encode(t, got); !bytes.Equal(b, again) {
			t.Errorf("a decoded model is encoded otherwise")
		}
		for _, text := range []string{"turn on the lamp", "heat it", "quantum physics", ""} {
			if diff := cmp.Diff(m.Rank(text, nil), got.Rank(text, nil)); diff != "" {
				t.Errorf("Rank(%q) (-trained +decoded):\n%s", text, diff)
			}
		}
		if diff := cmp.Diff(m.Intents(), got.Intents()); diff != "" {
			t.Errorf("Intents (-trained +decoded):\n%s", diff)
		}
	}
}

func TestRestoreRefuses(t *testing.T) {
	plain, embedded := encode(t, train(t, lights(), nil)), encode(t, train(t, lights(), &Options{Embedder: letters{"a"}}))
	older := train(t, lights(), nil).Stored()
	older.Version--
	if _, err := Restore(older, Parts{}); !errors.Is(err, ErrForeign) {
		t.Errorf("another version: %v", err)
	}
	for name, tc := range map[string]struct {
		data []byte
		e    Embedder
	}{
		"no embedder":      {embedded, nil},
		"another embedder": {embedded, letters{"b"}},
		"needless":         {plain, letters{"a"}},
	} {
		if m, err := decode(tc.data, Parts{Embedder: tc.e}); m != nil || !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v, %v", name, m != nil, err)
		}
	}
}

func TestSameBytesOnAnyNumberOfProcessors(t *testing.T) {
	set := synthetic(40, 8)
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	want := encode(t, train(t, set, &Options{Embedder: letters{"a"}}))
	for _, n := range []int{2, 3, 8} {
		runtime.GOMAXPROCS(n)
		if got := encode(t, train(t, set, &Options{Embedder: letters{"a"}})); !bytes.Equal(got, want) {
			t.Errorf("GOMAXPROCS %d: another model", n)
		}
	}
}

// synthetic makes up intents of a verb and a thing, said in several ways.
func synthetic(intents, examples int) []Example {
	verbs := []string{"open", "close", "rent", "repair", "paint", "sell", "weigh", "carry", "polish", "count", "hide", "borrow"}
	things := []string{"boat", "garden gate", "piano", "ladder", "engine", "suitcase", "curtain", "barrel", "lantern", "saddle", "kettle", "window", "carpet"}
	ways := []string{"please %s the %s", "i would like to %s a %s", "can you %s my %s tomorrow", "how do i %s this %s", "%s the old %s again", "who will %s our %s", "it is time to %s another %s", "let us %s every %s we have", "is there a way to %s that %s", "%s %s"}
	var set []Example
	for i := range intents {
		for k := range examples {
			text := fmt.Sprintf(ways[(k+i)%len(ways)], verbs[i%len(verbs)], things[i/len(verbs)%len(things)])
			set = append(set, Example{fmt.Sprintf("intent_%03d", i), fmt.Sprintf("%s number%c%c", text, 'a'+k%26, 'a'+i%26)})
		}
	}
	return set
}
