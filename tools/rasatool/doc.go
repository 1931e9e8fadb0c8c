// Package rasatool runs a custom action of a Rasa action server as a tool, so that
// existing Python actions keep working.
//
// It speaks the protocol of Rasa's SDK: POST /webhook, as in endpoint.py and executor.py of
// rasa-sdk 3.21.1; a test checks it against that server (scripts/services.sh start rasa). The
// arguments of the call are the tracker's slots; sender_id is the session. An action gets nothing
// else: no message text, no earlier events, an empty domain. Actions that use those need changes;
// actions that read slots do not.
//
// The result is {slots, responses, templates, events}:
//
//	slots      what the action's slot events set, by name; the last one wins
//	responses  the texts it uttered, in order
//	templates  the names of the domain's responses it uttered, whose texts Rasa has
//	events     the names of its other events, in order
//
// The plan decides what to do with the result, for example save: found, then {found.slots.status}.
//
// Writes carry their idempotency key in the Idempotency-Key header, which the SDK does not read.
// Declare an action idempotent only behind a proxy that does.
//
//	answer                        means
//	400 with an action_name       conflict: the action rejected its execution
//	404                           unavailable: the server has no such action
//	449                           failed: the action needs a domain, which is not sent
//	other 4xx                     failed, or denied and rate_limited as for http tools
//	5xx, no answer                unavailable; a write may have happened
//
// A missing action is not not_found, and a refused body is not invalid_input: those codes are about
// what the user said, and these are faults of the configuration.
package rasatool
