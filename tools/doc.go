// Package tools calls everything outside the agent: named tools behind one [Registry], which checks
// the input, limits the time, retries reads and gives every failure a code. The kinds of tool are
// in the packages below (sqltool, httptool, exectool, ...); each implements [Tool] and knows
// nothing of conversations.
package tools
