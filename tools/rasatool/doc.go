// Package rasatool runs a custom action of a Rasa action server as a tool, so that
// existing Python actions keep working.
//
// It speaks the protocol of Rasa's SDK: POST /webhook, as endpoint.py and executor.py of
// rasa-sdk 3.21.1 have it; a test holds it to that server (scripts/services.sh start rasa).
// The arguments of the call are the tracker's slots; sender_id is the session. An action
// sees no more than that: no message text, no earlier events, an empty domain. Actions
// that read them need changing, those that read slots do not.
//
// The result is {slots, responses, templates, events}:
//
//	slots      what the action's slot events set, by name; the last one wins
//	responses  the texts it uttered, in order
//	templates  the names of the domain's responses it uttered, whose texts Rasa has
//	events     the names of its other events, in order
//
// Whether the dialogue follows is for the plan to say, for example save: found, then
// {found.slots.status}.
//
// Writes carry their idempotency key in the Idempotency-Key header. The SDK does not read
// it: an action behind a proxy that does may be declared idempotent, others may not.
//
//	answer                        means
//	400 with an action_name       conflict: the action rejected its execution
//	404                           unavailable: the server has no such action
//	449                           failed: the action needs a domain, which is not sent
//	other 4xx                     failed, or denied and rate_limited as for http tools
//	5xx, no answer                unavailable; a write may have happened
//
// An action that is missing is not not_found, nor a body that is refused invalid_input:
// those codes speak about what the user said, these are faults of the set-up.
package rasatool
