package reader

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/encoder"
)

// bits returns all numbers of a reading, before anything is rounded.
func bits(w *work) (all []uint32) {
	for _, x := range [][]float32{w.heads[:NumHeads], w.start, w.ask, w.correct, w.remove, w.choose, w.inside, w.begin} {
		for _, v := range x {
			all = append(all, math.Float32bits(v))
		}
	}
	return all
}

// few are some of the turns, hard ones among them: the portable implementation takes fifty times as long.
func few(all []known) (some []known) {
	for i := len(all) - 2; i >= 0; i -= 7 {
		some = append(some, all[i])
	}
	return some
}

func TestEveryImplementationGivesTheSameBits(t *testing.T) {
	if raceEnabled {
		t.Skip("the portable loops take a minute under the race detector; the plain run has them")
	}
	m, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	names := encoder.Implementations()
	for _, k := range few(reference(t))[:4] {
		agent := &Agent{Tasks: k.agent.Tasks[:2], Params: k.agent.Params[:4]}
		var want []uint32
		for _, name := range slices.Backward(names) {
			r, err := newReader(m, agent, name)
			if err != nil {
				t.Fatal(err)
			}
			w := r.pool.Get().(*work)
			w.forward(r, k.state, k.message)
			if got := bits(w); want == nil {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("%q: %s differs from %s", k.message, name, names[len(names)-1])
			}
		}
	}
}

// A reading must have the same bits wherever it is made: the sum of some is written down. It is another
// for every reader.bin.
func TestBitsAreTheSameEverywhere(t *testing.T) {
	const want = 0x211d549e
	sum := crc32.NewIEEE()
	for _, k := range few(reference(t))[:4] {
		agent := &Agent{Tasks: k.agent.Tasks[:2], Params: k.agent.Params[:4]}
		w := &work{Work: encoder.NewWork("")}
		w.forward(readerOf(t, agent), k.state, k.message)
		for _, b := range bits(w) {
			sum.Write(binary.LittleEndian.AppendUint32(nil, b))
		}
	}
	if sum.Sum32() != want {
		t.Errorf("the sum of the bits is %#08x, want %#08x", sum.Sum32(), want)
	}
}

// What is in memory from the message before must not count, nor who else reads.
func TestTogetherAsAlone(t *testing.T) {
	all := reference(t)
	if !encoder.Fast() {
		all = few(all)
	}
	agent := all[0].agent
	r := readerOf(t, agent)
	var want []*Reading
	for _, k := range all {
		want = append(want, readerOf(t, agent).Read(k.state, k.message))
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, k := range slices.Backward(all) {
				if got := r.Read(k.state, k.message); !reflect.DeepEqual(got, want[i]) {
					t.Errorf("%q is read otherwise", k.message)
				}
			}
		})
	}
	wg.Wait()
}

func TestAgentsWithoutAnythingAreRead(t *testing.T) {
	for _, agent := range []*Agent{
		{},
		{Tasks: []Task{{ID: "a", Params: []string{"gone"}}}},
		{Params: []Param{{Name: "x", Type: Enum}}},
	} {
		r := readerOf(t, agent)
		for _, state := range []*State{{}, {Kind: Choice, Options: []string{"", "a"}, Asked: "gone", Task: "gone"}} {
			got := r.Read(state, "")
			if len(got.Start) != len(agent.Tasks) || len(got.Remove) != len(agent.Params) || len(got.Choose) != len(state.Options) || got.Spans != nil {
				t.Errorf("%+v", got)
			}
		}
	}
}

func TestOptionsThatAreNotReadAreNotChosen(t *testing.T) {
	r := readerOf(t, &Agent{})
	options := strings.Split(strings.Repeat("the blue one,", mostOptions+2), ",")
	got := r.Read(&State{Kind: Choice, Text: "Which one?", Options: options}, "the blue one please")
	if len(got.Choose) != len(options) || got.Choose[mostOptions-1] == 0 || got.Choose[mostOptions] != 0 {
		t.Errorf("%v", got.Choose)
	}
}

func TestNamesThatStandTwiceAreRefused(t *testing.T) {
	if _, err := New(&Agent{Tasks: []Task{{ID: "a"}, {ID: "a"}}}); err == nil {
		t.Error("two tasks of one name")
	}
	if _, err := New(&Agent{Params: []Param{{Name: "a"}, {Name: "a"}}}); err == nil {
		t.Error("two params of one name")
	}
}

func TestDamagedWeightsAreRefused(t *testing.T) {
	change := func(at int, b byte) []byte {
		d := slices.Clone(weights)
		d[at] ^= b
		return d
	}
	resum := func(d []byte) []byte {
		const sumAt, nameAt = 40, 44
		sum := crc32.Update(crc32.ChecksumIEEE(d[:sumAt]), crc32.IEEETable, d[nameAt:])
		binary.LittleEndian.PutUint32(d[sumAt:], sum)
		return d
	}
	for name, data := range map[string][]byte{
		"nothing":         nil,
		"another magic":   change(0, 1),
		"a flipped bit":   change(len(weights)/2, 4),
		"cut":             resum(slices.Clone(weights[:len(weights)-64])),
		"cut in a layer":  resum(slices.Clone(weights[:len(weights)/2])),
		"longer":          resum(append(slices.Clone(weights), make([]byte, 64)...)),
		"a kind more":     resum(change(28, 2)),
		"a command less":  resum(change(36, 1)),
		"a wider trunk":   resum(change(13, 2)),
		"few positions":   resum(change(24, 128|8)),
		"a layer more":    resum(change(8, 1)),
		"no width at all": resum(change(13, 1)),
	} {
		if _, err := parse(data); !errors.Is(err, encoder.ErrWeights) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// say makes a work whose only param has the marks: i inside, b inside and begin, a dot nothing; a mark a piece.
func say(t *testing.T, text, marks string) *work {
	t.Helper()
	m, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	w := &work{Work: encoder.NewWork("")}
	w.message = m.trunk.Pieces(w.Work, nil, text, messagePieces)
	if len(w.message) != len(marks) {
		t.Fatalf("%q has %d pieces, %d marks", text, len(w.message), len(marks))
	}
	for _, mark := range marks {
		logit := map[rune][2]float32{'i': {2, -2}, 'b': {2, 2}, '.': {-2, -2}}[mark]
		w.inside, w.begin = append(w.inside, logit[0]), append(w.begin, logit[1])
	}
	return w
}

func TestSpansHoldWholeWords(t *testing.T) {
	long := "deliver it to " + strings.Repeat("a ", messagePieces-4) + "unbelievableness"
	for _, c := range []struct {
		text, marks string
		want        []string
	}{
		{"book it for tuesday", "...b", []string{"tuesday"}},
		{"book it for tuesday", "...i", []string{"tuesday"}},
		{"tuesday wednesday friday", "bbi", []string{"tuesday", "wednesday friday"}},
		{"tuesday wednesday friday", "b.i", []string{"tuesday", "friday"}},
		{"order AB123X now", ".b....", []string{"AB123X"}},
		{"order AB123X now", "....i.", []string{"AB123X"}},
		{"at 12:30 then", ".iii.", []string{"12:30"}},
		{"to Zu\u0308rich", ".b", []string{"Zu\u0308rich"}},
		{"to cafe\u0301, yes", ".b..", []string{"cafe\u0301"}},
		{"\u4f60\u597d", "b.", []string{"\u4f60"}},
		{long, strings.Repeat(".", messagePieces-1) + "b", []string{"unbelievableness"}},
		{"it goes to, 5 elm road, please", "...biiii.", []string{"5 elm road"}},
		{"well, no", ".b.", nil},
		{"nothing here", "..", nil},
	} {
		var got []string
		for _, s := range say(t, c.text, c.marks).spans(1, c.text) {
			got = append(got, c.text[s.Start:s.End])
			if s.P <= 0 || s.P >= 1 {
				t.Errorf("%q: probability %v", c.text, s.P)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%.40q %s: %q, want %q", c.text, c.marks, got, c.want)
		}
	}
}

func TestProbabilityOfASpanIsTheMeanOfItsPieces(t *testing.T) {
	w := say(t, "blue velvet", "bi")
	w.inside = []float32{0, 4}
	w.inside[0] = 1
	got := w.spans(1, "blue velvet")
	want := (1/(1+math.Exp(-1)) + 1/(1+math.Exp(-4))) / 2
	if len(got) != 1 || math.Abs(float64(got[0].P)-want) > 1e-5 {
		t.Errorf("%+v, want one of %v", got, want)
	}
}

// FuzzRead holds readings to their bounds, whatever the text.
func FuzzRead(f *testing.F) {
	all := reference(f)
	for _, k := range all {
		f.Add(k.message, k.state.Text, int(k.state.Kind))
	}
	f.Add("a\xff\u0300[SEP]\ue000", "\xff", 3)
	agent := all[0].agent
	r := readerOf(f, &Agent{Tasks: agent.Tasks[:2], Params: agent.Params[:3]})
	f.Fuzz(func(t *testing.T, text, question string, kind int) {
		state := &State{Kind: Kind(uint(kind) % uint(numKinds)), Text: question, Options: []string{question, text}, Asked: agent.Params[1].Name}
		reading := r.Read(state, text)
		for _, x := range [][]float32{reading.Heads[:], reading.Start, reading.Ask, reading.Correct, reading.Remove, reading.Choose} {
			for _, p := range x {
				if !(p >= 0 && p <= 1) {
					t.Fatalf("probability %v", p)
				}
			}
		}
		for _, s := range reading.Spans {
			if s.Start < 0 || s.Start >= s.End || s.End > len(text) || s.P < 0 || s.P > 1 {
				t.Fatalf("%+v of %d bytes", s, len(text))
			}
			before, _ := utf8.DecodeLastRuneInString(text[:s.Start])
			first, _ := utf8.DecodeRuneInString(text[s.Start:])
			if s.Start > 0 && isWord(before) && isWord(first) {
				t.Fatalf("%+v begins inside a word of %q", s, text)
			}
		}
	})
}

func isWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r)
}
