package cascade

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/config"
)

// noting is an encoder that notes what it is asked to read.
type noting struct {
	letters
	mu   sync.Mutex // guards read
	read []string
}

func (*noting) Model() string { return "noting" }

func (n *noting) EmbedInto(dst []float32, text string) {
	n.mu.Lock()
	n.read = append(n.read, text)
	n.mu.Unlock()
	n.letters.EmbedInto(dst, text)
}

func (n *noting) options(s *shelf) *Options {
	return &Options{Cache: s, Linear: &linear.Options{Encoder: n}}
}

func TestExamplesAreEncodedOnce(t *testing.T) {
	agent := fromFile(t)
	s, first := &shelf{kept: map[string][]byte{}}, &noting{}
	trained, err := New(agent, first.options(s))
	if err != nil {
		t.Fatal(err)
	}
	if len(first.read) == 0 || len(s.kept) != 2 {
		t.Fatalf("%d texts were read, %d files are kept", len(first.read), len(s.kept))
	}
	cached := &noting{}
	again, err := New(agent, cached.options(s))
	if err != nil {
		t.Fatal(err)
	}
	if len(cached.read) > 0 {
		t.Errorf("a start from the cache read %q", cached.read)
	}
	if diff := cmp.Diff(results(t, trained), results(t, again)); diff != "" {
		t.Errorf("(-trained +cached):\n%s", diff)
	}

	changed := *agent
	changed.Hash += "1"
	changed.Intents = slices.Clone(agent.Intents)
	task := *changed.Intents[0]
	task.Examples = slices.Clone(task.Examples)
	example := task.Examples[0]
	example.Text = "a wording that nobody used so far"
	example.Spans = nil
	task.Examples = append(task.Examples, example)
	changed.Intents[0] = &task
	after := &noting{}
	if _, err := New(&changed, after.options(s)); err != nil {
		t.Fatal(err)
	}
	if want := []string{example.Text}; !cmp.Equal(after.read, want) {
		t.Errorf("one example is new, but %q were read", after.read)
	}
	for name, data := range s.kept {
		if strings.HasPrefix(name, "vectors-") && strings.Contains(string(data), "wording") {
			t.Error("the text of an example is kept with its vector")
		}
	}
}

func TestEncoderIsForAgentsOfManyTasks(t *testing.T) {
	agent := fromFile(t)
	for from, want := range map[int]bool{0: true, len(agent.Intents): true, len(agent.Intents) + 1: false} {
		n := &noting{}
		if _, err := New(agent, &Options{EncodeFrom: from, Linear: &linear.Options{Encoder: n}}); err != nil {
			t.Fatal(err)
		}
		if got := len(n.read) > 0; got != want {
			t.Errorf("from %d of %d tasks: read %v, want %v", from, len(agent.Intents), got, want)
		}
	}
}

func TestDamagedVectorsAreMadeAgain(t *testing.T) {
	good := &shelf{kept: map[string][]byte{}}
	v := keptVectors(&Options{Cache: good}, &linear.Options{Encoder: &noting{}})
	v.Keep("a text", make([]float32, 26))
	v.save()
	for what, damage := range map[string]func(b []byte) []byte{
		"none":      func(b []byte) []byte { return b },
		"empty":     func([]byte) []byte { return nil },
		"cut short": func(b []byte) []byte { return b[:len(b)-9] },
		"one bit":   func(b []byte) []byte { b[len(b)/2] ^= 4; return b },
		"no record": func(b []byte) []byte { return b[:len(vectorsMagic)+4] },
		"foreign":   func(b []byte) []byte { b[0] ^= 1; return b },
	} {
		s := &shelf{kept: map[string][]byte{}}
		for name, data := range good.kept {
			s.kept[name] = damage(slices.Clone(data))
		}
		v := keptVectors(&Options{Cache: s}, &linear.Options{Encoder: &noting{}})
		if ok := v.Load(make([]float32, 26), "a text"); ok != (what == "none") {
			t.Errorf("%s: loaded %v", what, ok)
		}
	}
}

// What is kept is bounded; what was used last stays.
func TestVectorsAreBounded(t *testing.T) {
	s := &shelf{kept: map[string][]byte{}}
	encoder := &linear.Options{Encoder: &noting{}}
	v := keptVectors(&Options{Cache: s}, encoder)
	for i := range mostVectors {
		v.Keep(fmt.Sprint("old ", i), make([]float32, 26))
	}
	v.save()
	v = keptVectors(&Options{Cache: s}, encoder)
	dst := make([]float32, 26)
	if last := fmt.Sprint("old ", mostVectors-1); !v.Load(dst, last) {
		t.Fatal("the last is not kept")
	}
	for i := range 10 {
		v.Keep(fmt.Sprint("new ", i), dst)
	}
	v.save()
	v = keptVectors(&Options{Cache: s}, encoder)
	if n := len(v.at); n != mostVectors {
		t.Errorf("%d vectors are kept, want %d", n, mostVectors)
	}
	for _, text := range []string{"new 0", "new 9", fmt.Sprint("old ", mostVectors-1), "old 0"} {
		if !v.Load(dst, text) {
			t.Errorf("%q is lost", text)
		}
	}
	if v.Load(dst, fmt.Sprint("old ", mostVectors-2)) {
		t.Error("what was not used stays")
	}
}

func TestNoEncoderKeepsNoVectors(t *testing.T) {
	s := &shelf{kept: map[string][]byte{}}
	if _, err := New(fromFile(t), &Options{Cache: s}); err != nil {
		t.Fatal(err)
	}
	if len(s.kept) != 1 {
		t.Errorf("%d files are kept", len(s.kept))
	}
}

// The encoder is for messages that begin something: an answer is read as it was without it, a
// few words too, and another language than its own altogether.
func TestEncoderReadsSentencesThatBeginSomething(t *testing.T) {
	agent := fromFile(t)
	foreign := *agent
	foreign.Language = "de"
	asked, task := &classifier.Asked{Param: "date"}, agent.Intents[0].ID
	for what, c := range map[string]struct {
		agent *config.Agent
		in    classifier.Input
		read  bool
	}{
		"a sentence":                  {agent, classifier.Input{Text: "we would love to dine at your place"}, true},
		"an answer":                   {agent, classifier.Input{Text: "we would love to dine at your place", Asked: asked, Active: task}, false},
		"words at a confirmation":     {agent, classifier.Input{Text: "we would love to dine at your place", Confirming: true, Active: task}, false},
		"words at a choice of tasks":  {agent, classifier.Input{Text: "we would love to dine at your place", Asked: &classifier.Asked{}}, true},
		"a few words":                 {agent, classifier.Input{Text: "love dining"}, false},
		"a stock phrase":              {agent, classifier.Input{Text: agent.Intents[0].Examples[0].Text}, false},
		"a language of another agent": {&foreign, classifier.Input{Text: "we would love to dine at your place"}, false},
	} {
		n := &noting{}
		k, err := New(c.agent, &Options{Linear: &linear.Options{Encoder: n}})
		if err != nil {
			t.Fatal(err)
		}
		n.read = nil
		classify(t, k, c.in)
		if (len(n.read) > 0) != c.read {
			t.Errorf("%s: read %q, want some: %v", what, n.read, c.read)
		}
	}
}
