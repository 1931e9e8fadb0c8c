package cascade

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/internal/modelfile"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// shelf is a cache in memory that counts what is asked of it.
type shelf struct {
	kept map[string][]byte
	puts int
}

func (s *shelf) Get(name string) []byte { return s.kept[name] }

func (s *shelf) Put(name string, data []byte) {
	s.puts++
	s.kept[name] = data
}

// fromFile is an agent with a hash: examples with ids, dates, enumerations and marked texts.
func fromFile(t testing.TB) *config.Agent {
	t.Helper()
	agent, err := config.Load(filepath.Join("testdata", "cached.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return agent
}

func results(t *testing.T, c *Classifier) []message.Result {
	t.Helper()
	var out []message.Result
	for _, text := range []string{"book a table for four tomorrow", "cancel R-1234", "never mind", "is it going to rain", "a table at the window"} {
		out = append(out, classify(t, c, classifier.Input{Text: text}))
	}
	return out
}

// A second start reads what the first one trained, and understands the same.
func TestCache(t *testing.T) {
	agent := fromFile(t)
	s := &shelf{kept: map[string][]byte{}}
	first, err := New(agent, &Options{Cache: s})
	if err != nil {
		t.Fatal(err)
	}
	if s.puts != 1 || first.tagger == nil {
		t.Fatalf("%d models are kept, tagger %v", s.puts, first.tagger != nil)
	}
	second, err := New(agent, &Options{Cache: s})
	if err != nil {
		t.Fatal(err)
	}
	if s.puts != 1 {
		t.Error("the second start trained again")
	}
	if diff := cmp.Diff(results(t, first), results(t, second)); diff != "" {
		t.Errorf("(-trained +cached):\n%s", diff)
	}
	another, unsummed := *agent, *agent
	another.Hash, unsummed.Hash = agent.Hash+"0", ""
	for _, c := range []struct {
		what  string
		agent *config.Agent
		opts  Options
		kept  bool
	}{
		{"other options", agent, Options{Linear: &linear.Options{Top: 7}}, true},
		{"vectors", agent, Options{Linear: &linear.Options{Embedder: letters{}}}, true},
		{"the same vectors", agent, Options{Linear: &linear.Options{Embedder: letters{}}}, false},
		{"another agent", &another, Options{}, true},
		{"an agent that nothing sums up", &unsummed, Options{}, false},
	} {
		before := s.puts
		c.opts.Cache = s
		if _, err := New(c.agent, &c.opts); err != nil {
			t.Fatal(err)
		}
		if kept := s.puts > before; kept != c.kept {
			t.Errorf("%s: kept %v, want %v", c.what, kept, c.kept)
		}
	}
}

// letters embeds a text by how often it has each letter.
type letters struct{}

func (letters) Model() string  { return "letters" }
func (letters) Dimension() int { return 26 }
func (letters) EmbedInto(dst []float32, text string) {
	for _, r := range text {
		if r >= 'a' && r <= 'z' {
			dst[r-'a']++
		}
	}
}

// What is damaged, cut short or another's is trained again, and replaced.
func TestDamagedCache(t *testing.T) {
	agent := fromFile(t)
	good := &shelf{kept: map[string][]byte{}}
	if _, err := New(agent, &Options{Cache: good}); err != nil {
		t.Fatal(err)
	}
	for name, data := range good.kept {
		for what, damaged := range map[string][]byte{
			"empty": {}, "cut short": data[:len(data)/2], "foreign": []byte("GIF89a" + string(data)),
			"one bit": append(append([]byte{}, data[:99]...), append([]byte{data[99] ^ 1}, data[100:]...)...),
			"longer":  append(append([]byte{}, data...), 0),
			"another name": func() []byte {
				c, err := New(agent, nil)
				if err != nil {
					t.Fatal(err)
				}
				b, err := modelfile.Keep(cacheMagic, c.kept(strings.Repeat("f", len(name))))
				if err != nil {
					t.Fatal(err)
				}
				return b
			}(),
		} {
			s := &shelf{kept: map[string][]byte{name: damaged}}
			if _, err := New(agent, &Options{Cache: s}); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if s.puts != 1 || !cmp.Equal(s.kept[name], data) {
				t.Errorf("%s: %d models are kept", what, s.puts)
			}
		}
	}
}

// The same file gives the same model, and when it changes so does a Version: else a
// cache would go on with what an older program trained.
func TestVersion(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the sum is that of amd64: other processors may round otherwise")
	}
	s := &shelf{kept: map[string][]byte{}}
	agent := fromFile(t)
	agent.System, agent.Hash = nil, "of a file that does not change" // the built-in intents may
	c, err := New(agent, &Options{Cache: s})
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for name := range s.kept {
		data, err := json.Marshal(c.kept(""))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		got = fmt.Sprintf("%s %s\n", name, hex.EncodeToString(sum[:]))
	}
	golden := filepath.Join("testdata", "cached.sum")
	if os.Getenv("UPDATE_SUM") != "" {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	wantName, wantSum, _ := strings.Cut(string(want), " ")
	name, sum, _ := strings.Cut(got, " ")
	switch {
	case sum == wantSum && name == wantName:
	case name == wantName:
		t.Error("training gives another model under the same name: raise Version of the package that changed, then run with UPDATE_SUM=1")
	default:
		t.Error("another name: was a Version raised, or testdata/cached.yaml changed? Then run with UPDATE_SUM=1")
	}
}

func BenchmarkCachedNew(b *testing.B) {
	agent := fromFile(b)
	s := &shelf{kept: map[string][]byte{}}
	for name, cache := range map[string]Cache{"trained": nil, "cached": s} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := New(agent, &Options{Cache: cache}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
