// Package memory holds the contract of session stores: the messages, the state and the journal
// of tool calls of each conversation.
//
// The central types are [Session], a unit of work over one session, and [Backend], the
// contract that every backend keeps (internal/test/storetest is that contract as tests). A turn
// loads a Session, changes it in memory and commits it once; the commit is atomic and
// compares the version it was read at, so that two turns of one session never overlap,
// whichever process runs them.
//
// Messages are append-only, and everything else can be derived from them: every message has a dense
// sequence number within its session, counted from 1. Clear makes messages inactive, it never deletes
// them.
//
// The exported names beyond Session and Backend are of four kinds: the values that stores take and
// return (Key, Message, State, Turn, Step, Job, View, About and their queries), the sentinel errors,
// the parts of Backend that consumers ask for one at a time, and the contract of tiers (Tier, Worker,
// Context, Fact). They are one package because each refers to the others. Exports, copies and forks
// are in memory/transfer.
package memory
