// Package mcptool calls tools of Model Context Protocol servers: programs that speak it
// over stdio, or URLs (streamable HTTP), which package egress permits or refuses.
//
// A [Server] is connected when its first tool is called and again after its connection
// broke or its program ended; the tools of one server share it. A server over HTTP that
// was started again has forgotten the session and says so with 404, or with 400 in the
// manner of the TypeScript SDK's examples: the call then goes through a new session, once,
// as it did not run. Structured content is preferred as the result; else text content,
// read as JSON where it is JSON. An isError result is tools.Failed: what the server says of
// it is dropped, as it may hold values. Servers of the TypeScript SDK also answer so to
// arguments that do not fit and to tools that they do not have.
//
// Statuses and lost connections mean what they do to package httptool. The SDK takes any
// error of an HTTP client for a request that was never sent; here a connection that broke
// midway leaves a write uncertain.
//
// What a program writes to its standard error is told line by line to whoever asked by
// [Server.OnStderr], bounded in length and rate, with the values that must not be logged.
//
// Writes carry their idempotency key in the request's _meta under "slotway/idempotency-key".
package mcptool
