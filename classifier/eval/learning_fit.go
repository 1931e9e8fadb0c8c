package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Forecast predicts the effect of twice the examples, by a curve through the errors with parts of
// them. Low and High enclose nine tenths of what redrawn messages give.
type Forecast struct {
	Examples float64      `json:"examples"` // of an intent, on average
	Now      float64      `json:"now"`      // messages that are mistaken, with all examples
	Doubled  float64      `json:"doubled"`  // and with twice as many
	Low      float64      `json:"low"`      // of Doubled
	High     float64      `json:"high"`
	Exponent float64      `json:"exponent"` // b of the curve a*n^-b
	Removed  float64      `json:"removed"`  // of the errors, by a doubling
	Least    float64      `json:"removed_least"`
	Most     float64      `json:"removed_most"`
	Points   []CurvePoint `json:"points"` // that were measured
}

// CurvePoint is the error with some examples.
type CurvePoint struct {
	Examples float64 `json:"examples"` // of an intent, on average
	Error    float64 `json:"error"`
	Messages int     `json:"messages"`
}

// Bounds of a forecast: below them it would be a guess.
const (
	forecastErrors   = 8   // messages mistaken with all examples
	forecastExamples = 4   // of an intent, on average
	redraws          = 400 // of the messages
	outside          = 0.05
)

// power is the curve a*n^-b.
type power struct{ a, b float64 }

func (p power) at(n float64) float64 { return min(1, p.a*math.Pow(n, -p.b)) }

// forecast fits the curve, or says why it does not.
func (l *learning) forecast() (*Forecast, string) {
	last := len(l.sizes) - 1
	errors := l.errors(nil)
	if n := errors[last] * float64(len(l.want)); n < forecastErrors {
		return nil, fmt.Sprintf("%d of %d examples are mistaken when left out: too few to tell what more of them would bring", int(math.Round(n)), len(l.want))
	}
	if l.all < forecastExamples {
		return nil, fmt.Sprintf("an intent has %.1f examples: too few to tell what more of them would bring, and reason enough to write more", l.all)
	}
	c := fit(l.sizes, errors, len(l.want))
	f := &Forecast{Examples: l.all, Now: c.at(l.all), Doubled: c.at(2 * l.all), Exponent: c.b, Removed: removed(c)}
	for i, n := range l.sizes {
		f.Points = append(f.Points, CurvePoint{Examples: n, Error: errors[i], Messages: len(l.want)})
	}
	var doubled, shares []float64
	rng := rand.New(rand.NewPCG(adviceSeed, uint64(len(l.want))))
	which := make([]int, len(l.want))
	for range redraws {
		for i := range which {
			which[i] = rng.IntN(len(which))
		}
		c := fit(l.sizes, l.errors(which), len(l.want))
		doubled, shares = append(doubled, c.at(2*l.all)), append(shares, removed(c))
	}
	slices.Sort(doubled)
	slices.Sort(shares)
	low, high := int(outside*redraws), int((1-outside)*redraws)-1
	f.Low, f.High, f.Least, f.Most = doubled[low], doubled[high], shares[low], shares[high]
	return f, ""
}

// removed is the share of the errors that a doubling takes away.
func removed(c power) float64 { return 1 - math.Pow(2, -c.b) }

// errors is the share that was mistaken of some messages, by part; nil: of all.
func (l *learning) errors(which []int) []float64 {
	out := make([]float64, len(l.wrong))
	for part, wrong := range l.wrong {
		if which == nil {
			for _, w := range wrong {
				out[part] += w
			}
		}
		for _, i := range which {
			out[part] += wrong[i]
		}
		out[part] /= float64(len(wrong))
	}
	return out
}

// fit draws the line through the logarithms that misses them least, each counted by the
// errors behind it. More examples never count as harm.
func fit(sizes, errors []float64, messages int) power {
	var w, x, y, xx, xy float64
	for i, n := range sizes {
		wrong := errors[i]*float64(messages) + 0.5
		u, v := math.Log(n), math.Log(wrong/(float64(messages)+1))
		w += wrong
		x += wrong * u
		y += wrong * v
		xx += wrong * u * u
		xy += wrong * u * v
	}
	b := 0.0
	if d := w*xx - x*x; d > 0 {
		b = max(0, -(w*xy-x*y)/d)
	}
	return power{a: math.Exp((y + b*x) / w), b: b}
}
