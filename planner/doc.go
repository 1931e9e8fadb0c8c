// Package planner holds the dialogue rules: given an agent's definition and what a
// session knows, which step comes next.
//
// A conversation is a [State]: one active [Frame] (a task under way), a bounded stack of
// suspended ones, the params that outlive a task, and the open question. Two functions
// move it. [Interpret] takes in what the user said: each rule (a file rule_*.go) proposes readings
// of the message, the arbiter (arbiter.go) compares them, and the best are performed: they
// fill and correct params, answer the open question, start, suspend and end frames. What no
// reading explains is said back (leftover.go). [Next] then names the next [Step] and
// changes nothing; whoever performs the step reports back with [State.Performed] or
// [State.Called] and asks again, until a step rests.
//
// Nothing here does I/O, reads a clock or draws a random number: the same definition,
// state and message give the same step, which is what makes conversations replayable.
// RULES.md lists the rules, each with its function and a conversation that shows it.
// The state is stored as versioned JSON ([State.Save], [Load]); steps are addressed by
// their ids, never by position, so that a definition may change under a conversation.
package planner
