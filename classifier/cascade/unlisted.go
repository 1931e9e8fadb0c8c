package cascade

import (
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

const (
	elseAct  = 0.4 // from here on a clause does something, and is no value
	elseTask = 0.6 // from here on it is about another task
)

// answering lists the acts of an answer that names something.
var answering = []message.Act{message.ActState, message.ActChoose, message.ActAdd}

// onlyAnswers drops an answer that is no value of an enumeration where the clause does something
// else, such as refusing, asking or beginning another task. In a list, the values beside it confirm
// it.
func (c *Classifier) onlyAnswers(in classifier.Input, r *message.Result) {
	if in.Asked == nil || len(r.Wrong) == 0 || slices.ContainsFunc(r.Params, func(v message.Value) bool { return v.Param == in.Asked.Param }) {
		return
	}
	r.Wrong = slices.DeleteFunc(r.Wrong, func(v message.Value) bool {
		if v.Wrong != message.WrongUnknown || v.Param != in.Asked.Param {
			return false
		}
		return r.Exact || slices.ContainsFunc(r.Clauses, func(cl message.Clause) bool {
			return cl.Start < v.End && v.Start < cl.End && doesElse(in, &cl)
		})
	})
}

// doesElse reports whether a clause is no answer.
func doesElse(in classifier.Input, cl *message.Clause) bool {
	if cl.Stock != "" || cl.Mark == '?' {
		return true
	}
	if len(cl.Ranking) > 0 && cl.Ranking[0].Intent != in.Active && cl.Ranking[0].Confidence >= elseTask {
		return true
	}
	for act, p := range cl.Acts {
		if p >= elseAct && !slices.Contains(answering, message.Act(act)) {
			return true
		}
	}
	return false
}
