// Package edit adds examples to an agent. They go into a file of their own, which the agent's file names in
// one line at its end; nothing else of it changes. The agent is read again as the program would read it, and
// if it is invalid then, the files are put back. So no file is half written, and none is invalid because of
// an example.
package edit
