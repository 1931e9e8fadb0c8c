package planner

// readNotServed reads a request for something that the agent does not serve. It says so if that is
// as sure as a task must be to begin. If a task is nearly as likely, it offers only that.
func (r *interpreter) readNotServed(q request) []reading {
	if q.exact || q.sure >= r.def.Classifier.Threshold && !q.close {
		if q.exact || r.mayInterrupt(q, q.sure) {
			return []reading{r.taskReading(q, q.sure)}
		}
		return nil
	}
	for _, s := range q.ranking[1:] {
		in := r.def.Intent(s.Intent)
		if in.NotServed {
			continue
		}
		if s.Confidence < r.def.Classifier.Reject || r.st.Active != nil || q.asks && r.def.Writes(in) {
			return nil
		}
		q.in, q.sure, q.second, q.close = in, s.Confidence, nil, false
		return r.unsure(q, s.Confidence)
	}
	return nil
}
