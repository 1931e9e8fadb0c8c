// Package telemetry says what happened in a turn without ever saying what was said.
//
// A turn is told as one [Event] per stage: received, classify, plan, ask_user, confirm,
// tool_call, respond, error, and job for work in the background. What is particular to a
// stage is its [Payload], a closed set of structs whose fields are names from the agent's
// definition, counts, codes and durations. None of them can hold a param value or a piece
// of a message: a test walks the types and fails on a field that could. The only text is
// the message of a [Failure], and its type, [Scrubbed], can be made by [Scrub] alone, which
// takes every known value out.
//
// Events go to a [Sink]: [Log] writes one JSON line each, of the form that [Schema]
// describes, [Multi] feeds several sinks, [Recorder] keeps them for a test, [Discard] drops
// them, [Recent] keeps the newest turns for whoever may look on, and lets a [Follower] hear
// what comes. Package prom below and package traces of the command make metrics and spans of
// the same events. A sink never fails a turn: it has no error to return. Every sink may be
// used by many goroutines at once.
//
// A test takes its sink from package telemetrytest, which holds every line to the schema.
//
// Ids are the clients' own: [HideIDs] puts a digest in the place of one that holds what the
// agent redacts.
//
// What does hold values (params, transcripts, results) and is shown outside, in a listing,
// an export or the studio, goes through a [Redactor] first.
//
// [Normalise] makes lines comparable with a golden file: it takes out what differs between
// two runs of the same conversation and nothing else.
package telemetry
