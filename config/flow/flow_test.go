package flow

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/flow/diagram"
)

var update = flag.Bool("update", false, "write the golden files anew")

func desk(t *testing.T) *config.Agent {
	t.Helper()
	a, err := config.Load("testdata/desk.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestGolden(t *testing.T) {
	list := Agent(desk(t))
	for name, write := range map[string]func(*bytes.Buffer) error{
		"testdata/desk.mmd": func(b *bytes.Buffer) error { return diagram.Mermaid(b, list) },
		"testdata/desk.dot": func(b *bytes.Buffer) error { return diagram.DOT(b, list) },
	} {
		var got bytes.Buffer
		if err := write(&got); err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(name, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
			t.Errorf("%s, or run with -update:\n%s", name, diff)
		}
	}
}

// Every step is drawn, every node but the start is reached, and the flow leads on from every node
// that does not end it.
func TestEveryStepIsDrawn(t *testing.T) {
	def, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []*config.Agent{desk(t), def} {
		for _, d := range Agent(a) {
			steps, params := map[string]bool{}, map[string]bool{}
			for _, n := range d.Nodes {
				for _, at := range n.Attrs {
					steps[at.Value] = steps[at.Value] || at.Name == AttrStep
					params[at.Value] = params[at.Value] || at.Name == AttrParam
				}
			}
			in := a.Intent(d.ID)
			config.Walk(in.Plan, func(s *config.Step) {
				if !steps[s.ID] {
					t.Errorf("%s %s: step %s is not drawn", a.ID, d.ID, s.ID)
				}
			})
			for _, p := range in.Required {
				if !params[p.Name] {
					t.Errorf("%s %s: the question for %s is not drawn", a.ID, d.ID, p.Name)
				}
			}
			into, out := map[string]int{}, map[string]int{}
			for _, e := range d.Edges {
				if d.Node(e.From) == nil || d.Node(e.To) == nil {
					t.Errorf("%s %s: an edge from %s to %s", a.ID, d.ID, e.From, e.To)
				}
				into[e.To]++
				out[e.From]++
			}
			for i, n := range d.Nodes {
				if i > 0 && into[n.ID] == 0 {
					t.Errorf("%s %s: nothing leads to %s", a.ID, d.ID, n.ID)
				}
				if out[n.ID] == 0 && !n.Ends && n.Shape != diagram.Digression {
					t.Errorf("%s %s: nothing follows %s", a.ID, d.ID, n.ID)
				}
			}
		}
	}
}
