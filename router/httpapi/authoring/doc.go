// Package authoring adds the routes for authors of an agent to the HTTP API: a session as a test
// (GET /v1/sessions/{id}/replay), how well the agent's examples are told apart (/v1/evaluation), and
// stored messages that may become examples (/v1/label).
//
// Only the program slotway links it, for its commands serve and dev: a program that embeds Slotway
// does not carry what only authors need.
package authoring
