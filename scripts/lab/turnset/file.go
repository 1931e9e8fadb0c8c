package turnset

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// File is one file of turns: agents as sketches, and turns of conversations with them.
type File struct {
	Name   string
	Agents []*Sketch
	Turns  []*Turn
}

// Sketch is an agent as far as a turn needs one.
type Sketch struct {
	Agent string  `json:"agent"`
	Tasks []*Task `json:"tasks"`
}

// Task is one task of a sketch.
type Task struct {
	ID     string  `json:"id"`
	Title  string  `json:"title"`
	Writes bool    `json:"writes"`
	Params []Param `json:"params"`
}

// Param is a param of a task.
type Param struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Type  Type   `json:"type"`
}

// Type is the type of a param: a name, or the values of an enumeration.
type Type struct {
	Name   string
	Values []string
}

// UnmarshalJSON reads both forms.
func (t *Type) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &t.Name)
	}
	var enum struct {
		Values []string `json:"values"`
	}
	err := json.Unmarshal(data, &enum)
	t.Values = enum.Values
	return err
}

// Task returns a task by its id, nil without one.
func (s *Sketch) Task(id string) *Task {
	for _, t := range s.Tasks {
		if t.ID == id {
			return t
		}
	}
	return nil
}

// Param returns a param of any task by its name, nil without one. A name has one type in a sketch.
func (s *Sketch) Param(name string) *Param {
	for _, t := range s.Tasks {
		if p := t.Param(name); p != nil {
			return p
		}
	}
	return nil
}

// Param returns a param by its name, nil without one.
func (t *Task) Param(name string) *Param {
	for i := range t.Params {
		if t.Params[i].Name == name {
			return &t.Params[i]
		}
	}
	return nil
}

// Turn is a state with a message and what the message means.
type Turn struct {
	Sketch   *Sketch     `json:"-"`
	Line     int         `json:"-"`
	Agent    string      `json:"agent"`
	State    State       `json:"state"`
	Message  string      `json:"message"`
	Commands []Command   `json:"commands"`
	Never    []Forbidden `json:"never,omitempty"`
}

// State is how a conversation stands when a message comes.
type State struct {
	Task  string         `json:"task,omitempty"`
	Open  *Question      `json:"open"`
	Known map[string]any `json:"known"`
	Last  *Ended         `json:"last"`
}

// Ended is the task that has just ended, with what was said at its end.
type Ended struct {
	Task  string `json:"task"`
	Reply string `json:"reply"`
}

// Question is an open question.
type Question struct {
	Kind    string   `json:"kind"`
	Text    string   `json:"text"`
	Param   string   `json:"param,omitempty"`
	Options []string `json:"options,omitempty"`
	Write   bool     `json:"write,omitempty"`
	Task    string   `json:"task,omitempty"` // that is offered; Human: a person
}

// The kinds of open question.
const (
	AskParam   = "param"
	AskConfirm = "confirm"
	AskChoice  = "choice"
	AskOffer   = "offer"
	AskMore    = "more"
	AskNothing = "none" // no question is open
)

// Kinds lists the kinds of open question.
var Kinds = []string{AskParam, AskConfirm, AskChoice, AskOffer, AskMore, AskNothing}

// OpenKind returns the kind of the open question.
func (s *State) OpenKind() string {
	if s.Open == nil {
		return AskNothing
	}
	return s.Open.Kind
}

// Command is one thing that a message says.
type Command struct {
	Do     string `json:"do"`
	Task   string `json:"task,omitempty"`
	Param  string `json:"param,omitempty"`
	Value  any    `json:"value,omitempty"`
	Text   string `json:"text,omitempty"` // the words of the message that hold the value
	Option string `json:"option,omitempty"`
	About  string `json:"about,omitempty"`
}

// The commands.
const (
	Yes        = "yes"
	No         = "no"
	Hold       = "hold"
	Stop       = "stop"
	Human      = "human"
	Help       = "help"
	Repeat     = "repeat"
	Undo       = "undo"
	Resume     = "resume"
	Courtesy   = "courtesy"
	OutOfScope = "out_of_scope"
	Unclear    = "unclear"
	Start      = "start"
	Set        = "set"
	Add        = "add"
	Remove     = "remove"
	Correct    = "correct"
	Choose     = "choose"
	Ask        = "ask"
)

var plain = []string{Yes, No, Hold, Stop, Human, Help, Repeat, Undo, Resume, Courtesy, OutOfScope, Unclear}

// What an ask is about, if it is no task.
const (
	AboutHelp   = "help"
	AboutResult = "result"
	AboutOther  = "other"
)

// Forbidden is a command that would do harm: its name alone stands for all of that name, and a
// field that is not given stands for any.
type Forbidden struct {
	Command
	AnyValue bool
}

// UnmarshalJSON reads both forms.
func (f *Forbidden) UnmarshalJSON(data []byte) error {
	f.AnyValue = true
	if data[0] == '"' {
		return json.Unmarshal(data, &f.Do)
	}
	if err := json.Unmarshal(data, &f.Command); err != nil {
		return err
	}
	var fields map[string]json.RawMessage
	err := json.Unmarshal(data, &fields)
	_, valued := fields["value"]
	f.AnyValue = !valued
	return err
}

// longestLine is the longest line that a file may have, in bytes.
const longestLine = 1 << 22

// Read reads a file. A line that is not of the form is an error that names it.
func Read(path string) (*File, error) {
	data, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer data.Close()
	file, agents := &File{Name: path}, map[string]*Sketch{}
	lines := bufio.NewScanner(data)
	lines.Buffer(nil, longestLine)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		if err := file.line(n, line, agents); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w; a line has at most %d bytes", path, err, longestLine)
	}
	return file, nil
}

// line reads a sketch or a turn.
func (f *File) line(n int, data []byte, agents map[string]*Sketch) error {
	var head struct {
		Tasks json.RawMessage `json:"tasks"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	if head.Tasks != nil {
		sketch := &Sketch{}
		if err := json.Unmarshal(data, sketch); err != nil {
			return fmt.Errorf("no sketch of an agent: %w", err)
		}
		agents[sketch.Agent] = sketch
		f.Agents = append(f.Agents, sketch)
		return nil
	}
	turn := &Turn{Line: n}
	if err := json.Unmarshal(data, turn); err != nil {
		return fmt.Errorf("no turn: %w", err)
	}
	if turn.Sketch = agents[turn.Agent]; turn.Sketch == nil {
		return fmt.Errorf("agent %q has no sketch; its line comes before its turns", turn.Agent)
	}
	if err := turn.check(); err != nil {
		return err
	}
	f.Turns = append(f.Turns, turn)
	return nil
}

// check holds a turn to its sketch.
func (t *Turn) check() error {
	switch s := &t.State; {
	case s.Task != "" && t.Sketch.Task(s.Task) == nil:
		return fmt.Errorf("state.task: the sketch has no task %q", s.Task)
	case s.Open != nil && !slices.Contains(Kinds, s.Open.Kind):
		return fmt.Errorf("state.open.kind: %q is none of %q", s.Open.Kind, Kinds)
	case s.Last != nil && t.Sketch.Task(s.Last.Task) == nil:
		return fmt.Errorf("state.last.task: the sketch has no task %q", s.Last.Task)
	case len(t.Commands) == 0:
		return fmt.Errorf("commands: there are none; a message that says nothing is %q", Unclear)
	}
	for name := range t.State.Known {
		if t.Sketch.Param(name) == nil {
			return fmt.Errorf("state.known: the sketch has no param %q", name)
		}
	}
	for i, c := range t.Commands {
		if err := t.checkCommand(c); err != nil {
			return fmt.Errorf("commands[%d]: %w", i, err)
		}
	}
	return nil
}

func (t *Turn) checkCommand(c Command) error {
	switch c.Do {
	case Start:
		if t.Sketch.Task(c.Task) == nil {
			return fmt.Errorf("the sketch has no task %q", c.Task)
		}
	case Set, Add, Remove, Correct:
		if t.Sketch.Param(c.Param) == nil {
			return fmt.Errorf("the sketch has no param %q", c.Param)
		}
	case Choose:
		if t.State.Open == nil || !slices.Contains(t.State.Open.Options, c.Option) {
			return fmt.Errorf("the question has no option %q", c.Option)
		}
	case Ask:
		if t.Sketch.Task(c.About) == nil && !slices.Contains([]string{AboutHelp, AboutResult, AboutOther}, c.About) {
			return fmt.Errorf("about %q: it is a task, %s, %s or %s", c.About, AboutHelp, AboutResult, AboutOther)
		}
	default:
		if !slices.Contains(plain, c.Do) {
			return fmt.Errorf("no command %q", c.Do)
		}
	}
	return nil
}
