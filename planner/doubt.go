package planner

// The user may not want a task that begins with little evidence. Its first question therefore names
// the task ("To freeze a card: which one?"), so that users who meant something else can say so before
// they give values.
//
// From comfortable on, the question does not name the task. The limits were set on small agents from
// CLINC150, BANKING77 and HWU64: most of their wrong tasks lie below the limits, and about an eighth
// of the right ones.
const (
	comfortable     = sure          // if the whole message is evidence for the task
	comfortableHalf = nearlyCertain // if only part of it is, or misspelt words
)

// doubtful reports whether the evidence for the task of a request is too low.
func (r *interpreter) doubtful(q request, e float64) bool {
	switch {
	case q.exact || q.backed || q.in.AnswerOnly:
		return false
	case q.guess || r.msg.Partly || r.msg.Mended || r.partAlone(q):
		return e < comfortableHalf
	}
	return e < comfortable
}

// partAlone reports whether one clause of several asks for a task that the message as a whole does
// not.
func (r *interpreter) partAlone(q request) bool {
	whole := r.tasksOf(r.msg.Ranking)
	return len(r.clauses) > 1 && (len(whole) == 0 || whole[0].Intent != q.in.ID || whole[0].Confidence < r.def.Classifier.Threshold)
}

// doubt stores whether the task under way was begun on less than sure understanding.
func (st *Turn) doubt(doubtful bool) {
	if st.Active != nil {
		st.Active.Doubtful = doubtful
	}
}

// named stores that a question has named the task, or need not any more.
func (st *Turn) named(step Step) {
	f := st.Active
	if f == nil || !f.Doubtful {
		return
	}
	switch step.(type) {
	case AskUser, Choose:
		f.Doubtful, f.Led = false, st.Number
	case Confirm:
		f.Doubtful = false
	}
}

// led puts the name of a doubtful task before its first question.
func (pl *planning) led(question string) string {
	if !pl.frame.Doubtful || question == "" {
		return question
	}
	task := pl.def.Phrase(pl.frame.task(pl.def))
	if resp := pl.def.SystemResponse("leading"); resp == nil || !resp.Own {
		return task + ": " + question // an English sentence would not go with it
	}
	return render(pl.st, "leading", with(with(pl.env, "task", task), "question", question))
}
