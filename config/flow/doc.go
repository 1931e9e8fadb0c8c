// Package flow draws what an agent does: for each task the questions, steps and branches of its plan,
// and the ways between them. [Of] returns a task as a [diagram.Diagram], [Agent] all tasks.
//
// The diagrams carry no value of any conversation, only what the definition says. Data attributes
// name the intent, step and param of each node, so that a page can light the nodes that a session has
// passed, and a report the ones that no test reaches.
package flow
