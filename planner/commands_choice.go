package planner

import (
	"cmp"
	"slices"

	"github.com/slotway/slotway/classifier/message"
)

// The reader's probabilities from which an option counts.
const (
	readOne    = 0.6 // if it does not say that any is chosen
	readChoice = 0.6 // so far an option must be before the next, in log odds
)

// several stands for the option of a choice where more than one may be meant.
const several = -1

// likelyOptions returns the choice that the reader finds: the likeliest option, and those that are hardly less likely. It
// returns none where none is chosen.
func (r *interpreter) likelyOptions() []message.Command {
	if r.st.Open == nil {
		return nil
	}
	chooses := 0.0
	var options []message.Command
	for _, c := range r.weighed {
		switch {
		case c.Do != message.DoChoose:
		case c.Any:
			chooses = c.P
		case c.Option < len(r.st.Open.Options):
			options = append(options, c)
		}
	}
	slices.SortStableFunc(options, func(a, b message.Command) int { return cmp.Compare(b.P, a.P) })
	if len(options) == 0 || options[0].P < readOne && (chooses < readLeast || logOdds(options[0].P) < readWhich) {
		return nil
	}
	least := logOdds(options[0].P) - readChoice
	options = slices.DeleteFunc(options, func(c message.Command) bool { return logOdds(c.P) < least })
	options[0].P = max(options[0].P, chooses)
	return options
}

// choosing takes one of the options, or asks which of several is meant.
func (r *interpreter) choosing(option int) (reading, bool) {
	q := r.st.Open
	if q == nil || q.Kind == askCorrect || option >= len(q.Options) {
		return reading{}, false
	}
	perform := func(r *interpreter) { r.chooseBetween(q) }
	if option != several {
		perform = func(r *interpreter) { r.choseOption(q, q.Options[option]) }
	}
	return reading{Rule: "choice", kind: kindChoice, perform: perform}, true
}

// chooseBetween asks which of the options is meant: of those that the message names, or of all.
func (r *interpreter) chooseBetween(q *openQuestion) {
	var named []Option
	for _, c := range r.likelyOptions() {
		if c.P >= readOne {
			named = append(named, q.Options[c.Option])
		}
	}
	switch {
	case r.st.Open != q: // something beside it has closed the question
	case len(named) > 1:
		r.choseMany(q, named)
	case q.Kind == askChoice && r.asked != nil:
		r.chooseAgain(q, "choose")
	default:
		r.unread()
	}
}
