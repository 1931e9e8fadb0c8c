package reader

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/slotway/slotway/classifier/encoder"
)

// known is a turn as the model in floating point reads it: scripts/lab/train/reader/reference.py wrote it.
type known struct {
	agent   *Agent
	state   *State
	message string
	ids     []uint16
	offsets [][2]int
	want    wanted
}

// wanted holds the probabilities of that model.
type wanted struct {
	Heads, Start, Ask, Correct, Remove, Choose []float64
	Inside, Begin                              [][]float64 // by piece and param
}

// line is an agent or a turn, as the turns of the training have them.
type line struct {
	Agent string
	Tasks []struct {
		ID, Title string
		Writes    bool
		Params    []struct {
			Name, Label string
			Type        json.RawMessage
		}
	}
	State struct {
		Task string
		Open *struct {
			Kind, Text, Param, Task string
			Write                   bool
			Options                 []string
		}
		Known map[string]any
		Last  *struct{ Task, Reply string }
	}
	Message string
	IDs     []uint16
	Offsets [][2]int
	Want    wanted
}

func reference(t testing.TB) (all []known) {
	t.Helper()
	f, err := os.Open("testdata/reference.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	agents := map[string]*Agent{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if l.Tasks != nil {
			agents[l.Agent] = l.agent(t)
			continue
		}
		all = append(all, known{agents[l.Agent], l.state(), l.Message, l.IDs, l.Offsets, l.Want})
	}
	if lines.Err() != nil || len(all) == 0 {
		t.Fatalf("%d turns, %v", len(all), lines.Err())
	}
	return all
}

func (l *line) agent(t testing.TB) *Agent {
	agent, seen := new(Agent), map[string]bool{}
	for _, task := range l.Tasks {
		named := Task{ID: task.ID, Title: task.Title, Writes: task.Writes}
		for _, p := range task.Params {
			named.Params = append(named.Params, p.Name)
			if seen[p.Name] {
				continue
			}
			seen[p.Name] = true
			param := Param{Name: p.Name, Label: p.Label, Type: Enum}
			var enum struct{ Values []any }
			var name string
			if json.Unmarshal(p.Type, &name) == nil {
				param.Type = TypeNamed(name)
			} else if err := json.Unmarshal(p.Type, &enum); err != nil {
				t.Fatal(err)
			}
			for _, v := range enum.Values {
				text, _ := v.(string)
				param.Values = append(param.Values, text)
			}
			agent.Params = append(agent.Params, param)
		}
		agent.Tasks = append(agent.Tasks, named)
	}
	return agent
}

func (l *line) state() *State {
	s := &State{Task: l.State.Task, Known: map[string]bool{}}
	for name := range l.State.Known {
		s.Known[name] = true
	}
	if last := l.State.Last; last != nil {
		s.Kind, s.Text, s.Last = Ended, last.Reply, last.Task
	}
	open := l.State.Open
	if open == nil {
		return s
	}
	s.Text, s.Asked, s.Options, s.Offered = open.Text, open.Param, open.Options, open.Task
	s.Kind = map[string]Kind{"param": AskParam, "confirm": Confirm, "choice": Choice, "offer": Offer, "more": More}[open.Kind]
	switch {
	case s.Kind == Confirm && open.Write:
		s.Kind = ConfirmWrite
	case s.Kind == Offer && open.Task == "human":
		s.Kind = OfferHuman
	}
	return s
}

func readerOf(t testing.TB, agent *Agent) *Reader {
	t.Helper()
	r, err := New(agent)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPiecesAreThoseOfTheModelsTokeniser(t *testing.T) {
	for _, k := range reference(t) {
		r := readerOf(t, &Agent{})
		w := r.pool.Get().(*work)
		pieces := r.model.trunk.Pieces(w.Work, nil, k.message, messagePieces)
		var ids []uint16
		var offsets [][2]int
		for _, p := range pieces {
			ids, offsets = append(ids, p.ID), append(offsets, [2]int{p.Start, p.End})
		}
		if !slices.Equal(ids, k.ids) || !slices.Equal(offsets, k.offsets) {
			t.Errorf("%q:\n got %d at %d\nwant %d at %d", k.message, ids, offsets, k.ids, k.offsets)
		}
	}
}

// differences gathers how far two lists of probabilities are apart.
type differences struct {
	sum, count, most, flips float64
	openSum, open           float64 // where the model itself is not sure; most probabilities are next to nought
}

func (d *differences) add(t *testing.T, got []float32, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d numbers, want %d", len(got), len(want))
	}
	for i, v := range got {
		diff := math.Abs(float64(v) - want[i])
		d.sum, d.count, d.most = d.sum+diff, d.count+1, max(d.most, diff)
		if (v > 0.5) != (want[i] > 0.5) {
			d.flips++
		}
		if want[i] > 0.05 && want[i] < 0.95 {
			d.openSum, d.open = d.openSum+diff, d.open+1
		}
	}
}

// What eight bits may cost: the mean difference of a probability from the model in floating point. It may
// be twice as much where the model is not sure.
const meanDifference = 0.02

func TestProbabilitiesAreThoseOfTheModel(t *testing.T) {
	parts := map[string]*differences{}
	part := func(name string) *differences {
		if parts[name] == nil {
			parts[name] = new(differences)
		}
		return parts[name]
	}
	readers := map[*Agent]*Reader{}
	all := reference(t)
	if !encoder.Fast() {
		all = few(all)
	}
	for _, k := range all {
		if readers[k.agent] == nil {
			readers[k.agent] = readerOf(t, k.agent)
		}
		r := readers[k.agent]
		got := r.Read(k.state, k.message)
		part("heads").add(t, got.Heads[:], k.want.Heads)
		part("start").add(t, got.Start, k.want.Start)
		part("ask").add(t, got.Ask, k.want.Ask)
		part("correct").add(t, got.Correct, k.want.Correct)
		part("remove").add(t, got.Remove, k.want.Remove)
		part("choose").add(t, got.Choose, k.want.Choose)
		w := &work{Work: encoder.NewWork("")}
		w.forward(r, k.state, k.message)
		part("inside").add(t, logistics(w.inside), slices.Concat(k.want.Inside...))
		part("begin").add(t, logistics(w.begin), slices.Concat(k.want.Begin...))
	}
	for name, d := range parts {
		mean, unsure := d.sum/d.count, d.openSum/max(1, d.open)
		t.Logf("%-8s mean %.5f of %.0f, %.4f of the %.0f unsure ones, most %.3f, on the other side of a half %.0f", name, mean, d.count, unsure, d.open, d.most, d.flips)
		if mean > meanDifference || unsure > 2*meanDifference {
			t.Errorf("%s: mean difference %.4f, of the unsure ones %.4f", name, mean, unsure)
		}
	}
}
