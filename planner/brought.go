package planner

import "github.com/slotway/slotway/config"

// brought holds the values that tasks could take from a message, by task and param.
type brought map[string]map[string]*paramCell

// bring returns what each task could take from the message.
func (r *interpreter) bring(tasks []*config.Intent) brought {
	all := brought{}
	for _, in := range tasks {
		if cells := r.cellsFor(in, r.allValues()); len(cells) > 0 {
			all[in.ID] = cells
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

// cellsFor returns the params of a task that some values fill, whatever their scope.
func (r *interpreter) cellsFor(in *config.Intent, values set) map[string]*paramCell {
	cells := map[string]*paramCell{}
	asked, under, begun := r.asked, r.in, r.begun
	r.asked, r.in, r.begun = nil, in, true
	for _, group := range spans(r.valuesOf(values)) {
		if v, p := r.choose(in, group); p != nil && in.Param(p.Name) != nil {
			if ok, _ := accepts(p, v.Value, r.st.env(in)); ok {
				cells[p.Name] = &paramCell{Value: v.Value, Turn: r.st.Number, At: r.st.Now, Source: v.Source}
			}
		}
	}
	r.asked, r.in, r.begun = asked, under, begun
	return cells
}

// takeBrought gives the chosen task the values of the message that led to the offer.
func (r *interpreter) takeBrought(q *openQuestion) {
	in := r.st.intent(r.def)
	if q == nil || in == nil {
		return
	}
	for name, c := range q.Brought[in.ID] {
		if p := in.Param(name); p != nil && r.st.cell(p) == nil {
			r.st.setCell(p, c)
		}
	}
}
