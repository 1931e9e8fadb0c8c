// Package window is the tier that keeps the newest part of a conversation: the last N
// turns, within a budget of tokens. [Fit] is a pure function over messages; the budget is
// counted by [Estimate], which needs no tokenizer.
//
// The newest is kept, cuts are made between turns only, and so a tool's reply never
// stands without the call that asked for it.
package window
