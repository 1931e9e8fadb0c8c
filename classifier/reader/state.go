package reader

import "github.com/slotway/slotway/classifier/encoder"

// Kind is what a message comes upon. The order is that of the training.
type Kind int

// The kinds of states.
const (
	None         Kind = iota // nothing was said before
	Ended                    // a task has come to its end, nothing is asked
	AskParam                 // a value is asked for
	Confirm                  // a yes is asked for
	ConfirmWrite             // a yes is asked for, and something is changed upon it
	Choice                   // one of several options is asked for
	Offer                    // a task is offered
	OfferHuman               // a person is offered
	More                     // whether there is anything else
	numKinds
)

// State is what a message is read with.
type State struct {
	Kind    Kind
	Text    string   // the open question, or the last reply
	Asked   string   // the param that is asked for
	Options []string // of a choice
	Task    string   // the task under way
	Last    string   // the task that has ended
	Offered string   // the task that the question is about
	Known   map[string]bool
}

// How much is read: pieces, and options.
const (
	questionPieces = 40
	messagePieces  = 70
	optionPieces   = 12
	mostOptions    = 12
	lastPosition   = 127 // of the trunk
)

// Segments, by the row that their pieces get.
const (
	questionSegment = iota
	messageSegment
	optionSegment
	taskSegment
	paramSegment
	_ // trained with, never used
	numSegments
)

// flags are what is known of a task or a param beside its name, each 0 or 1.
type flags [4]float32

// enter writes what the trunk takes: a marker, the question, its end, the message, its end, and every
// option with its end. Positions begin anew in each part, and go on from option to option: which one is
// the second is seen by them.
func (w *work) enter(r *Reader, state *State, text string) {
	m := r.model
	width := m.trunk.Width()
	asked := NoType
	if at, ok := r.paramAt[state.Asked]; ok {
		asked = r.params[at].Type
	}
	w.first = append(w.first[:0], m.segment(questionSegment)...)
	for i := range w.first {
		w.first[i] += m.kinds[int(state.Kind)*width+i] + m.types[int(asked)*width+i]
	}
	w.input = append(w.input[:0], encoder.Input{ID: encoder.Open, Row: w.first})
	w.pieces = m.trunk.Pieces(w.Work, w.pieces[:0], state.Text, questionPieces)
	w.part(w.pieces, m.segment(questionSegment), 1)
	w.from = len(w.input)
	w.message = m.trunk.Pieces(w.Work, w.message[:0], text, messagePieces)
	w.part(w.message, m.segment(messageSegment), 1)
	w.options = w.options[:0]
	position := 1
	for _, option := range state.Options[:min(len(state.Options), mostOptions)] {
		w.pieces = m.trunk.Pieces(w.Work, w.pieces[:0], option, optionPieces)
		w.options = append(w.options, [2]int{len(w.input), len(w.input) + len(w.pieces) + 1})
		w.part(w.pieces, m.segment(optionSegment), position)
		position += len(w.pieces) + 1
	}
}

// part appends pieces and their end, each with a row, from a position on.
func (w *work) part(pieces []encoder.Piece, row []float32, position int) {
	for i, p := range pieces {
		w.input = append(w.input, encoder.Input{ID: p.ID, Position: min(position+i, lastPosition), Row: row})
	}
	w.input = append(w.input, encoder.Input{ID: encoder.Close, Position: min(position+len(pieces), lastPosition), Row: row})
}

// flag notes what the state says of every task and param.
func (w *work) flag(r *Reader, state *State) {
	w.taskFlags, w.paramFlags = w.taskFlags[:0], w.paramFlags[:0]
	for i := range r.tasks {
		task := &r.tasks[i]
		w.taskFlags = append(w.taskFlags, flags{
			truth(task.ID == state.Task), truth(task.ID == state.Last), truth(task.ID == state.Offered), truth(task.Writes),
		})
	}
	for i := range r.params {
		name := r.params[i].Name
		w.paramFlags = append(w.paramFlags, flags{
			truth(name == state.Asked), truth(r.needs(state.Task, i)), truth(state.Known[name]), truth(r.needs(state.Last, i)),
		})
	}
}

// needs reports whether a task has the param.
func (r *Reader) needs(task string, param int) bool {
	at, ok := r.taskAt[task]
	return ok && r.needed[at][param]
}

func truth(b bool) float32 {
	if b {
		return 1
	}
	return 0
}
