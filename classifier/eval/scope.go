package eval

import (
	"slices"

	"github.com/slotway/slotway/classifier/eval/internal/measure"
)

// Point holds the effect of a threshold: messages with a lower confidence are refused.
type Point struct {
	Threshold       float64 `json:"threshold"`
	InScopeAccuracy float64 `json:"in_scope_accuracy"` // in-scope messages that are accepted and right
	Coverage        float64 `json:"coverage"`          // in-scope messages that are accepted
	Recall          float64 `json:"recall"`            // out-of-scope messages that are refused; 0 without any
	Precision       float64 `json:"precision"`         // refused messages that are out of scope; 0 without any
}

// Scope is a Point whose threshold was chosen for what it may cost.
type Scope struct {
	InScopeLoss float64 `json:"in_scope_loss"` // accuracy that it may give up on the training messages
	Point
}

// losses are the shares of in-scope accuracy that are given up for refusing.
var losses = []float64{0.005, 0.01, 0.02, 0.05}

// steps of the threshold curve.
const curveSteps = 50

func curve(all []prediction) []Point {
	out := make([]Point, 0, curveSteps+1)
	for i := range curveSteps + 1 {
		t := float64(i) / curveSteps
		p := pointAt(all, func(*prediction) float64 { return t })
		p.Threshold = t
		out = append(out, p)
	}
	return out
}

// pointAt judges messages by the threshold of each. Replies are not judged.
func pointAt(all []prediction, threshold func(*prediction) float64) Point {
	var in, accepted, right, out, refused, refusedIn int
	for i := range all {
		p := &all[i]
		if p.reply {
			continue
		}
		accept := p.confidence >= threshold(p)
		switch {
		case p.out():
			out++
			if !accept {
				refused++
			}
		case !accept:
			in++
			refusedIn++
		default:
			in++
			accepted++
			if p.right() {
				right++
			}
		}
	}
	return Point{
		InScopeAccuracy: measure.Share(right, in), Coverage: measure.Share(accepted, in),
		Recall: measure.Share(refused, out), Precision: measure.Share(refused, refused+refusedIn),
	}
}

// calibrated is the highest threshold that costs at most loss of the in-scope accuracy of
// these held-out messages: that of the best of them that must still be accepted.
func calibrated(held []prediction, loss float64) float64 {
	var right []float64 // confidences
	n := 0
	for i := range held {
		p := &held[i]
		if p.out() || p.reply {
			continue
		}
		n++
		if p.right() {
			right = append(right, p.confidence)
		}
	}
	if len(right) == 0 {
		return 0
	}
	slices.Sort(right)
	lost := int(loss * float64(n)) // right answers that may be given up
	return right[min(lost, len(right)-1)]
}

// scopes judges messages by thresholds calibrated on held-out training messages.
func scopes(all, held []prediction) []Scope {
	out := make([]Scope, 0, len(losses))
	for _, loss := range losses {
		t := calibrated(held, loss)
		s := Scope{InScopeLoss: loss, Point: pointAt(all, func(*prediction) float64 { return t })}
		s.Threshold = t
		out = append(out, s)
	}
	return out
}

// crossScopes is scopes where the messages are themselves held out: those of a fold are
// judged by a threshold from the other folds. Threshold is the mean.
func crossScopes(all []prediction, k int) []Scope {
	out := make([]Scope, 0, len(losses))
	for _, loss := range losses {
		byFold := make([]float64, k)
		mean := 0.0
		for fold := range k {
			others := slices.DeleteFunc(slices.Clone(all), func(p prediction) bool { return p.fold == fold })
			byFold[fold] = calibrated(others, loss)
			mean += byFold[fold] / float64(k)
		}
		s := Scope{InScopeLoss: loss, Point: pointAt(all, func(p *prediction) float64 { return byFold[p.fold] })}
		s.Threshold = mean
		out = append(out, s)
	}
	return out
}

// Lost is the share of in-scope accuracy that a threshold really cost.
func (f *Figures) Lost(s Scope) float64 { return f.Accuracy - s.InScopeAccuracy }
