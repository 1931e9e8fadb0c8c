// Package mcptool calls tools of Model Context Protocol servers: programs that speak it
// over stdio, or URLs (streamable HTTP).
//
// A [Server] is connected when its first tool is called and again after its connection
// broke; the tools of one server share it. Structured content is preferred as the
// result; else text content, read as JSON where it is JSON. An isError result is
// tools.Failed: what the server says of it is dropped, as it may hold values.
//
// Writes carry their idempotency key in the request's _meta under "slotway/idempotency-key".
package mcptool
