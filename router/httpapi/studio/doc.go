// Package studio is one web page on which a person talks to an agent and sees why it answers as it
// does: the path of the turn through the state machine, the params, the plan, the ranking of intents,
// what the memory tiers hold, and the telemetry as it happens.
//
// [Adapter] serves the page at GET /studio and its files, which are ES modules, one style sheet and one
// icon, embedded and sent as they are: there is no build step and no third-party code. The page uses
// only the HTTP API. It holds no data and is therefore open to everybody; each call sends the key that
// the person typed in.
//
// Everything that an agent or a user says is shown as text. The [Policy] of every answer forbids inline
// scripts and styles, other origins, and assigning markup from a string, so that a mistake in the page
// shows as a broken page and never as a script that runs.
//
// assets/main.js lists the modules.
package studio
