package summary

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

const (
	// frame is the cost of a piece besides its words. Without it the shortest pieces would come
	// first.
	frame = 3
	// freshness is how much more the newest messages are worth (a factor of e to its power), and
	// halfLife the number of messages after which half of that is gone. Recent messages are told
	// densely, older ones only if they stand out.
	freshness = 0.5
	halfLife  = 80
)

// Select chooses pieces that together cost at most budget: those with the best ratio of worth to
// cost, newer ones first among equals, and none that repeats another. It returns them in their
// order. now is the number of the newest message.
func Select(list []Piece, budget int, now int64, cost func(*Piece) int) []Piece {
	type candidate struct {
		i, cost int
		worth   float64
	}
	ranked := make([]candidate, len(list))
	for i := range list {
		p := &list[i]
		n := cost(p)
		age := float64(max(now-p.Seq, 0))
		worth := math.Log(max(p.P, 1e-9)) - math.Log(float64(n+frame)) + freshness*math.Exp2(-age/halfLife)
		ranked[i] = candidate{i, n, worth}
	}
	slices.SortStableFunc(ranked, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(b.i, a.i))
	})
	said := map[string]bool{}
	var chosen []int
	for _, c := range ranked {
		if c.cost > budget {
			continue
		}
		if key := sayingOf(list[c.i].Text); key != "" {
			if said[key] {
				continue
			}
			said[key] = true
		}
		budget -= c.cost
		chosen = append(chosen, c.i)
	}
	slices.Sort(chosen)
	out := make([]Piece, len(chosen))
	for k, i := range chosen {
		out[k] = list[i]
	}
	return out
}

// sayingOf returns the same string for two texts with the same content.
func sayingOf(text string) string {
	return strings.Join(contentStems(tokenize(text)), " ")
}
