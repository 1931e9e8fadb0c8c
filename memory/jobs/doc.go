// Package jobs works off the background work that turns leave in a store's outbox: it
// claims jobs under a lease, runs them, gives failed ones back with a growing pause, and
// lets those die that keep failing. Dead jobs stay visible, and can be revived.
//
// A job runs at least once. Its worker may die at any point, and a slow one may find that
// another has taken over, so the work itself must not mind being done twice.
package jobs
