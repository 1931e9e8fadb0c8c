// Mutate says how much the tests would notice: it changes one thing of the program at a time,
// drawn by chance, and runs the tests that should object. A mutant is killed when they do; a
// survivor is a change that no test minds, and is shown as a line of a diff.
//
//	go run ./scripts/mutate -n 36 -seed 1                    planner and router
//	go run ./scripts/mutate -n 12 -seed 1 memory/sqlite
//
// What changes is a comparison, an && or ||, a negation, the condition of an if, a whole
// number, a true or false, or a call whose result nobody takes, which goes. The tree stays as
// it is: the tests run in a copy, where go test reads the changed file through an overlay. A mutant that does not build is
// none, and another is drawn. One that runs into the time limit is killed: the tests noticed.
//
// The program fails when fewer than -least are killed. Some changes make no difference to
// anybody (a capacity, a bound that is never met); 34 of 36 is what is aimed at.
package main
