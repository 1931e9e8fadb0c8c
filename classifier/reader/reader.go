package reader

import (
	"fmt"
	"sync"

	"github.com/slotway/slotway/classifier/encoder"
)

// Reader reads the messages to one agent. It does not change and is safe for concurrent use.
type Reader struct {
	model   *model
	tasks   []Task
	params  []Param
	taskAt  map[string]int
	paramAt map[string]int
	needed  [][]bool // by task and param
	names   names
	pool    sync.Pool // of *work
}

// Reading holds the probabilities of all that a message may say.
type Reading struct {
	Heads   [NumHeads]float32 // by message.Do, and PlainYes
	Start   []float32         // by task
	Ask     []float32         // by task
	Correct []float32         // by param
	Remove  []float32         // by param
	Choose  []float32         // by option; options from the thirteenth on are not read
	Spans   []Span            // by param, and within a param as they stand
}

// New returns a reader of messages to an agent, whose tasks and params it reads at once: some
// milliseconds each. The error wraps [encoder.ErrWeights] and means that the program is damaged, or
// says which name stands twice.
func New(agent *Agent) (*Reader, error) {
	m, err := parsed()
	if err != nil {
		return nil, err
	}
	return newReader(m, agent, "")
}

func newReader(m *model, agent *Agent, implementation string) (*Reader, error) {
	r := &Reader{
		model: m, tasks: agent.Tasks, params: agent.Params,
		taskAt: map[string]int{}, paramAt: map[string]int{},
	}
	r.pool.New = func() any { return &work{Work: encoder.NewWork(implementation)} }
	for i := range r.params {
		name := r.params[i].Name
		if _, twice := r.paramAt[name]; twice {
			return nil, fmt.Errorf("param %q stands twice", name)
		}
		r.paramAt[name] = i
	}
	for i := range r.tasks {
		id := r.tasks[i].ID
		if _, twice := r.taskAt[id]; twice {
			return nil, fmt.Errorf("task %q stands twice", id)
		}
		r.taskAt[id] = i
		needed := make([]bool, len(r.params))
		for _, name := range r.tasks[i].Params {
			if at, ok := r.paramAt[name]; ok {
				needed[at] = true
			}
		}
		r.needed = append(r.needed, needed)
	}
	w := r.pool.Get().(*work)
	r.names = w.learn(r)
	r.pool.Put(w)
	return r, nil
}

// Read says what a message means in a state.
func (r *Reader) Read(state *State, text string) *Reading {
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	w.forward(r, state, text)
	reading := &Reading{
		Start: logistics(w.start), Ask: logistics(w.ask),
		Correct: logistics(w.correct), Remove: logistics(w.remove),
		Choose: make([]float32, len(state.Options)),
		Spans:  w.spans(len(r.params), text),
	}
	for i, v := range w.heads[:NumHeads] {
		reading.Heads[i] = encoder.Logistic(v)
	}
	copy(reading.Choose, logistics(w.choose))
	return reading
}

func logistics(x []float32) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = encoder.Logistic(v)
	}
	return out
}
