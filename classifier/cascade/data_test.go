//go:build unix

package cascade

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// line is one marked message of a public set.
type line struct {
	Text, Intent string
	Slots        []struct {
		Name       string
		Start, End int
	}
	Requested []string
}

// asked is the first param that the message replies about.
func (l *line) asked() string {
	if len(l.Requested) == 0 {
		return ""
	}
	return l.Requested[0]
}

// TestSpansOnSets reports exact-span F1 of the whole cascade on public sets when
// SLOTWAY_DATA names a folder of SET/{train,dev}.jsonl: the params are texts named after
// the slots, and what is found for the predicted intent counts. Where there is no
// dev.jsonl, every fifth message of train is held out, in five rounds. It asserts
// nothing: the figures depend on the set.
func TestSpansOnSets(t *testing.T) {
	dir := os.Getenv("SLOTWAY_DATA")
	if dir == "" {
		t.Skip("SLOTWAY_DATA is not set")
	}
	trains, _ := filepath.Glob(filepath.Join(dir, "*", "train*.jsonl"))
	for _, train := range trains {
		set := readLines(t, train)
		if !slices.ContainsFunc(set, func(l line) bool { return len(l.Slots) > 0 }) {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(train))+"/"+filepath.Base(train), func(t *testing.T) {
			var score tally
			dev := filepath.Join(filepath.Dir(train), "dev.jsonl")
			if _, err := os.Stat(dev); err == nil {
				score.round(t, set, readLines(t, dev))
			} else {
				for fold := range 5 {
					var in, out []line
					for i, l := range set {
						if i%5 == fold {
							out = append(out, l)
						} else {
							in = append(in, l)
						}
					}
					score.round(t, in, out)
				}
			}
			t.Log(&score)
		})
	}
}

// tally counts what was found, right and marked.
type tally struct {
	texts, intents          int // texts, and those whose intent is right
	found, right, marked    int // without whole replies taken as they are
	whole, wholeRight       int // those
	sure, sureRight, rounds int // of confidence 0.9 and more
	training, use           time.Duration
}

func (s *tally) String() string {
	p, r := float64(s.right)/math.Max(1, float64(s.found)), float64(s.right)/float64(s.marked)
	return fmt.Sprintf("F1 %.2f, precision %.2f, recall %.2f; sure %d, of which right %.1f%%; whole replies %d, right %d; intents %.2f; %.2f CPU s a training, %v CPU a text",
		200*p*r/math.Max(1e-9, p+r), 100*p, 100*r, s.sure, 100*float64(s.sureRight)/math.Max(1, float64(s.sure)), s.whole, s.wholeRight,
		100*float64(s.intents)/float64(s.texts), s.training.Seconds()/float64(s.rounds), s.use/time.Duration(s.texts))
}

func (s *tally) round(t *testing.T, train, dev []line) {
	agent := agentOf(train)
	before := cpu()
	c, err := New(agent, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.training += cpu() - before
	s.rounds++
	for _, l := range dev {
		in := classifier.Input{Text: l.Text, Now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
		if l.asked() != "" {
			in.Asked, in.Active = &classifier.Asked{Param: l.asked()}, l.Intent
		}
		before := cpu()
		r, err := c.Classify(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		s.use += cpu() - before
		s.count(&l, &r)
	}
}

func (s *tally) count(l *line, r *message.Result) {
	s.texts++
	if r.Intent == l.Intent {
		s.intents++
	}
	s.marked += len(l.Slots)
	for _, v := range r.Params {
		right := slices.ContainsFunc(l.Slots, func(m struct {
			Name       string
			Start, End int
		},
		) bool {
			return m.Name == v.Param && m.Start == v.Start && m.End == v.End
		})
		one := map[bool]int{true: 1}[right]
		switch {
		case v.Source == "text":
			s.whole++
			s.wholeRight += one
			continue
		case v.Confidence >= sureTagged:
			s.sure++
			s.sureRight += one
		}
		s.found++
		s.right += one
	}
}

// agentOf makes an agent of marked messages.
func agentOf(lines []line) *config.Agent {
	agent := &config.Agent{ID: "set", Language: "en", Params: map[string]*config.Param{}, Classifier: config.ClassifierPolicy{Threshold: 0.55, Ambiguity: 0.1}}
	intents := map[string]*config.Intent{}
	for _, l := range lines {
		in := intents[l.Intent]
		if in == nil {
			in = &config.Intent{ID: l.Intent}
			intents[l.Intent] = in
			agent.Intents = append(agent.Intents, in)
		}
		e := config.Example{Text: l.Text, Asked: l.asked()}
		for _, s := range l.Slots {
			p := agent.Params[s.Name]
			if p == nil {
				p = &config.Param{Name: s.Name, List: true, Type: &config.Type{Name: "text", Builtin: "text"}}
				agent.Params[s.Name] = p
			}
			if !slices.Contains(in.Optional, p) {
				in.Optional = append(in.Optional, p)
			}
			e.Spans = append(e.Spans, config.Span{Param: s.Name, Start: s.Start, End: s.End})
		}
		in.Examples = append(in.Examples, e)
	}
	slices.SortFunc(agent.Intents, func(a, b *config.Intent) int { return cmp.Compare(a.ID, b.ID) })
	return agent
}

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func readLines(t *testing.T, name string) []line {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var set []line
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		set = append(set, l)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return set
}
