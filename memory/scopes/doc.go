// Package scopes caches what tiers build for a user and an agent: one value for each scope, within a
// number and a weight; the least recently used one is dropped first.
package scopes
