// Package tools is everything that an agent does outside itself: named tools behind one
// [Registry] that checks the input, bounds the time, retries reads and gives every
// failure a code. Kinds of tool live below it (sqltool, httptool, exectool, ...); each
// implements [Tool] and knows nothing of conversations.
package tools
