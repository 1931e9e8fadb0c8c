// Command acts makes the model of what clauses do: it reads the phrases in this folder, one
// file an act, puts them together with things of many trades, misspells some, and fits a
// linear model. The same phrases give the same bytes.
//
//	go run -C scripts/lab ./train/acts        # writes classifier/acts/model.bin
//
// The default file is relative to scripts/lab, where -C runs the command.
//
// In the files (a|b|) is one of several words or none, {thing} a word of that list in
// fillers.txt. "## acts" names the acts of the lines that follow, "text | acts" those of
// one line; see classifier/acts.ReadLines.
package main
