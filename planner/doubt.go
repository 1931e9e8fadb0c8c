package planner

// A task that begins on little is one that the person may not want. Nothing is done about that
// but to say what was understood: the first question is led by the task ("To freeze a card: which
// one?"), so that whoever meant something else can say so before giving values for it.
//
// From comfortable on a task begins in silence. The limits were set on small agents drawn from
// CLINC150, BANKING77 and HWU64: most of what those begin wrongly lies below them, and about an
// eighth of what they begin rightly.
const (
	comfortable     = sure          // where the whole message speaks for the task
	comfortableHalf = nearlyCertain // where a part of it does, or words that were misspelt
)

// doubtful says whether a request begins its task on less than sure understanding.
func (r *interpreter) doubtful(q request, e float64) bool {
	switch {
	case q.exact || q.backed || q.in.AnswerOnly:
		return false
	case q.guess || r.msg.Partly || r.msg.Mended || r.partAlone(q):
		return e < comfortableHalf
	}
	return e < comfortable
}

// partAlone says whether one clause of several asks for a task that the message as a whole does
// not stand for.
func (r *interpreter) partAlone(q request) bool {
	whole := r.tasksOf(r.msg.Ranking)
	return len(r.clauses) > 1 && (len(whole) == 0 || whole[0].Intent != q.in.ID || whole[0].Confidence < r.def.Classifier.Threshold)
}

// doubt notes that the task under way was begun on less than sure understanding.
func (st *Turn) doubt(doubtful bool) {
	if st.Active != nil {
		st.Active.Doubtful = doubtful
	}
}

// named notes that a question has said, or need not say any more, what the task is.
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

// led is the first question of a task: led by what it is for, where that was not sure.
func (pl *planning) led(question string) string {
	if !pl.frame.Doubtful || question == "" {
		return question
	}
	task := pl.def.Phrase(pl.in)
	if resp := pl.def.SystemResponse("leading"); resp == nil || !resp.Own {
		return task + ": " + question // an English sentence would not go with it
	}
	return render(pl.st, "leading", with(with(pl.env, "task", task), "question", question))
}
