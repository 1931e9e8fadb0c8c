package config

import (
	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/source"
)

// StepKind names one row of the step table.
type StepKind string

// The kinds of plan step. A step's key in the file is its kind.
const (
	StepAsk      StepKind = "ask"      // ask: PARAM
	StepCall     StepKind = "call"     // call: TOOL, with, save, on_error
	StepChoose   StepKind = "choose"   // choose: PARAM, from, label, value
	StepConfirm  StepKind = "confirm"  // confirm: TEXT, denied, help
	StepRespond  StepKind = "respond"  // respond: RESPONSE
	StepGenerate StepKind = "generate" // generate: INSTRUCTION, else
	StepSet      StepKind = "set"      // set: {NAME: ARG}
	StepHandoff  StepKind = "handoff"  // handoff: QUEUE
	StepRun      StepKind = "run"      // run: INTENT, with, save, on_error
	StepEnd      StepKind = "end"      // end: true
	StepWhen     StepKind = "when"     // when: EXPR, then: [STEP...], else: [STEP...]
)

// Step is one step of a plan. Every kind may carry When (as a guard) and End.
type Step struct {
	ID   string // `id`, else derived from the content; unique in its intent; never a position
	Kind StepKind
	When *expr.Expr // nil: always
	End  bool       // the plan ends after this step

	Tool    string              // call
	With    map[string]expr.Arg // call: arguments; run: params of the sub-task
	Save    string              // call: name for the result
	OnError map[string]*OnError // call, run

	Run   string              // run: id of the intent that is the sub-task
	Saves map[string][]string // run: path in the sub-task, by the name that it fills here

	Param string       // ask, choose
	From  expr.Arg     // choose: a list
	Label *phrase.Text // choose: rendered over one element of the list
	Value string       // choose: field of the chosen element that becomes the param's value; "": see Choice

	Text   *phrase.Text // confirm: the question; generate: the instruction
	Help   *phrase.Text // confirm: the answer to a question in reply; nil: none
	Denied string       // confirm: response to a plain no; "": the built-in one
	Covers []string     // confirm: ids of the write calls that it guards, in order

	Response string // respond; generate: the `else`

	Set   map[string]expr.Arg
	Queue string // handoff

	Then, Else []*Step // when

	Reads  []string // params and saved names that the step depends on, sorted
	Writes []string // names that it fills, sorted
	Pos    source.Position
}

// Choice returns the param's value from a chosen element of a choose step: the field that `value`
// names, else the field of the param's name, else the id, else the element itself.
func (s *Step) Choice(element any) any {
	row, ok := element.(map[string]any)
	if !ok {
		return element
	}
	for _, field := range [...]string{s.Value, s.Param, "id"} {
		if v, ok := row[field]; ok && field != "" {
			return v
		}
	}
	return element
}

// Codes with which a sub-task that did not come to its end ends its run step, besides the code of
// the tool that ended it.
const (
	RunDeclined = "declined" // the user said no to its confirmation
	RunFailed   = "failed"   // its plan could not go on
)

// RunDone is the path in `save` of a run step that is true if the sub-task came to its end.
const RunDone = "done"

// OnError says what follows a failed call or sub-task, by the error's code or "*".
type OnError struct {
	Respond string   // response to say
	Forget  []string // params to drop; the dialogue asks again for a required one
	End     bool     // the plan ends; default true if Forget is empty
}
