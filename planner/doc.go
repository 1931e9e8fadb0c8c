// Package planner holds the dialogue rules: given an agent's definition and what a session knows, it
// decides how a message is understood and which step comes next.
//
// A conversation is a [State]: one active frame (a task under way), a bounded stack of suspended
// frames, the params that outlive a task, and the open question. The router calls planner like this:
//
//   - [Load] and [Begin] open a turn on the stored state.
//   - [Turn.Interpret] reads the message, once. Each rule (a file rule_*.go) proposes readings; the
//     arbiter (arbiter.go) compares them; the best are performed: they fill and correct params,
//     answer the open question, and start, suspend and end frames. The reply mentions what no
//     reading explains (leftover.go).
//   - [Turn.Next] returns the next [Step], once for each step. It first records that the step before
//     was carried out, with the outcome of its tool call.
//   - [Turn.Rest] records the question that ends the turn, and [Turn.Save] returns the state.
//
// Nothing here does I/O, reads a clock or draws a random number: the same definition, state and
// message give the same steps, so conversations can be replayed. RULES.md lists the rules, each with
// its function and a conversation that shows it. The state is stored as versioned JSON; it names
// steps by their ids, never by position, so that a definition may change during a conversation.
package planner
