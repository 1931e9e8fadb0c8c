package reader

import "github.com/slotway/slotway/classifier/encoder"

// Kind is the question that a message answers, or why none is open. The order is that of the training.
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

// State is all of a conversation that a message is read with.
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

// numFlags is how many things a state says of a task, and of a param.
const numFlags = 4

// enter writes what the trunk takes: a marker, the question, its end, the message, its end, and every
// option with its end, and the names. Positions begin anew in each part, and go on from option to option: which one is
// the second is seen by them.
func (w *work) enter(r *Reader, state *State, text string) {
	m := r.model
	width := m.trunk.Width()
	asked := NoType
	if at, ok := r.paramAt[state.Asked]; ok {
		asked = r.params[at].Type
	}
	w.first = append(w.first[:0], m.segment(questionSegment)...)
	add(w.first, m.kinds[int(state.Kind)*width:])
	add(w.first, m.types[int(asked)*width:])
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
	w.behind = len(w.input)
	w.enterNames(r, state)
}

// part appends pieces and their end, each with a row, from a position on.
func (w *work) part(pieces []encoder.Piece, row []float32, position int) {
	for i, p := range pieces {
		w.input = append(w.input, encoder.Input{ID: p.ID, Position: min(position+i, lastPosition), Row: row})
	}
	w.input = append(w.input, encoder.Input{ID: encoder.Close, Position: min(position+len(pieces), lastPosition), Row: row})
}
