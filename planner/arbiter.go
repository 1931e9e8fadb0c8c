package planner

import (
	"cmp"
	"slices"

	"github.com/slotway/slotway/classifier/message"
)

// The score of a reading is its evidence, reduced by the part of the message that it leaves
// unexplained, to bareWorth of the evidence at most.
const (
	bareWorth = 0.55
	roomWorth = 0.6  // share of a clause that a reading only tolerates
	contested = 0.06 // the user decides between two readings closer than this
)

// weigh scores the readings and sorts them, the best first. Of equal readings, the one whose rule
// stands first in the table wins.
func (r *interpreter) weigh(all []reading) []reading {
	all = slices.DeleteFunc(all, func(x reading) bool { return x.evidence < least[x.kind] })
	for i := range all {
		x := &all[i]
		share := r.share(x.clauses.without(x.around)) + roomWorth*r.share(x.clauses&x.around)
		x.score = min(1, x.evidence) * (bareWorth + (1-bareWorth)*min(1, share))
	}
	if slices.ContainsFunc(all, r.wantsSomething) {
		for i := range all {
			if all[i].kind == kindCourtesy {
				all[i].score = 0 // it never outranks a request (rule 16 of the tasks)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b reading) int { return cmp.Compare(b.score, a.score) })
	return all
}

// wantsSomething reports whether a reading takes a clause that clearly asks for a task.
func (r *interpreter) wantsSomething(x reading) bool {
	if x.kind != kindTask && (x.kind != kindAside || x.Intent == "") {
		return false
	}
	return slices.ContainsFunc(x.clauses.without(x.around).members(), func(i int) bool {
		c := &r.clauses[i]
		return !c.courteous() && c.any(message.ActRequest, message.ActQuestion)
	})
}

// share returns how much of the message some clauses are, in [0,1].
func (r *interpreter) share(of set) float64 {
	explained, whole := 0.0, 0.0
	for i := range r.clauses {
		w := r.clauses[i].weight()
		whole += w
		if of.has(i) {
			explained += w
		}
	}
	if whole == 0 {
		return 1
	}
	return explained / whole
}

// arbitrate chooses the best reading, and the readings that explain the rest of the message and may
// stand beside it. If two readings would do different things and are too close to tell, it asks the
// user which one is meant.
func (r *interpreter) arbitrate(all []reading) (chosen, others []reading) {
	all = r.weigh(all)
	if len(all) == 0 {
		return nil, nil
	}
	best := all[0]
	if other := r.rival(best, all[1:]); other != nil {
		return []reading{r.askWhich(best, *other)}, all
	}
	chosen = []reading{best}
	explained := best.clauses.without(best.around)
	for _, x := range all[1:] {
		own := x.clauses.without(x.around)
		if own != 0 && !own.meets(explained) && r.mayJoin(chosen, x) {
			chosen = append(chosen, x)
			explained |= own
			continue
		}
		others = append(others, x)
	}
	return chosen, others
}

// rival finds a reading of the same words that is as good but would do something else.
func (r *interpreter) rival(best reading, rest []reading) *reading {
	if best.title == "" {
		return nil
	}
	for i := range rest {
		x := &rest[i]
		if best.score-x.score > contested {
			return nil
		}
		if x.title != "" && x.title != best.title && x.clauses.meets(best.clauses) {
			return x
		}
	}
	return nil
}

// mayJoin reports whether a reading may stand beside all chosen ones.
func (r *interpreter) mayJoin(chosen []reading, x reading) bool {
	return !slices.ContainsFunc(chosen, func(c reading) bool {
		return !beside[c.kind][x.kind] && !beside[x.kind][c.kind]
	})
}
