// Package telemetry records what happens in a turn without recording what was said.
//
// A turn is recorded as one [Event] per stage: received, classify, plan, ask_user, confirm, tool_call,
// respond, error, and job for work in the background. The details of a stage are its [Payload], a
// closed set of structs whose fields are names from the agent's definition, counts, codes and
// durations. None of them can hold a param value or a piece of a message: a test walks the types and
// fails on a field that could. The only text is the message of a [Failure], and only [Scrub], which
// removes every known value, can make its type [Scrubbed].
//
// Events go to a [Sink]: [Log] writes one JSON line each, in the form that [Schema] describes, [Multi]
// feeds several sinks, [Recorder] keeps them for a test, [Discard] drops them, and [Recent] keeps the
// newest turns for the live view and passes new events to a [Follower]. Package prom below and package
// traces of the command turn the same events into metrics and spans. A sink never fails a turn: it
// returns no error. Every sink may be used by many goroutines.
//
// A test takes its sink from package telemetrytest, which checks every line against the schema.
//
// Ids are chosen by clients: [HideIDs] replaces an id that holds what the agent redacts by a digest.
//
// Values (params, transcripts, results) that are shown outside, in a listing, an export or the
// studio, go through a [Redactor] first.
//
// [Normalise] makes lines comparable with a golden file: it removes only what differs between two runs
// of the same conversation. [Outline] reduces them to one line a turn.
package telemetry
