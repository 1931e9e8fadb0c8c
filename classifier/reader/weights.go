package reader

import (
	_ "embed" // the weights
	"fmt"
	"sync"

	"github.com/slotway/slotway/classifier/encoder"
)

//go:embed reader.bin
var weights []byte

const magic = "SLOTRDR1"

// shared is how many numbers a head compares a message with a task or a param by.
const shared = 128

// numPlaces is how many places of options a message may name: the first six from the front, the last two from
// behind.
const numPlaces = 8

// model is reader.bin. The maps and the numbers have their names in scripts/lab/train/reader/model.py
// behind them.
type model struct {
	trunk                  *encoder.Trunk
	segments, kinds, types []float32 // rows: width each

	heads         *encoder.Matrix // heads: the pooled message to the commands
	messageTask   *encoder.Matrix // mproj: to start and ask
	messageParam  *encoder.Matrix // pmsg: to correct and remove
	messageOption *encoder.Matrix // omsg
	wordParam     *encoder.Matrix // wproj: a piece to inside and begin
	option        *encoder.Matrix // oproj
	optionIn      *encoder.Matrix // oin: an option, and its product with the message
	optionPlace   *encoder.Matrix // oplace: to the places that options have
	nameIn        *encoder.Matrix // nin: a name to its row in the pass
	nameOut       *encoder.Matrix // nout: and what the row adds to the name behind it
	member        *encoder.Matrix // member: the mean of its tasks' names to the row of a param
	task          *encoder.Matrix // tproj: start and ask
	taskRow       *encoder.Matrix // trow: the same by the row alone
	param         *encoder.Matrix // pproj: inside, begin, correct, remove
	paramRow      *encoder.Matrix // prow

	taskFlags, paramFlags    []float32 // tin, pin: a row a flag
	optionOut, optionOutBias []float32 // oout
	cosine                   []float32 // cos: start, ask, begin, inside, options
}

// segment is the row of the pieces of a segment.
func (m *model) segment(i int) []float32 {
	width := m.trunk.Width()
	return m.segments[i*width:][:width]
}

// parsed is the model of the compiled-in weights, read once.
var parsed = sync.OnceValues(func() (*model, error) { return parse(weights) })

// Size is how many bytes of a program its weights are.
func Size() int { return len(weights) }

// parse checks the bytes and returns the model in them. Every error wraps [encoder.ErrWeights].
func parse(data []byte) (*model, error) {
	f, err := encoder.OpenFile(data, magic)
	if err != nil {
		return nil, err
	}
	if got, want := [3]int(f.Sizes[5:]), [3]int{int(numKinds), int(numTypes), NumHeads}; got != want {
		return nil, fmt.Errorf("%w: kinds, types and commands are %d, want %d", encoder.ErrWeights, got, want)
	}
	m := new(model)
	if m.trunk, err = encoder.NewTrunk(f); err != nil {
		return nil, err
	}
	if m.trunk.Positions() <= lastPosition {
		return nil, fmt.Errorf("%w: %d positions", encoder.ErrWeights, m.trunk.Positions())
	}
	width := m.trunk.Width()
	m.segments, m.kinds, m.types = f.Floats(numSegments*width), f.Floats(int(numKinds)*width), f.Floats(int(numTypes)*width)
	m.heads = f.Matrix(NumHeads, 2*width)
	m.messageTask = f.Matrix(2*shared, 2*width)
	m.messageParam = f.Matrix(2*shared, 2*width)
	m.messageOption = f.Matrix(shared, 2*width)
	m.wordParam = f.Matrix(2*shared, width)
	m.option = f.Matrix(shared, width)
	m.optionIn = f.Matrix(shared, 2*width)
	m.optionPlace = f.Matrix(numPlaces, 2*width)
	m.nameIn, m.nameOut, m.member = f.Matrix(width, width), f.Matrix(width, width), f.Matrix(width, width)
	m.task, m.taskRow = f.Matrix(2*shared, width), f.Matrix(2, width)
	m.param, m.paramRow = f.Matrix(4*shared, width), f.Matrix(4, width)
	m.taskFlags, m.paramFlags = f.Floats(numFlags*width), f.Floats(numFlags*width)
	m.optionOut, m.optionOutBias = f.Floats(shared), f.Floats(1)
	m.cosine = f.Floats(5)
	return m, f.Done()
}
