package main

import (
	"fmt"
	"math"

	"github.com/slotway/slotway/scripts/lab/turnset"
)

// tally counts what was wanted, what was found, and what of it was right.
type tally struct{ want, got, right int }

func (f *tally) add(want, got bool) {
	f.want += count(want)
	f.got += count(got)
	f.right += count(want && got)
}

// levels are probabilities from which a yes could be taken.
var levels = [...]float32{0.3, 0.5, 0.7, 0.8, 0.9, 0.95}

// report prints how well the trades that are held out are read.
func (c *corpus) report(m *model) {
	var by [numCommands]tally
	var plain [len(levels)]tally
	var passed [len(levels)]int
	turns, exact := map[string]int{}, map[string]int{}
	elsewhere := 0
	for _, s := range c.all {
		if !s.held {
			continue
		}
		p := m.of(s.features)
		if s.elsewhere {
			elsewhere++
			for i, level := range levels {
				passed[i] += count(p[plainYes] >= level)
			}
			continue
		}
		right := true
		for a := range p {
			got := p[a] >= 0.5
			by[a].add(s.want[a], got)
			right = right && (got == s.want[a] || a == courtesy || a == plainYes)
		}
		if s.question.kind == turnset.AskConfirm {
			for i, level := range levels {
				plain[i].add(s.want[plainYes], p[plainYes] >= level)
			}
		}
		for _, kind := range []string{"all", s.question.kind} {
			turns[kind]++
			exact[kind] += count(right)
		}
	}
	for a, f := range by {
		fmt.Printf("%-13s want %4d precision %.3f recall %.3f\n", commands[a], f.want, part(f.right, f.got), part(f.right, f.want))
	}
	for _, kind := range append([]string{"all"}, turnset.Kinds...) {
		fmt.Printf("%-8s %4d turns, all commands right %.3f\n", kind, turns[kind], part(exact[kind], turns[kind]))
	}
	for i, level := range levels {
		f := plain[i]
		fmt.Printf("plain yes at %.2f: recall %.3f of %d, %d false; of %d said elsewhere %d pass\n", level, part(f.right, f.want), f.want, f.got-f.right, elsewhere, passed[i])
	}
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func part(some, of int) float64 { return float64(some) / math.Max(1, float64(of)) }
