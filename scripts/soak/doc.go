// Command soak keeps slotway under load for minutes and shows that nothing in it grows.
//
// It builds the binary and starts it on a SQLite file with summaries, recall, archiving and
// metrics. Then it holds a steady load over HTTP: conversations that begin, go on and are
// deleted, as JSON and as server-sent events; chat completions that name their conversation, and
// others that send their history; pages of messages, states, turns, exports, searches and
// listings; event streams that come and go, one of which is never read; the studio's files; MCP
// sessions that nobody ends; and an agent file that changes every few seconds.
//
//	go run ./scripts/soak -minutes 8
//
// Every two seconds it samples the process: resident memory, live heap, goroutines, file
// descriptors, the size of the write-ahead log, and pending jobs. The first three eighths of the
// time are a warm-up. Then it fits a slope to each series, the median of all slopes between two
// samples (Theil 1950, Sen 1968). The run fails if a series grows by more than its tolerance
// (trend.go), if requests fail, or if the load was too small to show anything. The result is one
// JSON object on standard output. The exit code is 1 when the verdict is not "level".
package main
