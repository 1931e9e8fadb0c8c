// Package faulttest is the other side of every client of ours on its worst day: servers
// on the loopback interface that refuse, hang, break off, never end, lie about what they
// send or send us elsewhere. It is for tests.
//
// [Faults] is the one table of them; the tests of each client go through it and say what
// the client must make of each. [Start] serves one and counts what was asked and sent:
// whatever a server would send, a client has to stop reading at its own bound
// ([MaxSent]). Bodies, headers and redirects hold [Canary], which no error may repeat.
package faulttest
