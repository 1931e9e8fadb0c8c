package tagger

import (
	"math"
	"slices"
)

// Tags are numbered from the params: 0 is outside, then begin and inside of each. Local
// tags are numbered so over the allowed params of one message, in their order.
func begin(param int32) int32  { return 1 + 2*param }
func inside(param int32) int32 { return 2 + 2*param }

// lattice is the working memory of decoding. It belongs to one goroutine.
type lattice struct {
	n, tags  int       // tokens, local tags
	emission []float32 // n x tags
	trans    []float32 // tags x tags, by the later tag: trans[next*tags+last]
	forward  []float32 // n x tags: the best score of a path that ends here
	backward []float32 // n x tags: the best score of what follows
	onward   []float32 // by tag: the best score of what follows, the tag's own included
	from     []int32   // n x tags: the tag before, on that path
	path     []int32
	spread   float32 // between the greatest and the least transition
	live     []int32 // tags that the best path may come from or go to
}

const never = float32(-1e30)

// reset makes room for n tokens and tags local tags, with no emissions.
func (l *lattice) reset(n, tags int) {
	l.n, l.tags = n, tags
	l.emission = zeroed(l.emission, n*tags)
	l.forward = sized(l.forward, n*tags)
	l.backward = sized(l.backward, n*tags)
	l.from = sized(l.from, n*tags)
	l.trans = sized(l.trans, tags*tags)
	l.onward = sized(l.onward, tags)
	l.path = sized(l.path, n)
}

func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func zeroed(s []float32, n int) []float32 {
	s = sized(s, n)
	clear(s)
	return s
}

// link copies the transitions among the allowed params out of the model's, which are
// all x all by the earlier tag. What BIO forbids is never: an inside follows its begin
// or itself.
func (l *lattice) link(weights []float32, all int, params []int32) {
	global := func(local int) int {
		if local == 0 {
			return 0
		}
		return int(begin(params[(local-1)/2])) + (local-1)%2
	}
	least, most := weights[0], weights[0]
	for next := range l.tags {
		to := global(next)
		row := l.trans[next*l.tags : (next+1)*l.tags]
		if next > 0 && next%2 == 0 {
			for last := range row {
				row[last] = never
			}
			row[next-1], row[next] = weights[global(next-1)*all+to], weights[to*all+to]
			continue
		}
		row[0] = weights[to]
		for k, p := range params {
			b := int(begin(p))
			row[1+2*k], row[2+2*k] = weights[b*all+to], weights[(b+1)*all+to]
		}
		least, most = min(least, slices.Min(row)), max(most, slices.Max(row))
	}
	l.spread = most - least
}

// keep fills live with the tags whose score is so high that no transition can make up
// for the difference to the best: the others lie on no best path.
func (l *lattice) keep(scores []float32, best float32) {
	l.live = l.live[:0]
	for k, s := range scores {
		if s >= best-l.spread {
			l.live = append(l.live, int32(k))
		}
	}
}

// viterbi finds the best path and returns its score.
func (l *lattice) viterbi() float32 {
	t := l.tags
	for k := range t {
		l.forward[k] = l.emission[k]
		if k > 0 && k%2 == 0 {
			l.forward[k] = never
		}
	}
	for i := 1; i < l.n; i++ {
		before, now := l.forward[(i-1)*t:i*t], l.forward[i*t:(i+1)*t]
		from := l.from[i*t : (i+1)*t]
		l.keep(before, slices.Max(before))
		for next := range t {
			best, at := never*2, 0
			row := l.trans[next*t : (next+1)*t]
			if next > 0 && next%2 == 0 {
				best, at = before[next-1]+row[next-1], next-1
				if s := before[next] + row[next]; s > best {
					best, at = s, next
				}
			} else {
				for _, last := range l.live {
					if s := before[last] + row[last]; s > best {
						best, at = s, int(last)
					}
				}
			}
			now[next], from[next] = best+l.emission[i*t+next], int32(at)
		}
	}
	last := l.forward[(l.n-1)*t:]
	at := 0
	for k, s := range last[:t] {
		if s > last[at] {
			at = k
		}
	}
	score := last[at]
	for i := l.n - 1; i >= 0; i-- {
		l.path[i] = int32(at)
		at = int(l.from[i*t+at])
	}
	return score
}

// lookBack fills in backward, which the margins need.
func (l *lattice) lookBack() {
	t := l.tags
	clear(l.backward[(l.n-1)*t:])
	for i := l.n - 2; i >= 0; i-- {
		now, after := l.backward[i*t:(i+1)*t], l.backward[(i+1)*t:(i+2)*t]
		score, best := l.onward, never*2
		for next := range t {
			score[next] = after[next] + l.emission[(i+1)*t+next]
			if next == 0 || next%2 == 1 {
				best = max(best, score[next])
			}
		}
		for k := range now {
			now[k] = never * 2
		}
		for next := 2; next < t; next += 2 {
			row := l.trans[next*t : (next+1)*t]
			now[next-1], now[next] = score[next]+row[next-1], score[next]+row[next]
			score[next] = never * 2 // no other tag goes there
		}
		l.keep(score, best)
		for _, next := range l.live {
			row := l.trans[int(next)*t : (int(next)+1)*t]
			for last, s := range now {
				now[last] = max(s, score[next]+row[last])
			}
		}
	}
}

// margin returns the lead of the best path over every path that has another tag at one of the
// tokens [from, to) or goes on inside the same param at to.
func (l *lattice) margin(score float32, from, to int) float32 {
	t := l.tags
	least := float32(math.Inf(1))
	for i := from; i < to; i++ {
		for k := range t {
			if int32(k) != l.path[i] {
				least = min(least, score-l.forward[i*t+k]-l.backward[i*t+k])
			}
		}
	}
	if to < l.n {
		in := int(l.path[to-1])
		if in%2 == 1 {
			in++
		}
		least = min(least, score-l.forward[to*t+in]-l.backward[to*t+in])
	}
	return least
}
