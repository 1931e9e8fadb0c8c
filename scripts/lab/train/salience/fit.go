package main

import (
	"math"

	"github.com/slotway/slotway/memory/summary"
)

func dot(a, b []float64) float64 {
	var s float64
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

func logistic(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// fit finds the weights by Newton's method. The bias is not penalised.
func fit(rows []row, l2 float64) []float64 {
	names := summary.FeatureNames()
	w := make([]float64, len(names))
	for range 30 {
		system := equations(rows, w, l2)
		step := solve(system)
		moved := 0.0
		for i := range w {
			w[i] += step[i]
			moved = max(moved, math.Abs(step[i]))
		}
		if moved < 1e-8 {
			break
		}
	}
	for i, name := range names {
		if name == "agent" {
			w[i] = agentWeight
		}
	}
	return w
}

// equations returns the Hessian of the penalised log likelihood, with its gradient as the last
// column.
func equations(rows []row, w []float64, l2 float64) [][]float64 {
	n := len(w)
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n+1)
		if i > 0 {
			a[i][i], a[i][n] = l2, -l2*w[i]
		}
	}
	for _, r := range rows {
		p := logistic(dot(w, r.Features))
		y, weight := 0.0, 1.0
		if r.asked > 0 {
			y, weight = 1, math.Sqrt(r.asked)
		}
		for i, x := range r.Features {
			if x == 0 {
				continue
			}
			a[i][n] += weight * (y - p) * x
			for j, z := range r.Features {
				a[i][j] += weight * p * (1 - p) * x * z
			}
		}
	}
	return a
}

// solve runs Gauss-Jordan elimination with pivots; degenerate columns get 0.
func solve(a [][]float64) []float64 {
	n := len(a)
	for i := range n {
		pivot := i
		for j := i; j < n; j++ {
			if math.Abs(a[j][i]) > math.Abs(a[pivot][i]) {
				pivot = j
			}
		}
		a[i], a[pivot] = a[pivot], a[i]
		for j := range n {
			if j == i || a[i][i] == 0 {
				continue
			}
			f := a[j][i] / a[i][i]
			for k := i; k <= n; k++ {
				a[j][k] -= f * a[i][k]
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		if a[i][i] != 0 {
			x[i] = a[i][n] / a[i][i]
		}
	}
	return x
}
