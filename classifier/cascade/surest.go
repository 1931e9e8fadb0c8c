package cascade

import (
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

// What a clause counts against the others, by what it does. Chance has a say in each of several
// rankings, so one clause must be surer than a whole message to be acted on.
const (
	asking      = 1.0
	telling     = 0.9
	saying      = 0.8  // nothing that the model of acts has a name for: "so here is the thing"
	clearlySays = 0.4  // by so much an act of courtesy must be surer than one that is about a task
	passing     = 0.85 // of what follows a clause that tells or asks something
	besideSure  = 0.4  // below, a clause that does nothing sounds like no task
	guessed     = 0.9  // of the threshold: a best guess that is not acted on
)

// surest lets the request decide the intent of the message around it. A greeting, thanks or a story
// blurs the ranking of the whole, and courtesy is no rival of a task. While a question is open the
// ranking of the whole stays, because the message may be an answer. Confidences that are not
// calibrated cannot be compared: a clause of few words then looks surer than the whole.
func (c *Classifier) surest(in classifier.Input, pieces []piece, r *message.Result) {
	if c.settled(in, r) {
		return
	}
	core, chatter := c.core(in.Text, pieces, r)
	system := c.system[r.Intent]
	acted := r.Confidence >= c.threshold && !system
	if len(core) == 0 || acted && !chatter || system && r.Confidence >= correctConfidence {
		return
	}
	var rivals []message.Score
	if chatter {
		rivals = c.rankTasks(in, core, r)
		if c.stands(in.Text, pieces, core, r, rivals) {
			return
		}
	}
	best := c.best(in, pieces, core, chatter, rivals, r)
	if len(best.ranking) == 0 || !best.clear && (!chatter || system) {
		return
	}
	r.Ranking = best.capped(guessed * c.threshold)
	r.Partly = !acted || r.Ranking[0].Intent != r.Intent
	r.Intent, r.Confidence = r.Ranking[0].Intent, r.Ranking[0].Confidence
}

// settled reports that the ranking of the whole message stands.
func (c *Classifier) settled(in classifier.Input, r *message.Result) bool {
	return c.model == nil || c.unmeasured || in.Asked != nil || in.Confirming || r.Exact || len(requests(r.Clauses)) > 1 || len(r.Ranking) == 0
}

// best returns the surest ranking of the whole, of its core, or of a clause.
func (c *Classifier) best(in classifier.Input, pieces, core []piece, chatter bool, rivals []message.Score, r *message.Result) guess {
	best := guess{clear: true}
	if !c.courteous[r.Intent] && !c.system[r.Intent] {
		best.take(r.Ranking, 1, c.threshold) // until a part of it is surer
	}
	if chatter {
		best.take(c.noCourtesy(rivals), 1, c.threshold)
		if len(r.Clauses) == 1 {
			r.Clauses[0].Ranking = c.onlyTasks(slices.Clone(best.ranking))
		}
	}
	if best.score < c.threshold && len(r.Clauses) > 1 {
		c.race(in, pieces, core, chatter, r, &best)
	}
	return best
}

// guess is the best ranking so far.
type guess struct {
	ranking []message.Score
	score   float64 // of its best
	clear   bool    // it may be acted on
}

// capped is the ranking with confidences of at most most, unless it may be acted on.
func (g *guess) capped(most float64) []message.Score {
	ranking := slices.Clone(g.ranking)
	for i := range ranking {
		if !g.clear {
			ranking[i].Confidence = min(ranking[i].Confidence, most)
		}
	}
	return ranking
}

// take keeps a ranking with a higher score. least is the score from which it may be acted on.
func (g *guess) take(ranking []message.Score, weight, least float64) {
	if score := certainty(ranking) * weight; score > g.score {
		*g = guess{ranking, score, score >= least}
	}
}

// race compares the clauses and, because the request tends to come last, the rests of the message
// behind each clause.
func (c *Classifier) race(in classifier.Input, pieces, core []piece, chatter bool, r *message.Result, best *guess) {
	least := joinedConfidence
	if !chatter {
		least = pausedConfidence
	}
	passed := 1.0
	for i := range r.Clauses {
		cl := &r.Clauses[i]
		w := c.weight(in.Text, cl, pieces)
		best.take(c.noCourtesy(cl.Ranking), w, least)
		if !chatter || i+1 == len(r.Clauses) {
			continue
		}
		if w >= telling {
			passed *= passing
		}
		rest := c.trimmed(in.Text, onFrom(core, len(head(in.Text, cl.End))))
		if n := len(rest); n > leastTrimmed && n < len(core) {
			best.take(c.rivals(in, rest, r), passed, joinedConfidence)
		}
	}
}

// onFrom returns the pieces from a byte on.
func onFrom(pieces []piece, at int) []piece {
	for len(pieces) > 0 && pieces[0].start < at {
		pieces = pieces[1:]
	}
	return pieces
}

// What each of several requests in one message must reach by itself. A sentence about one thing is
// easily cut into two that sound like more, above all where no joining word says that something is
// added: "where is my parcel? I ordered it two weeks ago".
const (
	joinedConfidence = 0.7
	pausedConfidence = 0.95
)

// requests lists the tasks that clauses of a message are sure of, in their order: "where is O-1 and
// cancel O-2".
func requests(clauses []message.Clause) []string {
	var out []string
	for i := range clauses {
		cl, least := &clauses[i], pausedConfidence
		if i == 0 || adding[cl.Join] {
			least = joinedConfidence
		}
		if certainty(cl.Ranking) >= least && !slices.Contains(out, cl.Ranking[0].Intent) {
			out = append(out, cl.Ranking[0].Intent)
		}
	}
	return out
}

// adding are the words that join one request to another.
var adding = phrases("adding")

// rivals ranks the tasks that pieces may be about, without those that only courtesy is about.
func (c *Classifier) rivals(in classifier.Input, pieces []piece, r *message.Result) []message.Score {
	return c.noCourtesy(c.rankTasks(in, pieces, r))
}

// noCourtesy drops the tasks that are nothing but courtesy, unless nothing else is there.
func (c *Classifier) noCourtesy(ranking []message.Score) []message.Score {
	kept := make([]message.Score, 0, len(ranking))
	for _, s := range ranking {
		if !c.courteous[s.Intent] {
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		return ranking
	}
	return kept
}

// weight returns the factor of a clause's confidence, 0 for courtesy.
func (c *Classifier) weight(text string, cl *message.Clause, pieces []piece) float64 {
	own := within(pieces, len(head(text, cl.Start)), len(head(text, cl.End)))
	if chatty(&cl.Acts) || c.leadsUp(own) {
		return 0
	}
	w := saying
	switch about := most(&cl.Acts, aboutTasks); {
	case max(cl.Acts[message.ActRequest], cl.Acts[message.ActQuestion]) >= maybeTask:
		w = asking
	case about >= maybeTask:
		w = telling
	}
	return w
}

// core returns the pieces from the first clause that is no courtesy to the last. chatter reports
// that they are not the whole message.
func (c *Classifier) core(text string, pieces []piece, r *message.Result) (core []piece, chatter bool) {
	first, last := -1, -1
	for i := range r.Clauses {
		if cl := &r.Clauses[i]; !c.beside(text, cl, pieces) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return nil, false
	}
	core = within(pieces, len(head(text, r.Clauses[first].Start)), len(head(text, r.Clauses[last].End)))
	core = c.trimmed(text, core)
	return core, len(core) < len(pieces)
}

// rankTasks ranks the tasks that pieces may be about.
func (c *Classifier) rankTasks(in classifier.Input, pieces []piece, r *message.Result) []message.Score {
	alone := message.Result{Params: r.Params}
	if !c.exact(in, pieces, &alone) || c.system[alone.Intent] {
		alone.Exact, alone.Ranking = false, nil
		c.rank(in, pieces, &alone)
	}
	return c.onlyTasks(alone.Ranking)
}

// certainty returns the confidence of the best of a ranking.
func certainty(ranking []message.Score) float64 {
	if len(ranking) == 0 {
		return 0
	}
	return ranking[0].Confidence
}
