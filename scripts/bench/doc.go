// Command bench turns measurements into what people read: the comparison with other runtimes, the
// verdict of the benchmark gate, and a flame graph of a turn.
//
//	scripts/bench/peers.sh PEERS_DIR
//	scripts/bench/gate.sh
//	go run ./scripts/bench flame -o docs/explanation/turn-flame.svg turn.prof
//
// The scripts measure and call this command for the rest:
//
//   - `bench failed` writes the line of a runtime that could not be built or run.
//   - `bench table` reads the lines of all runs and writes a Markdown table and an SVG chart.
//   - `bench gate` reads benchstat's comparison as CSV and fails if a benchmark got worse.
//   - `bench flame` draws a CPU profile.
//
// The pictures are static SVG, without scripts. They bring their own background, light or dark as
// the reader prefers, so that they can be read on any page.
package main
