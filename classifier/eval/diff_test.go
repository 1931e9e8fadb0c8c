package eval

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestCompare(t *testing.T) {
	before := []byte(`{"accuracy": 0.9, "macro_f1": 0.8, "span_f1": null, "p50_us": 10, "oos": [], "intents": [{"intent": "a", "f1": 0.9}, {"intent": "b", "f1": 0.7}, {"intent": "gone", "f1": 1}]}`)
	after := []byte(`{"accuracy": 0.895, "macro_f1": 0.7, "span_f1": 0.5, "p50_us": 20, "oos": [], "intents": [{"intent": "a", "f1": 0.6}, {"intent": "b", "f1": 0.7}]}`)
	c, err := Compare(before, after, 0.005)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]Change{}
	for _, f := range c.Figures {
		byName[f.Name] = f
	}
	if byName["accuracy"].Worse || !byName["macro_f1"].Worse || byName["p50_us"].Worse || *byName["p50_us"].Difference != 10 || !c.Regressed {
		t.Errorf("%+v", c.Figures)
	}
	if s := byName["span_f1"]; s.Before != nil || s.After == nil || s.Difference != nil || s.Worse {
		t.Errorf("span F1 %+v", s)
	}
	if c.Figures[0].Name != "accuracy" || len(c.Intents) != 2 || c.Intents[0].Name != "a" || !c.Intents[0].Worse || c.Intents[1].Name != "gone" || c.Intents[1].After != nil {
		t.Errorf("%+v\n%+v", c.Figures, c.Intents)
	}
	if c, err = Compare(before, after, 0.2); err != nil || c.Regressed {
		t.Errorf("within 0.2: %v, %v", c.Regressed, err)
	}
	if c, err = Compare(before, after, 0); err != nil || !c.Figures[0].Worse {
		t.Errorf("by anything: %+v, %v", c.Figures, err)
	}
	if c, err = Compare(before, before, 0); err != nil || c.Regressed || len(c.Intents) != 0 {
		t.Errorf("with itself: %+v, %v", c, err)
	}
	if _, err := Compare([]byte(`{"a": []}`), before, 0); !errors.Is(err, ErrNoFigures) {
		t.Errorf("no figures: %v", err)
	}
	if _, err := Compare(before, []byte(`[]`), 0); err == nil {
		t.Error("a list is a result")
	}
}

// What eval writes can be compared.
func TestCompareFigures(t *testing.T) {
	var f Figures
	f.judgeAll(byHand(), 0.5)
	data, err := json.Marshal(&f)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Compare(data, data, 0); err != nil || c.Regressed || len(c.Figures) < 15 {
		t.Errorf("%+v, %v", c, err)
	}
}
