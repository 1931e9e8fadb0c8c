// Package mcptool calls tools of Model Context Protocol servers: programs that speak it over stdio,
// or URLs (streamable HTTP), which package egress permits or refuses.
//
// A [Server] connects at the first call of one of its tools, and again after its connection broke
// or its program ended; its tools share the connection. A server over HTTP that was restarted has
// lost the session and answers 404, or 400 like the examples of the TypeScript SDK: the call, which
// did not run, is then repeated once in a new session. The result is the structured content, else
// the text content, read as JSON if it is valid JSON. An isError result is tools.Failed; its text
// is dropped, since it may hold values. Servers of the TypeScript SDK also answer so to invalid
// arguments and unknown tools.
//
// Statuses and lost connections mean the same as in package httptool. The SDK takes any error of an
// HTTP client for a request that was never sent; here, a connection that broke midway leaves a
// write uncertain.
//
// The function of [Server.OnStderr] gets what a program writes to standard error, line by line,
// limited in length and rate, with the values that must not be logged.
//
// Writes carry their idempotency key in the request's _meta under "slotway/idempotency-key".
package mcptool
