// Command reader learns what a message says together with the question that is open, from the turns in
// this folder, and measures it on trades that it has not seen: which commands it holds, and whether it is a
// yes to a confirmation and nothing else. It is the baseline by words that a reader on the encoder has to
// beat (issue 3.2); nothing of it ships. README.md has its figures.
//
//	go run -C scripts/lab ./train/reader            # the first fifth of the trades is held out
//	go run -C scripts/lab ./train/reader -hold 3 -share 0.5
//
// The turns have the form that package turnset reads. The eight files named after a manner of speaking are
// those of the project's shared data; aloud, brisk, careful and wary were written for it by four hands, five
// trades each, and read by a fifth, who dropped 84 of 4,266.
package main
