// Package studio is one web page on which a person talks to an agent and sees why it
// answers as it does: the turn's way through the state machine, the params, the plan, the
// ranking of intents, what the memory tiers hold, and the telemetry as it happens.
//
// [Adapter] serves the page at GET /studio and its files, which are ES modules, one style sheet
// and one icon, embedded and sent as they are written: there is no build step and no code of
// others. The page uses the HTTP API and nothing else. It holds no data itself and is
// therefore open to everybody; the key that a person types in goes with each call.
//
// Whatever an agent or a user says is shown as text. The [Policy] that goes with every
// answer permits no inline script or style, no other origin, and no assignment of markup
// from a string, so that a mistake in the page shows up as a broken page and not as a
// script that runs.
//
// assets/main.js tells which module does what.
package studio
