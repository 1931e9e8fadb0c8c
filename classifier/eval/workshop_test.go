package eval

import "testing"

// TestWorkshopFloor holds how well an English agent of twelve tasks of eight examples is
// understood by the cascade without vectors. "slotway eval nlu --train train.jsonl --test test.jsonl"
// in testdata/workshop prints the figures with vectors, which are higher.
func TestWorkshopFloor(t *testing.T) {
	train, test := rowsOf(t, "testdata/workshop/train.jsonl"), rowsOf(t, "testdata/workshop/test.jsonl")
	got, err := Split(t.Context(), train, test, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, figure := range []struct {
		name          string
		got, measured float64
		margin        float64 // one message
	}{
		{"accuracy", got.Accuracy, 0.916, 0.02},
		{"macro-F1", got.MacroF1, 0.916, 0.02},
		{"span F1", *got.SpanF1, 0.923, 0.03},
		{"span recall", *got.SpanR, 0.9, 0.03},
		{"accepted and right in scope", got.AtThreshold.InScopeAccuracy, 0.916, 0.02},
		{"refused out of scope", got.AtThreshold.Recall, 0.6, 0.1},
	} {
		if figure.got < figure.measured-figure.margin {
			t.Errorf("%s is %.3f, it was %.3f", figure.name, figure.got, figure.measured)
		}
	}
}
