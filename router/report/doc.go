// Package report counts what became of the tasks of an agent: how often each was begun, what it asked,
// what was corrected and confirmed, and how it ended; and it lists the messages that were not
// understood, alike ones together.
//
// [Collect] reads the sessions of a store, one after the other, so that its memory does not grow with
// their number. Everything is derived from the turns: from how the session stood after each of them
// ([planner.Account]) and from the stored replies. Undone turns do not count.
//
// # What is counted
//
// The report is about the tasks that were begun in its range of time, whatever became of them up to
// its end. Each of them has exactly one [Fate], so those of a task add up to Begun. A task is counted
// once, by the id of its plan, however often it was interrupted and resumed. A sub-task is a part of
// the task that runs it. Built-in intents and the fallback are no tasks.
//
// No value of a param is in a report: texts of users go through the redaction of every param, whether
// the agent redacts it or not, a refused answer to the question for a redacted param loses whatever
// could be a value, and all else is names, codes and numbers.
package report
