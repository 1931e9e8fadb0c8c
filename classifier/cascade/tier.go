package cascade

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/llm"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// Tiered is the embedded classifier with a model server for messages that the embedded one is
// unsure of. It does not change and is safe for concurrent use.
type Tiered struct {
	embedded  *Classifier
	model     *llm.Classifier
	threshold float64
}

var _ classifier.Classifier = (*Tiered)(nil)

// NewTiered puts a model behind the embedded classifier of the same agent. An agent without
// a model server uses the embedded one as it is.
func NewTiered(agent *config.Agent, embedded *Classifier, model *llm.Classifier) *Tiered {
	return &Tiered{embedded: embedded, model: model, threshold: agent.Classifier.Threshold}
}

// Classify understands one message. It fails only when ctx has ended. Result.Tier names the
// classifier that answered; Result.Fallback says why the model did not where it should have.
func (t *Tiered) Classify(ctx context.Context, in classifier.Input) (message.Result, error) {
	if err := ctx.Err(); err != nil {
		return message.Result{}, err
	}
	form := message.Normalise(in.Text)
	in.Text, in.Tokens = form.Text, nil
	short := in
	short.Text = head(in.Text, t.embedded.longest)
	r, err := t.embedded.read(short), error(nil)
	if !t.sure(&r) { // most messages end here, at no cost
		r, err = t.consult(ctx, in, r)
	}
	r.Restore(&form, t.embedded.free)
	return r, err
}

// Read is the embedded classifier's: an answer to one question needs no model.
func (t *Tiered) Read(param, text string, now time.Time) (value any, ok bool) {
	return t.embedded.Read(param, text, now)
}

// consult asks the model, unless the message needs none for all that.
func (t *Tiered) consult(ctx context.Context, in classifier.Input, r message.Result) (message.Result, error) {
	if t.settled(in, &r) != "" {
		return r, nil
	}
	q := llm.Question{Input: in, Embedded: r}
	if t.model.TooMany() {
		q.Likely = t.likely(in, &r)
	}
	understood, err := t.model.Ask(ctx, q)
	if err == nil && understood.Intent != r.Intent && understood.Intent != in.Active {
		_, _, found := t.embedded.extract.Analyse(in, nil)
		t.embedded.tagging(in, r.Params, found).add(understood.Intent, &understood) // the values of what it is about after all
	}
	if err == nil {
		t.retold(&r, &understood)
		t.embedded.surround(in, &understood) // the model's values too
	}
	return understood, err
}

// retold adds the model's task to the clauses of a message, because the planner reads the topic of
// a clause from its ranking. With several clauses, the embedded rankings stay behind that of the
// whole.
func (t *Tiered) retold(embedded, understood *message.Result) {
	if understood.Tier == "llm" {
		understood.Hear = nil // it has read the message
	}
	if understood.Intent == embedded.Intent || len(understood.Clauses) == 0 {
		return
	}
	tasks := t.embedded.onlyTasks(slices.Clone(understood.Ranking))
	understood.Clauses = slices.Clone(understood.Clauses)
	for i := range understood.Clauses {
		clause := &understood.Clauses[i]
		if len(understood.Clauses) == 1 {
			clause.Ranking = tasks
			continue
		}
		clause.Ranking = slices.Clone(clause.Ranking)
		for k := range clause.Ranking {
			clause.Ranking[k].Confidence = min(clause.Ranking[k].Confidence, behind(tasks))
		}
	}
}

// behind is the greatest confidence of a clause's task when the whole message is about another.
func behind(tasks []message.Score) float64 {
	if len(tasks) < 2 {
		return 0
	}
	return tasks[1].Confidence
}

// sure reports whether a result can be acted on.
func (t *Tiered) sure(r *message.Result) bool {
	return r.Exact || r.Intent != "" && r.Confidence >= t.threshold
}

// settled returns the reason for which a message needs no model, or "".
func (t *Tiered) settled(in classifier.Input, r *message.Result) string {
	for _, s := range settlements {
		if s.holds(t, in, r) {
			return s.why
		}
	}
	return ""
}

// settlements lists the reasons for which a message needs no model, the cheapest to check first.
var settlements = []struct {
	why   string
	holds func(*Tiered, classifier.Input, *message.Result) bool
}{
	{"sure: at threshold, or a stock phrase", func(t *Tiered, _ classifier.Input, r *message.Result) bool {
		return t.sure(r)
	}},
	{"several requests, each clear by itself", func(_ *Tiered, _ classifier.Input, r *message.Result) bool {
		return len(requests(r.Clauses)) > 1
	}},
	{"most likely a yes, a no or a correction where one is awaited, which no model may give", func(_ *Tiered, in classifier.Input, r *message.Result) bool {
		return in.Confirming && (r.Intent == "affirm" || r.Intent == "deny" || r.Intent == "correct")
	}},
	{"too long to be read whole", func(t *Tiered, in classifier.Input, _ *message.Result) bool {
		return utf8.RuneCountInString(in.Text) > t.embedded.longest
	}},
	{"nothing but what was recognised: values, courtesy, a system phrase; or nothing at all", func(t *Tiered, in classifier.Input, r *message.Result) bool {
		return t.embedded.silent(in, t.embedded.unexplained(in, r), r.Params)
	}},
}

// unexplained returns the pieces of a message behind the system phrase that opens it.
func (c *Classifier) unexplained(in classifier.Input, r *message.Result) []piece {
	pieces := cut(in.Text, in.Cut(), c.masks(in.Text, r.Params))
	from := len(head(in.Text, r.Lead.End))
	for len(pieces) > 0 && pieces[0].start < from {
		pieces = pieces[1:]
	}
	return pieces
}

// likely ranks more intents than a Result does: linear.Options.Top of them.
func (t *Tiered) likely(in classifier.Input, r *message.Result) []string {
	if t.embedded.model == nil {
		return nil
	}
	var out []string
	for _, s := range t.embedded.model.Rank(join(t.embedded.unexplained(in, r)), nil) {
		out = append(out, s.Intent)
	}
	return out
}
