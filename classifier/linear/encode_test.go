package linear

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
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

func encode(tb testing.TB, m *Model) []byte {
	tb.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// seal mends the checksum of data that a test has changed.
func seal(b []byte) []byte {
	if len(b) < 4 {
		return b
	}
	return modelfile.Seal(slices.Clone(b[:len(b)-4]), 0)
}

func TestDecodeGivesTheSameModel(t *testing.T) {
	for _, e := range []Embedder{nil, letters{"a"}} {
		m := train(t, lights(), &Options{Embedder: e})
		b := encode(t, m)
		got, err := Decode(b, &DecodeOptions{Embedder: e})
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

func TestAppendBinaryAppends(t *testing.T) {
	m := train(t, lights(), nil)
	b, _ := m.AppendBinary([]byte("kept"))
	if !bytes.Equal(b, append([]byte("kept"), encode(t, m)...)) {
		t.Error("AppendBinary does not append what it gives alone")
	}
}

func TestDecodeRefuses(t *testing.T) {
	plain, embedded := encode(t, train(t, lights(), nil)), encode(t, train(t, lights(), &Options{Embedder: letters{"a"}}))
	changed := func(at int, v uint32) []byte {
		b := slices.Clone(plain)
		binary.LittleEndian.PutUint32(b[at:], v)
		return seal(b)
	}
	flipped := slices.Clone(plain)
	flipped[len(flipped)/2] ^= 1
	for name, tc := range map[string]struct {
		data []byte
		e    Embedder
		want error
	}{
		"nothing":          {nil, nil, ErrDamaged},
		"text":             {[]byte("no model at all, but some text"), nil, ErrDamaged},
		"a bit":            {flipped, nil, ErrDamaged},
		"cut":              {plain[:len(plain)-9], nil, ErrDamaged},
		"cut and sealed":   {seal(plain[:len(plain)-9]), nil, ErrDamaged},
		"more":             {seal(append(slices.Clone(plain), 0, 0, 0, 0)), nil, ErrDamaged},
		"format":           {changed(4, format+1), nil, ErrForeign},
		"version":          {changed(8, Version+1), nil, ErrForeign},
		"no scores":        {changed(12, 0), nil, ErrDamaged},
		"many intents":     {changed(16, 1<<31-1), nil, ErrDamaged},
		"no intents":       {changed(16, 0), nil, ErrDamaged},
		"many features":    {changed(20, 1<<31-1), nil, ErrDamaged},
		"many dimensions":  {changed(24, 1<<31-1), nil, ErrDamaged},
		"no embedder":      {embedded, nil, ErrForeign},
		"another embedder": {embedded, letters{"b"}, ErrForeign},
		"needless":         {plain, letters{"a"}, ErrForeign},
	} {
		if m, err := Decode(tc.data, &DecodeOptions{Embedder: tc.e}); m != nil || !errors.Is(err, tc.want) {
			t.Errorf("%s: Decode = %v, %v, want %v", name, m != nil, err, tc.want)
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

func FuzzDecode(f *testing.F) {
	f.Add(encode(f, train(f, lights(), nil)), false)
	f.Add(encode(f, train(f, lights()[:4], &Options{Embedder: letters{"a"}})), true)
	f.Add([]byte(magic), true)
	f.Fuzz(func(t *testing.T, data []byte, whole bool) {
		if whole {
			data = seal(data)
		}
		for _, e := range []Embedder{nil, letters{"a"}} {
			m, err := Decode(data, &DecodeOptions{Embedder: e})
			if err != nil {
				if m != nil || !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrForeign) {
					t.Fatalf("Decode = %v, %v", m, err)
				}
				continue
			}
			m.Rank("please turn on the lights", nil)
			if _, err := m.AppendBinary(nil); err != nil {
				t.Fatal(err)
			}
		}
	})
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
