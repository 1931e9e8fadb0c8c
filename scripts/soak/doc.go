// Command soak lets a serving slotway work for minutes and shows that nothing in it grows.
//
// It builds the binary, starts it on a SQLite file in a folder of its own with summaries,
// recall, archiving and metrics on, and holds a steady load on it over HTTP: many
// conversations that begin, go on and are deleted, as JSON and as server-sent events; chat
// completions that name their conversation and some that only send their history; pages of
// messages, states, turns, exports, searches and listings; live event streams that come and
// go, one of which is never read; the studio's files; MCP sessions that nobody ends; and an
// agent file that changes every few seconds.
//
//	go run ./scripts/soak -minutes 8
//
// Every two seconds it looks at the process: resident memory, live heap, goroutines, file
// descriptors, the size of the write-ahead log, and jobs that wait. After a warm-up of three
// eighths of the time a slope is fitted to each series (the median of all slopes between two
// samples: Theil 1950, Sen 1968), and what grew by more than its tolerance (trend.go) over
// what was watched fails the run. So does too small a load, or requests that went wrong: a
// quiet run shows nothing. The result is one JSON object on standard output, and the exit
// code is 1 when the verdict is not "level".
package main
