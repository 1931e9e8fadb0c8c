// Mutate says how much the tests would notice: it changes one thing of the program at a time,
// drawn by chance, and runs the tests that should object. A mutant is killed when they do; a
// survivor is a change that no test minds, and is shown as a line of a diff.
//
//	go run ./scripts/mutate -n 36 -seed 1                    planner and router
//	go run ./scripts/mutate -n 12 -seed 1 memory/sqlite
//
// What changes is a comparison, an && or ||, a negation, the condition of an if, a whole
// number, a true or false, or a call whose result nobody takes, which goes. A mutant that does
// not build is none, and another is drawn.
//
// The tree stays as it is. All mutants of a draw are built together, in a copy: beside each
// function that is changed stands its copy with the change, which go test reads through an
// overlay, and a variable of the environment says which mutant the tests are run on. The quick
// tests are asked first. One that runs into the time limit, which follows what the tests take
// without a change, is killed, and is shown: a busy machine may be the reason.
//
//	go run ./scripts/mutate -quick -at planner/rule_stop.go:29,planner/save.go planner
//
// asks the package's own quick tests about certain places.
//
// The program fails when fewer than -least are killed. Some changes make no difference to
// anybody (a capacity, a bound that is never met); 34 of 36 is what is aimed at.
package main
