// Package contract holds an HTTP service to its OpenAPI document. It is for tests.
//
// A [Document] is read once. [Document.Structure] says what is wrong with it by itself,
// [Document.Routes] compares it with the routes that a service has, and [Document.Watch]
// puts a recorder around a handler: every answer that goes through it, and every request
// that was accepted, is compared with what the document says, and [Document.Violations]
// tells what differed.
//
// Bodies of type text/event-stream are described by the extension x-events of their media
// type: the schema of each event's data by the event's name, "*" for any. Data of a schema
// with type string is a text, any other is JSON.
package contract
