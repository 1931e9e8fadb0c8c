// Package memory holds what a conversation remembers: its messages, its state and the
// journal of what was done for it.
//
// The central types are [Session], a unit of work over one session, and [Backend], the
// contract that every backend keeps (memory/storetest is that contract as tests). A turn
// loads a Session, changes it in memory and commits it once; the commit is atomic and
// compares the version it was read at, so that two turns of one session never overlap,
// whichever process runs them.
//
// Messages are the truth and are append-only: every message has a dense sequence number
// within its session, counted from 1. Clear makes messages inactive, it never deletes them.
package memory
