// Package transfer moves sessions between stores and files: exports and imports, copies of a whole
// store, and forks of one session.
//
// An export is JSON lines ([Header] describes the form). [Export] writes one session page by page;
// [Read] reads any number of sessions line by line and hands each line to a function of [Parts].
// [Import] collects a whole session first, on the disk if it is long, for stores.
// None of them holds a long session in memory. [Pipe] runs a filter between a reader and a writer;
// [Fork], [Create] and encryption are such filters.
package transfer
