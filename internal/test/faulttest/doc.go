// Package faulttest provides servers that fail in every way a client must survive: on the loopback
// interface, they refuse, hang, break off, never end, lie about what they send, or redirect
// elsewhere. It is for tests.
//
// [Faults] is the one table of them; the tests of each client go through it and say what the client
// must make of each. [Start] serves one and counts requests and bytes: a client must stop reading
// at its own limit, however much a server sends (64 MiB). Bodies, headers and redirects hold
// a planted value, which no error may repeat.
package faulttest
