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
	wordTask      *encoder.Matrix // tmax: a piece to the tasks
	wordParam     *encoder.Matrix // wproj: to inside and begin
	wordFlags     *encoder.Matrix // wflag: to what flags of params are worth there, inside and begin
	option        *encoder.Matrix // oproj
	optionIn      *encoder.Matrix // oin: an option, and its product with the message
	optionPlace   *encoder.Matrix // oplace: to the places that options have
	task          *encoder.Matrix // tproj: start and ask
	taskWord      *encoder.Matrix // tword
	param         *encoder.Matrix // pproj: inside, begin, correct, remove

	taskFlags, taskFlagBias   []float32 // tflag: start, ask
	kindFlags                 []float32 // tkind: by kind, start and ask
	paramFlags, paramFlagBias []float32 // pflag: inside, begin, correct, remove
	optionOut, optionOutBias  []float32 // oout
	scale, cosine             []float32 // scale, cos
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
	m.wordTask = f.Matrix(shared, width)
	m.wordParam = f.Matrix(2*shared, width)
	m.wordFlags = f.Matrix(8, width)
	m.option = f.Matrix(shared, width)
	m.optionIn = f.Matrix(shared, 2*width)
	m.optionPlace = f.Matrix(numPlaces, 2*width)
	m.task = f.Matrix(2*shared, width)
	m.taskWord = f.Matrix(shared, width)
	m.param = f.Matrix(4*shared, width)
	m.taskFlags, m.taskFlagBias = f.Floats(2*4), f.Floats(2)
	m.kindFlags = f.Floats(int(numKinds) * 2 * 4)
	m.paramFlags, m.paramFlagBias = f.Floats(4*4), f.Floats(4)
	m.optionOut, m.optionOutBias = f.Floats(shared), f.Floats(1)
	m.scale, m.cosine = f.Floats(6), f.Floats(4)
	return m, f.Done()
}
