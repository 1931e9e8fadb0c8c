package recall

import (
	"context"
	"errors"
	"testing"

	"github.com/slotway/slotway/memory/embed"
)

// raised gives the vectors of another model one more number that all texts share, so that
// all cosines are high: as those of many servers' models are.
type raised struct {
	Embedder
	by float32
}

func (r raised) Dimension() int { return r.Embedder.Dimension() + 1 }

func (r raised) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	list, err := r.Embedder.Embed(ctx, texts)
	for i := range list {
		list[i] = append(list[i], r.by)
		unit(list[i])
	}
	return list, err
}

// TestRulerIsTheModels: the same likeness comes of models whose cosines lie elsewhere.
func TestRulerIsTheModels(t *testing.T) {
	static, err := embed.New()
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"my parcel has not arrived", "the package was never delivered", "a jazz concert by the lake"}
	var near, far []float32
	for _, e := range []Embedder{static, raised{static, 1.5}} {
		r, err := calibrate(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		v, err := e.Embed(t.Context(), texts)
		if err != nil {
			t.Fatal(err)
		}
		near = append(near, likeness(r.distance(dot(v[0], v[1])), 0))
		far = append(far, likeness(r.distance(dot(v[0], v[2])), 0))
	}
	for i := range near {
		if near[i] < defaultSimilarity || far[i] > defaultSimilarity {
			t.Errorf("model %d: %.2f for the same said in other words, %.2f for another thing", i, near[i], far[i])
		}
	}
	if d := near[0] - near[1]; d > .05 || d < -.05 {
		t.Errorf("the models judge apart: %.2f and %.2f", near[0], near[1])
	}
}

// TestRulerOfASilentServer: a cosine stands for itself until the server answers.
func TestRulerOfASilentServer(t *testing.T) {
	static, err := embed.New()
	if err != nil {
		t.Fatal(err)
	}
	var late lazyCalibration
	if r := late.get(t.Context(), silent{static}); r.distance(.4) != .4 {
		t.Errorf("distance %g of .4", r.distance(.4))
	}
	if r := late.get(t.Context(), static); r.distance(.4) == .4 {
		t.Error("it is not measured again")
	}
}

type silent struct{ Embedder }

func (silent) Embed(context.Context, []string) ([][]float32, error) {
	return nil, errors.New("no route to the server")
}
