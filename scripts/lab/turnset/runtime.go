package turnset

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// Now is the time of all turns: Thursday, 26 November 2026.
var Now = time.Date(2026, time.November, 26, 10, 0, 0, 0, time.UTC)

// Runtime is the program's own reader: an agent of a sketch with the program's understanding and
// planner. It sets a state by writing the session that such a conversation leaves, runs the message
// as a turn, and reads from the session, the calls and the trace what the turn has understood. It
// is not safe for concurrent use.
type Runtime struct {
	sketch   *Sketch
	agent    *config.Agent
	sessions *memory.Conversations
	router   *router.Router
	reads    classifier.Classifier
	number   int      // of turns so far; each has a session of its own
	calls    []called // of the turn
	said     []string // ids of its responses
}

// called is one call of a tool, which has the name of its task.
type called struct {
	task string
	args map[string]any
}

// sketchVariant names an agent: a sketch, and the task without a write that is confirmed.
type sketchVariant struct {
	sketch    *Sketch
	confirmed string
}

// Runtimes makes the program's reader for the agents of a file, one after another.
type Runtimes struct {
	file    *File
	encoder string
	last    sketchVariant
	ready   *Runtime
}

// NewRuntimes returns the maker of readers for a file. encoder is the setting classifier.encoder.
func NewRuntimes(file *File, encoder string) *Runtimes {
	return &Runtimes{file: file, encoder: encoder}
}

// keptEvery is the share of trades that the reader of question and message has not learned from, as held in
// scripts/lab/train/reader/data.py has it.
const keptEvery = 11

// Kept reports whether a trade is kept for measuring.
func Kept(trade string) bool { return crc32.ChecksumIEEE([]byte(trade))%keptEvery == 0 }

// For returns the reader that a turn needs. It is valid until the next call.
func (m *Runtimes) For(turn *Turn) (Reader, error) {
	want := sketchVariant{sketch: turn.Sketch}
	if task := turn.Sketch.Task(turn.State.Task); turn.State.OpenKind() == AskConfirm && task != nil && !task.Writes {
		want.confirmed = task.ID
	}
	if m.ready != nil && m.last == want {
		return m.ready, nil
	}
	ready, err := newRuntime(want, m.file.optional(turn.Sketch), m.encoder)
	if err != nil {
		return nil, err
	}
	m.last, m.ready = want, ready
	return ready, nil
}

// optional reports which params of a sketch need not be given: those that some confirmation of
// their task leaves open.
func (f *File) optional(sketch *Sketch) func(task, param string) bool {
	free := map[[2]string]bool{}
	for _, t := range f.Turns {
		task := sketch.Task(t.State.Task)
		if t.Sketch != sketch || t.State.OpenKind() != AskConfirm || task == nil {
			continue
		}
		for _, p := range task.Params {
			if _, known := t.State.Known[p.Name]; !known {
				free[[2]string{task.ID, p.Name}] = true
			}
		}
	}
	return func(task, param string) bool { return free[[2]string{task, param}] }
}

func newRuntime(of sketchVariant, optional func(task, param string) bool, encoder string) (*Runtime, error) {
	agent, err := definition(of.sketch, of.confirmed, optional)
	if err != nil {
		return nil, err
	}
	chosen := settings.Default()
	chosen.Classifier.Encoder = encoder
	understanding, err := build.Classifier(agent, chosen, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("train agent %q: %w", of.sketch.Agent, err)
	}
	r := &Runtime{sketch: of.sketch, agent: agent, reads: understanding}
	registry := tools.New(&tools.Options{BreakerThreshold: -1})
	for _, spec := range agent.Tools {
		if err := registry.Register(spec, recorder{r}); err != nil {
			return nil, err
		}
	}
	r.sessions = memory.NewConversations(inmem.New(&inmem.Options{MaxSessions: 8}), 24)
	r.router = router.New(agent, understanding, r.sessions, registry, &router.Options{Now: func() time.Time { return Now }, Sink: responses{r}})
	return r, nil
}

// recorder is a tool that notes its calls.
type recorder struct{ r *Runtime }

// Call implements tools.Tool.
func (t recorder) Call(_ context.Context, c tools.Call) (any, error) {
	t.r.calls = append(t.r.calls, called{task: c.Tool, args: c.Args})
	return map[string]any{}, nil
}

// responses is a sink that notes which responses the reply is made of.
type responses struct{ r *Runtime }

// Record implements telemetry.Sink.
func (s responses) Record(e telemetry.Event) {
	if p, is := e.Payload.(telemetry.Respond); is {
		s.r.said = append(s.r.said, p.Response...)
	}
}

// Read implements Reader.
func (r *Runtime) Read(ctx context.Context, state State, message string) (Reading, error) {
	r.number++
	r.calls, r.said = nil, nil
	state = unpaged(state)
	unsay, err := r.word(state)
	if err != nil {
		return Reading{}, err
	}
	defer unsay()
	key := memory.Key{UserID: "local", AgentID: r.agent.ID, SessionID: "s" + strconv.Itoa(r.number)}
	before, err := r.put(ctx, key, state)
	if err != nil {
		return Reading{}, fmt.Errorf("set the state: %w", err)
	}
	reply, trace, err := r.router.Trace(ctx, router.Interaction{Text: message, Context: router.Context{SessionID: key.SessionID}})
	if err != nil {
		return Reading{}, fmt.Errorf("read %q: %w", message, err)
	}
	after, err := r.get(ctx, key)
	if err != nil {
		return Reading{}, err
	}
	h := &heard{r: r, state: &state, before: before, after: after, how: trace.Interpretation}
	return Reading{Commands: h.commands(), Why: h.why(reply.Reply)}, nil
}

// unpaged returns a state without the question whether to show more of a result, which the program does not ask: its
// task has ended with what was shown, and is offered again.
func unpaged(state State) State {
	q := state.Open
	if q == nil || q.Kind != AskMore || q.Param != "" || state.Task == "" {
		return state
	}
	state.Open = &Question{Kind: AskOffer, Text: q.Text, Task: state.Task}
	state.Last = &Ended{Task: state.Task, Reply: q.Text}
	state.Task = ""
	return state
}

// session is a stored session as far as a turn is read from it.
type session struct {
	Active    *task  `json:"active"`
	Suspended []task `json:"suspended"`
	Open      *struct {
		Kind    string           `json:"kind"`
		Param   string           `json:"param"`
		Options []planner.Option `json:"options"`
	} `json:"open"`
	Ended *task `json:"ended"`
}

// task is one task of a session.
type task struct {
	ID     string          `json:"id"`
	Intent string          `json:"intent"`
	Turn   int64           `json:"turn"` // of the end of an ended one
	Params map[string]cell `json:"params"`
}

// cell is a known value.
type cell struct {
	Value  any    `json:"value"`
	Source string `json:"source"`
}

// frames returns all tasks that are not ended.
func (s *session) frames() []task {
	all := s.Suspended
	if s.Active != nil {
		all = append([]task{*s.Active}, all...)
	}
	return all
}

// put writes the session that a conversation in this state leaves, and returns it.
func (r *Runtime) put(ctx context.Context, key memory.Key, state State) (*session, error) {
	plan, params, err := r.plan(ctx, state)
	if err != nil {
		return nil, err
	}
	s, err := r.sessions.ForSession(ctx, key)
	if err != nil {
		return nil, err
	}
	s.Append(memory.Message{Role: memory.User, Text: "hello", Timestamp: Now})
	reply := ""
	if state.Last != nil {
		reply = state.Last.Reply
	}
	if state.Open != nil {
		reply = state.Open.Text
	}
	if reply != "" {
		s.Append(memory.Message{Role: memory.Agent, Text: reply, Timestamp: Now})
	}
	response, err := json.Marshal(router.Reply{SessionID: key.SessionID, Turn: 1, Reply: reply, Params: map[string]any{}, ToolCalls: []router.ToolReport{}})
	if err != nil {
		return nil, err
	}
	s.Update(func(m *memory.State) { m.Params, m.PlanExecution = params, plan })
	s.RecordTurn(memory.Turn{RequestID: "before", Outcome: "waiting", Response: response, At: Now})
	if err := s.Commit(ctx, Now); err != nil {
		return nil, err
	}
	return r.get(ctx, key)
}

// get reads the session as it stands.
func (r *Runtime) get(ctx context.Context, key memory.Key) (*session, error) {
	s, err := r.sessions.ForSession(ctx, key)
	if err != nil {
		return nil, err
	}
	state, out := s.State(), &session{}
	if err := json.Unmarshal(state.PlanExecution, out); err != nil {
		return nil, fmt.Errorf("the stored plan: %w", err)
	}
	if out.Active != nil { // the session has the values of the task under way
		for name, c := range out.Active.Params {
			c.Value = state.Params[name]
			out.Active.Params[name] = c
		}
	}
	return out, nil
}

// plan returns a state as the planner stores it, with the values that the session stores.
func (r *Runtime) plan(ctx context.Context, state State) (plan json.RawMessage, params map[string]any, err error) {
	known := map[string]any{}
	for name, v := range state.Known {
		known[name] = r.stored(name, v)
	}
	preset := &planner.Preset{Intent: state.Task, Params: known, Confirming: state.OpenKind() == AskConfirm}
	if state.Task == "" {
		preset = nil
	}
	turn, err := planner.Begin(r.agent, planner.New(), planner.TurnInput{Number: 1, Now: Now, Preset: preset})
	if err != nil {
		return nil, nil, err
	}
	saved, err := turn.Save()
	if err != nil {
		return nil, nil, err
	}
	var fields map[string]any
	if err := json.Unmarshal(saved, &fields); err != nil {
		return nil, nil, err
	}
	fields["version"] = r.agent.Hash
	open, err := r.question(ctx, state)
	if err != nil {
		return nil, nil, err
	}
	if open != nil {
		fields["open"] = open
	}
	if state.Last != nil {
		r.end(fields, state.Last, known)
	}
	plan, err = json.Marshal(fields)
	return plan, turn.Params(), err
}

// word puts the words of the open question into the agent, and returns what takes them out again.
func (r *Runtime) word(state State) (unsay func(), err error) {
	intent := r.agent.Intent(state.Task)
	if intent == nil || state.Open == nil {
		return func() {}, nil
	}
	text, err := worded(state.Open.Text)
	if err != nil {
		return nil, err
	}
	if p := intent.Param(state.Open.Param); p != nil && state.Open.Kind != AskConfirm {
		was := *p
		p.Prompt, p.Skippable = text, state.Open.Kind == AskMore
		return func() { *p = was }, nil
	}
	var steps []*config.Step
	config.Walk(intent.Plan, func(s *config.Step) {
		if s.ID == stepConfirm {
			steps = append(steps, s)
		}
	})
	if len(steps) == 0 {
		return func() {}, nil
	}
	was := steps[0].Text
	steps[0].Text = text
	return func() { steps[0].Text = was }, nil
}

// question returns an open question as the planner stores it; nil for a confirmation, which the
// preset opens.
func (r *Runtime) question(ctx context.Context, state State) (map[string]any, error) {
	q := state.Open
	if q == nil {
		return nil, nil
	}
	open := map[string]any{"since": Now}
	switch {
	case q.Kind == AskConfirm:
		return nil, nil
	case q.Kind == AskParam || q.Kind == AskMore:
		open["kind"], open["param"] = "ask", q.Param
	case q.Kind == AskChoice:
		options := make([]any, 0, len(q.Options))
		for _, label := range q.Options {
			v, err := r.optionValue(ctx, state, label)
			if err != nil {
				return nil, err
			}
			options = append(options, map[string]any{"value": v, "label": label})
		}
		open["kind"], open["param"], open["options"] = "choose", q.Param, options
	case q.Task == Human:
		open["kind"] = "handoff"
	default:
		open["kind"] = "clarify"
		open["options"] = []any{map[string]any{"value": q.Task, "label": r.sketch.Task(q.Task).Title}}
	}
	return open, nil
}

// readable are the types of params whose options a tool gives as values, and shows in words.
var readable = []string{"date", "time", "datetime", "daterange", "duration", "integer", "number", "money"}

// optionValue returns the value of an option: what the program reads in its label as the answer to
// a plain question, if the param is no text.
func (r *Runtime) optionValue(ctx context.Context, state State, label string) (any, error) {
	p := r.sketch.Param(state.Open.Param)
	if p == nil || !slices.Contains(readable, p.Type.Name) {
		return label, nil
	}
	read, err := r.reads.Classify(ctx, classifier.Input{Text: label, Now: Now, Active: state.Task, Asked: &classifier.Asked{Param: p.Name}})
	if err != nil {
		return nil, err
	}
	for _, v := range read.Params {
		if v.Param == p.Name && v.Source != "text" {
			return v.Value, nil
		}
	}
	return label, nil
}

// end adds the task that has just ended.
func (r *Runtime) end(fields map[string]any, last *Ended, known map[string]any) {
	cells := map[string]any{}
	for name, v := range known {
		cells[name] = map[string]any{"value": v, "turn": 1, "at": Now}
	}
	outcome := "told"
	if r.sketch.Task(last.Task).Writes {
		outcome = "done"
	}
	fields["last"], fields["recent"] = last.Task, known
	fields["ended"] = map[string]any{"intent": last.Task, "turn": 1, "at": Now, "outcome": outcome, "params": cells}
}

// stored returns a value of a file as the program stores it.
func (r *Runtime) stored(param string, v any) any {
	p := r.sketch.Param(param)
	text, is := v.(string)
	if p == nil || !is {
		return v
	}
	switch p.Type.Name {
	case "datetime":
		if strings.Count(text, ":") == 1 {
			return text + ":00"
		}
	case "integer", "number":
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f
		}
	}
	return v
}
