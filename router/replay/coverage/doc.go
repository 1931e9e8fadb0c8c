// Package coverage finds out which parts of an agent a set of conversations reaches: its intents,
// params, steps, branches and responses.
//
// A [Collector] takes what really happened: the passages of the planner and the telemetry of turns,
// never what a test expects. [Collector.Report] compares that with the agent. [WriteText] prints a
// report, and [Report.Reached] answers for a picture of the agent.
package coverage
