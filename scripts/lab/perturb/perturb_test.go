package perturb

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier/eval/entities"
)

// floor is the least share of perturbed seeds that must be right.
const floor = 0.99

func casesOf(t *testing.T, name string) []entities.Case {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cases, err := entities.Read(name, file)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestPerturbed: what the seeds say is understood in other words of the same classes, too.
func TestPerturbed(t *testing.T) {
	seeds := casesOf(t, "testdata/seeds.jsonl")
	if f := entities.Measure(seeds); f.Exact != 1 {
		t.Fatalf("the seeds themselves: %+v", f.Missed)
	}
	for seed := range uint64(3) {
		variants := Cases(seeds, 30, seed)
		f := entities.Measure(variants)
		if f.Cases < 250 {
			t.Errorf("seed %d: %d variants", seed, f.Cases)
		}
		if f.Exact < floor {
			t.Errorf("seed %d: %.4f of %d are right", seed, f.Exact, f.Cases)
			for _, m := range f.Missed {
				t.Logf("%s %q: want %s, got %s", m.ID, m.Input, m.Expected, m.Found)
			}
		}
	}
}

// TestPerturbFollows: spans and values follow what is swapped, and equal seeds make equal
// variants.
func TestPerturbFollows(t *testing.T) {
	seeds := casesOf(t, "testdata/seeds.jsonl")
	first, again := Cases(seeds, 30, 1), Cases(seeds, 30, 1)
	swapped := map[string]bool{}
	for i, v := range first {
		if v.Input != again[i].Input {
			t.Fatalf("%q and %q by one seed", v.Input, again[i].Input)
		}
		name := strings.Split(v.ID, "/")[1]
		swapped[name] = true
		for _, e := range v.Expected {
			if span := spanOf(&v, &e); strings.TrimSpace(span) != span || span == "" {
				t.Errorf("%s %q: the span is %q", v.ID, v.Input, span)
			}
		}
	}
	for _, name := range []string{"month", "weekday", "unit", "figure", "between", "until", "half", "word", "digit", "frame", "case-upper", "case-lower", "part", "bound", "relative"} {
		if !swapped[name] {
			t.Errorf("no variant swaps %s", name)
		}
	}
}

// TestPerturbTellsAFault: variants of a case that expects something else are missed.
func TestPerturbTellsAFault(t *testing.T) {
	seeds := casesOf(t, "testdata/seeds.jsonl")
	at := slices.IndexFunc(seeds, func(c entities.Case) bool { return c.ID == "length" })
	wrong := seeds[at]
	wrong.Expected = slices.Clone(wrong.Expected)
	wrong.Expected[0].Start++
	if f := entities.Measure(Cases([]entities.Case{wrong}, 10, 1)); f.Cases == 0 || f.Exact > 0 {
		t.Errorf("%+v", f)
	}
}
