// Package eval measures how well an agent is understood, by the code that serves it:
// every figure comes from a classifier that [cascade.New] trained and that classified one
// message at a time.
//
// [Split] trains on one file of marked messages and measures on another, [Folds] measures
// a file, and [Agent] an agent's own examples, by cross-validation; all return [Figures].
// Package entities measures the recognisers of the built-in types, [Compare] sets two results
// side by side, [Report] draws one as an HTML page, and [Lint] turns what cross-validation
// finds into warnings for the author of an agent.
//
// Shares are fractions in [0,1] throughout, times are microseconds unless a name says
// otherwise, offsets count code points, end exclusive. The same input gives the same
// figures, but for times and allocations.
//
// A message whose intent is [OutOfScope] is about nothing that the agent serves: it is
// never trained on. The thresholds that are to refuse such messages are calibrated on
// folds of the training messages alone, so a test file is only ever looked at once.
package eval
