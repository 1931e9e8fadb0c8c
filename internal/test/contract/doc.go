// Package contract checks an HTTP service against its OpenAPI document. It is for tests.
//
// [New] reads a [Document]. [Document.Structure] returns what is wrong with the document itself;
// [Document.Undocumented] and [Document.Unserved] compare it with the routes of a service; and
// [Document.Watch] wraps a handler: it compares every answer, and every request that was accepted,
// with the document, and [Document.Violations] returns the differences.
//
// Bodies of type text/event-stream are described by the extension x-events of their media type: the
// schema of each event's data by the event's name, "*" for any. Data whose schema has type string is
// text; all other data is JSON.
package contract
