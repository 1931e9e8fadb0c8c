package cascade

import (
	"cmp"
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/acts"
	"github.com/slotway/slotway/classifier/cues"
	"github.com/slotway/slotway/classifier/extract"
	"github.com/slotway/slotway/classifier/extract/tagger"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/classifier/reader"
	"github.com/slotway/slotway/config"
)

// Options tunes the parts; the zero value is right.
type Options struct {
	Extract *extract.Options
	Linear  *linear.Options
	Words   tagger.Vectors // of single words, to find params by; nil: params go by words as they stand
	Longest int            // code points of a message that are read, the rest is not; default 2000
	Cache   Cache          // keeps what was trained for the next start; nil: nothing does
	Vectors Cache          // keeps what Linear.Encoder makes of examples; nil: Cache does

	// Encoder opens Linear.Encoder for an agent that is one for it: an English one of at least
	// EncodeFrom tasks and answers. Default: what Linear has.
	Encoder    func() (linear.Embedder, error)
	EncodeFrom int

	// Tick is called while examples are learned, from one goroutine at a time: with what is done and
	// the total, from 0 on. An error of it ends the training within a fraction of a second; New
	// returns that error. It is not called for a classifier from the cache. Default: none.
	Tick func(done, total int) error
}

// Classifier is the embedded classifier of one agent. It does not change and is safe for
// concurrent use.
type Classifier struct {
	extract    *extract.Extractor
	model      *linear.Model // nil: the agent has no examples
	stock      map[string]stock
	system     map[string]bool // the agent's system intents
	classes    map[string]rune // mask by param, for params whose spans are masked
	longest    int
	unmeasured bool                // the model's confidences are not calibrated
	threshold  float64             // of the agent's policy: from here on a task is begun
	reject     float64             // of the agent's policy: below it an intent is not understood
	words      map[string][]string // words of a param's name, which announce it
	options    *extract.Options    // of the recognisers
	tagger     *tagger.Model       // nil: too few examples have marked values
	tags       map[string][]string // params by intent
	param      map[string]*config.Param
	replies    map[string]int            // by param: examples that answer its question
	frames     map[string]frame          // by param: what the examples have around its values
	writes     map[string]bool           // by intent: it changes the world
	cues       *cues.Reader              // of the words around values
	own        map[string]message.Act    // stock phrases that the agent gives for what clauses do
	after      map[string]*config.Intent // those that may only follow others
	courteous  map[string]bool           // tasks that are nothing but courtesy
	english    bool                      // the agent speaks the language of the word lists here
	speaks     *acts.Reader              // of what clauses do in its language
	gloss      *message.Gloss            // of its language; nil: English, or none
	reader     *reader.Reader            // of question and message together; nil: not for this agent
	readerOf   *reader.Agent             // what it reads
	knows      func(word string) bool    // whether a word is one; nil: nobody knows
}

var _ classifier.Classifier = (*Classifier)(nil)

// stock is a phrase that means an intent when it is the whole message.
type stock struct {
	system string   // the system intent that has it; "": none
	tasks  []string // the agent's own intents that have it
}

// Classify understands one message. It fails only when ctx has ended.
func (c *Classifier) Classify(ctx context.Context, in classifier.Input) (message.Result, error) {
	if err := ctx.Err(); err != nil {
		return message.Result{}, err
	}
	form := message.Normalise(head(in.Text, c.longest))
	in.Text, in.Tokens = form.Text, nil
	r := c.read(in)
	r.Restore(&form, c.free)
	return r, nil
}

// free reports whether a value is a text as people write it.
func (c *Classifier) free(v *message.Value) bool {
	return v.Source != "option" && c.extract.Open(v.Param)
}

// read understands a message in its normal form.
func (c *Classifier) read(in classifier.Input) message.Result {
	in.Cut()
	r := message.Result{Tier: "linear"}
	var found []extract.Found
	r.Params, r.Wrong, found = c.extract.Analyse(in, nil)
	tags := c.tagging(in, r.Params, found)
	tags.add(in.Active, &r)
	c.doubt(in, &r)
	c.understand(in, &r)
	for _, intent := range intentsOf(&r) {
		if intent != in.Active {
			tags.add(intent, &r)
		}
	}
	c.onlyAnswers(in, &r)
	c.surround(in, &r)
	c.hear(in, &r)
	return r
}

// intentsOf lists the intents that a message is likely about.
func intentsOf(r *message.Result) []string {
	var out []string
	if r.Confidence >= minTopIntent {
		out = append(out, r.Intent)
	}
	for _, intent := range requests(r.Clauses) {
		if !slices.Contains(out, intent) {
			out = append(out, intent)
		}
	}
	return out
}

// understand finds the intent and the clauses of a message.
func (c *Classifier) understand(in classifier.Input, r *message.Result) {
	pieces := cut(in.Text, in.Tokens, c.masks(in.Text, r.Params))
	if len(pieces) == 0 {
		r.Clauses = c.wordless(in.Text)
		return
	}
	c.decide(in, pieces, r)
	r.Clauses = c.say(in, pieces, r)
	c.surest(in, pieces, r)
	r.Mended = c.mended(in, pieces, r)
}

// decide finds the one intent of a message.
func (c *Classifier) decide(in classifier.Input, pieces []piece, r *message.Result) {
	if c.exact(in, pieces, r) && !(r.Intent == "affirm" && !in.Awaits() && thanked(pieces)) {
		return
	}
	r.Intent, r.Confidence, r.Exact, r.Ranking = "", 0, false, nil
	rest := pieces
	if intent, n := c.lead(pieces); n > 0 {
		rest = strip(pieces[n:], connectors, nil)
		if c.exact(in, rest, r) && r.Intent == intent {
			return // "yes, sure" is one yes
		}
		r.Lead = message.Lead{Intent: intent, End: utf8.RuneCountInString(in.Text[:rest[0].start])}
		if r.Exact {
			return
		}
		if again, n := c.lead(rest); again == "correct" && c.silent(in, rest[n:], r.Params) {
			r.Intent, r.Confidence = "correct", correctConfidence
			r.Ranking = []message.Score{{Intent: r.Intent, Confidence: r.Confidence}}
			return
		}
	}
	c.rank(in, rest, r)
}

// defaultLongest bounds the work on one message; a request is in its first 2000 letters.
const defaultLongest = 2000

// head returns the first n code points of text.
func head(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// thanked reports whether thanks close the pieces. "ok thanks" is a yes to a question, but only
// thanks where none was asked.
func thanked(pieces []piece) bool {
	last := pieces[len(pieces)-1].key
	return len(pieces) > 1 && thanking[last]
}

// exact looks the pieces up among the stock phrases.
func (c *Classifier) exact(in classifier.Input, pieces []piece, r *message.Result) bool {
	intent := c.phrase(in, join(pieces))
	if intent == "" {
		intent = c.phrase(in, join(strip(pieces, courtesyOpens, courtesyCloses)))
	}
	if intent == "" {
		return false
	}
	r.Intent, r.Confidence, r.Exact = intent, 1, true
	r.Ranking = []message.Score{{Intent: intent, Confidence: 1}}
	return true
}

// phrase returns the intent of a stock phrase, "" if none or several have it. An own intent wins
// over a built-in one, but not over what the agent itself gives for the built-in one, and not while
// a question waits for its answer.
func (c *Classifier) phrase(in classifier.Input, key string) string {
	s, task := c.stock[key], ""
	for _, id := range s.tasks {
		if late := c.after[id]; late != nil && !late.Follows(in.Ended) {
			continue
		}
		if task != "" {
			task = ""
			break
		}
		task = id
	}
	_, given := c.own[key]
	given = given && c.after[task] == nil // one that may only follow another has its own turn
	if s.system != "" && (task == "" || given || in.Awaits()) {
		return s.system
	}
	return task
}

// Confidence where the model has no say.
const (
	correctConfidence = 0.9  // "no, make it O-2": a phrase of correction and a value
	silentFactor      = 0.25 // nothing but values and courtesy
	longSystem        = 8    // words above which a message is no bare yes, no or thanks
	longUnasked       = 3    // the same when no answer is awaited
	longSystemCap     = 0.5
	maxRanking        = 5 // intents in a Result's ranking
)

// brief are the system intents that only short messages express.
var brief = setOf([]string{"affirm", "deny", "skip", "repeat", "resume", "greet", "goodbye", "thanks", "correct"})

// rank ranks the intents of the pieces and lowers confidences that the words do not support.
func (c *Classifier) rank(in classifier.Input, pieces []piece, r *message.Result) {
	if c.model == nil {
		return
	}
	r.Ranking = make([]message.Score, 0, maxRanking)
	if in.Active != "" && in.Awaits() { // what goes on is likelier than what the encoder finds
		r.Ranking = c.model.Glance(join(pieces), r.Ranking)
	} else {
		r.Ranking = c.model.Rank(join(pieces), r.Ranking)
	}
	r.Ranking = r.Ranking[:min(len(r.Ranking), maxRanking)] // linear.Options.Top may be more
	factor := 1.0
	if c.silent(in, pieces, r.Params) {
		factor = silentFactor
	}
	long := longUnasked
	if in.Awaits() {
		long = longSystem
	}
	for i, s := range r.Ranking {
		s.Confidence *= factor
		if c.system[s.Intent] && brief[s.Intent] && spoken(pieces) > long {
			s.Confidence = min(s.Confidence, longSystemCap)
		}
		r.Ranking[i] = s
	}
	slices.SortStableFunc(r.Ranking, func(a, b message.Score) int { return cmp.Compare(b.Confidence, a.Confidence) })
	if len(r.Ranking) > 0 {
		r.Intent, r.Confidence = r.Ranking[0].Intent, r.Ranking[0].Confidence
	}
}

// Read returns the value of a param that text gives as an answer to its question. ok is false when
// text is no value of the param, or holds two.
func (c *Classifier) Read(param, text string, now time.Time) (value any, ok bool) {
	return c.extract.Read(param, head(text, c.longest), now)
}

// thanking ends a message of thanks.
var thanking = phrases("thanking")
