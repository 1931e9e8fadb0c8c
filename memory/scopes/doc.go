// Package scopes keeps in memory what tiers build of a user and an agent: one value a
// scope, within a number and a weight, the least recently used let go first.
package scopes
