package eval

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
)

// shop writes an agent of three tasks that have nothing to do with each other. Its examples
// are made of the words of the task alone.
func shop() map[string][]string {
	out := map[string][]string{}
	for intent, words := range map[string][2][]string{
		"track_parcel": {{"where is", "track", "find", "follow"}, {"my parcel", "the parcel i ordered", "this parcel today"}},
		"opening_time": {{"when do you open", "what are the opening hours", "until when is it open", "do you open"}, {"on sunday", "in the morning", "on holidays"}},
		"buy_voucher":  {{"i want to buy", "sell me", "can i get", "please give me"}, {"a gift voucher", "one voucher for a friend", "two vouchers"}},
	} {
		for _, a := range words[0] {
			for _, b := range words[1] {
				out[intent] = append(out[intent], a+" "+b)
			}
		}
	}
	return out
}

// agentOf parses an agent with these examples, each on a line of its own.
func agentOf(t *testing.T, examples map[string][]string) *config.Agent {
	t.Helper()
	var b strings.Builder
	b.WriteString("version: 1\nresponses: {done: Done.}\nintents:\n")
	for _, intent := range slices.Sorted(maps.Keys(examples)) {
		fmt.Fprintf(&b, "  - id: %s\n    title: %s\n    plan: [{respond: done}]\n    examples:\n", intent, strings.ReplaceAll(intent, "_", " "))
		for _, e := range examples[intent] {
			fmt.Fprintf(&b, "      - %q\n", e)
		}
	}
	agent, err := config.Parse("agent.yaml", []byte(b.String()), "")
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	return agent
}

func adviceOf(t *testing.T, examples map[string][]string) *Advice {
	t.Helper()
	steps, ticks := 0, 0
	a, err := Advise(t.Context(), agentOf(t, examples), &Options{Begin: func(n int) { steps = n }, Step: func() { ticks++ }})
	if err != nil {
		t.Fatal(err)
	}
	if steps == 0 || ticks != steps {
		t.Errorf("%d of %d steps", ticks, steps)
	}
	return a
}

// Nothing is said against an agent whose tasks have nothing in common.
func TestAdviseOfAClearAgent(t *testing.T) {
	a := adviceOf(t, shop())
	if a.Examples != 36 || a.Intents != 3 || len(a.Siblings)+len(a.Suspects)+len(a.Repeated) != 0 {
		t.Errorf("%+v", a)
	}
	if a.Forecast != nil || !strings.Contains(a.Unknown, "too few") {
		t.Errorf("forecast %+v, unknown %q", a.Forecast, a.Unknown)
	}
}

// Two intents whose examples differ by one telling word, which many of them lack, are
// siblings, and no others are.
func TestAdviseFindsSiblings(t *testing.T) {
	trainsOften(t)
	examples := shop()
	for i, way := range []string{"cancel my %s", "please cancel the %s", "i have to cancel a %s", "can you cancel this %s", "cancel the %s now"} {
		for j, thing := range []string{"flight", "trip"} {
			intent := []string{"cancel_refund", "cancel_credit"}[(i+j)%2]
			examples[intent] = append(examples[intent], fmt.Sprintf(way, thing))
		}
	}
	examples["cancel_refund"] = append(examples["cancel_refund"], "money back for my flight", "money back on the trip")
	examples["cancel_credit"] = append(examples["cancel_credit"], "credit for my flight", "credit on the trip")
	a := adviceOf(t, examples)
	if len(a.Siblings) != 1 {
		t.Fatalf("%d pairs: %+v", len(a.Siblings), a.Siblings)
	}
	s := a.Siblings[0]
	if s.A != "cancel_credit" || s.B != "cancel_refund" || s.Of != 14 || s.AasB == 0 || s.BasA == 0 || s.Advised == "" {
		t.Errorf("%+v", s)
	}
	ways := map[string]bool{}
	for _, e := range s.Shown {
		ways[e.Intent] = true
		if !strings.HasPrefix(e.At, "agent.yaml:") || e.TakenFor == e.Intent {
			t.Errorf("%+v", e)
		}
	}
	if len(s.Shown) > siblingShown || len(ways) != 2 {
		t.Errorf("shown %+v", s.Shown)
	}
	if !slices.Equal(s.TellsA, []string{"credit"}) || !slices.Contains(s.TellsB, "money") {
		t.Errorf("telling words %v and %v", s.TellsA, s.TellsB)
	}
}

// An example under the wrong intent is named with its place and with what it is like; so is
// one that is there twice.
func TestAdviseFindsAWrongLabel(t *testing.T) {
	trainsOften(t)
	examples := shop()
	examples["buy_voucher"] = append(examples["buy_voucher"], "where is the parcel today")
	examples["opening_time"] = append(examples["opening_time"], "Do you open on Sunday?")
	a := adviceOf(t, examples)
	if len(a.Suspects) != 1 {
		t.Fatalf("%d suspects: %+v", len(a.Suspects), a.Suspects)
	}
	s := a.Suspects[0]
	if s.Text != "where is the parcel today" || s.Intent != "buy_voucher" || s.TakenFor != "track_parcel" || s.Like.Intent != "track_parcel" {
		t.Errorf("%+v", s)
	}
	if s.At != "agent.yaml:20:9" { // the thirteenth example of the first intent
		t.Errorf("at %s", s.At)
	}
	if len(a.Repeated) != 1 || a.Repeated[0].Text != "Do you open on Sunday?" || a.Repeated[0].First.Text != "do you open on sunday" {
		t.Errorf("repeated: %+v", a.Repeated)
	}
}

// An example that alone teaches a way of saying is named with what it carries.
func TestAdviseFindsACarrier(t *testing.T) {
	examples := shop()
	examples["track_parcel"] = append(examples["track_parcel"], "shipment status please", "shipment status now")
	a := adviceOf(t, examples)
	broken := map[string][]string{}
	for _, c := range a.Carriers {
		for _, b := range c.Breaks {
			broken[c.Text] = append(broken[c.Text], b.Text)
			if b.TakenFor == c.Intent {
				t.Errorf("%q without %q is %+v", b.Text, c.Text, b)
			}
		}
	}
	if !slices.Contains(broken["shipment status now"], "shipment status please") && !slices.Contains(broken["shipment status please"], "shipment status now") {
		t.Errorf("%v", broken)
	}
}

// The intents that are named first are those that are mistaken, with what stands alone.
func TestAdviseNamesTheNeedy(t *testing.T) {
	trainsOften(t)
	examples := shop()
	examples["complain"] = []string{"this is broken", "the glass arrived in pieces", "nobody answers", "i am angry", "wrong colour", "it smells"}
	a := adviceOf(t, examples)
	if len(a.Needy) == 0 || a.Needy[0].Intent != "complain" || a.Needy[0].Now <= 0 || len(a.Needy[0].Alone) == 0 || len(a.Needy[0].TakenFor) == 0 {
		t.Fatalf("%+v", a.Needy)
	}
	if !strings.HasPrefix(a.Needy[0].At, "agent.yaml:") {
		t.Errorf("at %q", a.Needy[0].At)
	}
}

func TestAdviseOfOneIntent(t *testing.T) {
	if _, err := Advise(t.Context(), AgentOf([]Row{{Text: "a", Intent: "x"}, {Text: "b", Intent: "x"}}, false), nil); err != ErrFewLabels {
		t.Errorf("%v", err)
	}
}

// The curve that errors were made by is found again, and its exponent lies within the bounds.
func TestForecast(t *testing.T) {
	const messages, a, b = 3000, 0.6, 0.585 // a third at every doubling
	l := &learning{sizes: []float64{4, 8, 16}, all: 18, want: make([]string, messages)}
	for _, n := range l.sizes {
		wrong := make([]float64, messages)
		for i := range int(math.Round(messages * a * math.Pow(n, -b))) {
			wrong[i] = 1
		}
		l.wrong = append(l.wrong, wrong)
	}
	f, why := l.forecast()
	if f == nil {
		t.Fatal(why)
	}
	if math.Abs(f.Exponent-b) > 0.01 || math.Abs(f.Removed-1.0/3) > 0.01 || math.Abs(f.Doubled-a*math.Pow(36, -b)) > 0.002 {
		t.Errorf("%+v", f)
	}
	if f.Low >= f.Doubled || f.High <= f.Doubled || f.Least >= f.Removed || f.Most <= f.Removed || f.High-f.Low > 0.03 {
		t.Errorf("bounds %+v", f)
	}
}

// More messages make a forecast surer.
func TestForecastBounds(t *testing.T) {
	width := func(messages int) float64 {
		l := &learning{sizes: []float64{4, 8, 16}, all: 18, want: make([]string, messages)}
		for _, share := range []float64{0.3, 0.2, 0.14} {
			wrong := make([]float64, messages)
			for i := range int(share * float64(messages)) {
				wrong[i] = 1
			}
			l.wrong = append(l.wrong, wrong)
		}
		f, why := l.forecast()
		if f == nil {
			t.Fatal(why)
		}
		return f.High - f.Low
	}
	if few, many := width(200), width(5000); many >= few/2 {
		t.Errorf("%.3f wide with 200 messages, %.3f with 5000", few, many)
	}
}

// A smaller part of a draw is within the larger one, and no part reaches into the fold.
func TestParts(t *testing.T) {
	rows := numbered(4, 12)
	c := corpusOf(rows, false)
	c.single = true
	a := &adviser{Options: &Options{}, corpus: c, k: 3, byIntent: map[string][]int{}}
	a.folds, _ = c.folds(a.k)
	for i, r := range rows {
		a.byIntent[r.Intent] = append(a.byIntent[r.Intent], i)
	}
	for name := range a.byIntent {
		a.names = append(a.names, name)
	}
	slices.Sort(a.names)
	small, large := a.parts(0.25, 1), a.parts(0.5, 1)
	for fold := range small {
		if len(small[fold]) != 4*2 || len(large[fold]) != 4*4 {
			t.Errorf("fold %d: %d and %d rows", fold, len(small[fold]), len(large[fold]))
		}
		for i := range small[fold] {
			if !large[fold][i] || a.folds[i] == fold {
				t.Errorf("row %d in fold %d", i, fold)
			}
		}
	}
}

// trainsOften leaves a test to the plain run that trains as another one here does.
func trainsOften(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("trains dozens of classifiers; another test of advice is run under the race detector")
	}
}
