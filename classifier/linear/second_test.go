package linear

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// counted is an encoder that notes how often it is asked.
type counted struct {
	letters
	asked atomic.Int64
}

func (c *counted) EmbedInto(dst []float32, text string) {
	c.asked.Add(1)
	c.letters.EmbedInto(dst, text)
}

// notes keeps vectors by text.
type notes map[string][]float32

func (n notes) Load(dst []float32, text string) bool { return copy(dst, n[text]) > 0 }
func (n notes) Keep(text string, v []float32)        { n[text] = slices.Clone(v) }

func TestEncoderIsAskedWhereTheFirstModelIsNotSure(t *testing.T) {
	encoder := &counted{letters: letters{"deep"}}
	m := train(t, lights(), &Options{Encoder: encoder})
	plain := train(t, lights(), nil)
	sure, unsure := 0, 0
	for _, text := range []string{
		"turn on the lamp", "turn off the light", "lamp please", "warm", "quantum physics", "heat it", "it is quite dark in here",
		"how do I bake a cake", "heat \ue000 \ue001 \ue002",
	} {
		before := encoder.asked.Load()
		got, first := m.Rank(text, nil), plain.Rank(text, nil)
		asked := encoder.asked.Load() - before
		if words := strings.Fields(strings.Trim(text, "\ue000\ue001\ue002 ")); len(words) < sentence || first[0].Confidence >= sureAt {
			sure++
			if asked != 0 || !cmp.Equal(got, first) {
				t.Errorf("%q is sure or short: the encoder was asked %d times, ranking\n%s", text, asked, cmp.Diff(first, got))
			}
			continue
		}
		unsure++
		if want := m.second.Glance(text, nil); asked != 1 || !cmp.Equal(got, want) {
			t.Errorf("%q is not sure: the encoder was asked %d times, ranking\n%s", text, asked, cmp.Diff(want, got))
		}
	}
	if sure == 0 || unsure == 0 {
		t.Errorf("%d texts are sure, %d are not: the test shows one side only", sure, unsure)
	}
}

func TestRankKeepsWhatStandsBefore(t *testing.T) {
	m := train(t, lights(), &Options{Encoder: letters{"deep"}})
	before := m.Rank("turn on the lamp", nil)
	got := m.Rank("it is quite dark in here", slices.Clone(before))
	if want := slices.Concat(before, m.Rank("it is quite dark in here", nil)); !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

// Without an encoder the model must stay what it was, to the byte.
func TestEncoderChangesNothingOfTheFirstModel(t *testing.T) {
	plain := train(t, lights(), &Options{Embedder: letters{"table"}})
	both := train(t, lights(), &Options{Embedder: letters{"table"}, Encoder: letters{"deep"}})
	both.second = nil
	if !bytes.Equal(encode(t, plain), encode(t, both)) {
		t.Error("the first model is another one with an encoder behind it")
	}
}

func TestExamplesAreReadOnce(t *testing.T) {
	encoder := &counted{letters: letters{"deep"}}
	kept := notes{}
	first := train(t, synthetic(12, 9), &Options{Encoder: encoder, Vectors: kept})
	texts := int64(len(kept))
	if n := encoder.asked.Load(); n != texts || n == 0 {
		t.Errorf("%d texts were read %d times", texts, n)
	}
	again := train(t, synthetic(12, 9), &Options{Encoder: encoder, Vectors: kept})
	if n := encoder.asked.Load(); n != texts {
		t.Errorf("kept texts were read again: %d times", n-texts)
	}
	if !bytes.Equal(encode(t, first), encode(t, again)) {
		t.Error("kept vectors give another model")
	}
	none := train(t, synthetic(12, 9), &Options{Encoder: encoder})
	if !bytes.Equal(encode(t, first), encode(t, none)) {
		t.Error("a place to keep vectors gives another model")
	}
	first.Rank("something that nobody has said so far", nil)
	if len(kept) != int(texts) {
		t.Error("a message was kept")
	}
}

func TestTheSecondModelIsStored(t *testing.T) {
	table, deep := letters{"table"}, letters{"deep"}
	m := train(t, lights(), &Options{Embedder: table, Encoder: deep, Dictionary: words("please")})
	b := encode(t, m)
	got, err := decode(b, Parts{Embedder: table, Encoder: deep, Dictionary: words("please")})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b, encode(t, got)) {
		t.Error("a decoded model is encoded otherwise")
	}
	for _, text := range []string{"turn on the lamp", "it is quite dark in here", "heat it"} {
		if diff := cmp.Diff(m.Rank(text, nil), got.Rank(text, nil)); diff != "" {
			t.Errorf("%q (-trained +decoded):\n%s", text, diff)
		}
	}
	if m.Bytes() <= m.second.Bytes() {
		t.Error("the second model has no size")
	}
	plain := encode(t, train(t, lights(), &Options{Embedder: table, Dictionary: words("please")}))
	for name, c := range map[string]struct {
		data  []byte
		parts Parts
	}{
		"no encoder":       {b, Parts{Embedder: table, Dictionary: words("please")}},
		"another encoder":  {b, Parts{Embedder: table, Encoder: letters{"other"}, Dictionary: words("please")}},
		"needless encoder": {plain, Parts{Embedder: table, Encoder: deep, Dictionary: words("please")}},
	} {
		if m, err := decode(c.data, c.parts); m != nil || !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v, %v", name, m != nil, err)
		}
	}
}
