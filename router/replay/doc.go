// Package replay runs written conversations as tests.
//
// A replay file has one YAML document for each conversation: what the user says, turn by turn, and
// the expected result of each turn. [Parse] reads it strictly, [Run] plays one conversation on the
// runtime that serves users, [RunFile] plays a whole file, and [Find] collects the files below a
// folder. [WriteText] and [WriteJUnit] write the results. [FromHistory] goes the other
// way and writes a replay from a stored session.
//
// # The file
//
//	conversation: ask for the order id, then answer
//	agent: ../intents.yaml        # default: the agent of the runtime
//	store: sqlite                 # default inmem; what a restart needs
//	session: s1                   # default "replay", as is user
//	user: ana
//	start: 2026-01-05T09:00:00Z   # of the clock
//	telemetry: golden.jsonl       # compared, normalised
//	tools:                        # what tools answer, in turn, in place of the real ones
//	  get_order:
//	    - result: {status: shipped}
//	    - error: timeout          # a code of package tools
//	turns:
//	  - user: It's O-12345
//	    id: m2                    # of the interaction; twice the same: sent twice
//	    after: 5m                 # the clock moves before the turn
//	    restart: true             # the runtime is closed and opened again before the turn
//	    agent: ../newer.yaml      # with a restart: the agent from here on
//	    given:                    # set before the message is read
//	      intent: order_status
//	      params: {zip: "04101"}
//	      waiting_for_param: order_id
//	      confirming: cancel_order  # or true: a yes to it is awaited
//	    expect: {params: {order_id: O-12345}, calls: [find_orders]}
//
// In place of user, a turn may have what a person does who takes the conversation over: handoff with
// {take: Ann}, {answer: what Ann says} or {give_back: Ann}.
//
// File names are relative to the file. Only what `expect` names is compared:
//
//	intent             id of the intent of the message; null: none
//	asked              param that the reply asks for; null: none
//	waiting_for_param  param that the session waits for afterwards; null: none
//	confirming         write tool that waits for a yes; true: any; null or false: none
//	params             values known afterwards, by name; null: not known. Other params may
//	                   be known too, unless params_exact is true
//	calls              tools that were called, in order. A call that only checks a param
//	                   (its validation tool) counts where the list names that tool
//	reply              the whole reply
//	reply_contains     a part of the reply, or a list of parts
//	reply_matches      a regular expression (RE2) for a part of it, or a list of them
//	handoff            whether the conversation was handed to people, or is with a person
//	person             name of the person who has the conversation; null: nobody
//	options            titles of the suggested messages, in order; []: none
//	unheard            parts of the message that the turn did nothing about, in order: each its
//	                   text, or {text: ..., told: true} if the reply must mention it; []: none
//	rule               name of a rule that was performed; null: none. A failure shows the
//	                   other readings of the message
//	error              code of what the reply had to work around; null: none
//	outcome            waiting or responded: how the turn ended
//	turn               number of the turn in its session
//	replayed           whether the reply is a stored one, given again for the same id
//
// # Time
//
// A conversation has its own clock. It starts at `start` (default 2026-01-05 09:00
// UTC), stands still during a turn, and moves on between turns by `after`, or by one second
// if a turn has none. Nothing sleeps: pauses between the retries of a tool are skipped.
//
// # Golden telemetry
//
// `telemetry: FILE` compares the conversation's telemetry lines, normalised, with a file. A file
// whose name ends in .jsonl holds the whole lines; any other holds their outline, one line for
// each turn, with the stages and the names in them but no figures (telemetry.Outline). Jobs are left out.
// Options.Update writes that file and the values under `expect` that differ. It leaves patterns
// and parts of replies alone: only a person can decide about them.
package replay
