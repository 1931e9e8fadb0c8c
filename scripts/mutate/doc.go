// Command mutate measures the tests: it makes one random change to the program at a time and runs
// the tests that should fail. They kill a mutant if one of them fails. A survivor is a change that
// no test notices; the command shows it as a diff of one line.
//
//	go run ./scripts/mutate -n 36 -seed 1                    planner and router
//	go run ./scripts/mutate -n 12 -seed 1 memory/sqlite
//
// A change hits a comparison, an && or ||, a negation, the condition of an if, an integer, a true
// or false, or a call without a used result, which it removes. If a mutant does not build, the
// command draws another.
//
// The tree stays unchanged. The command builds all mutants together in a copy: next to each
// changed function stands a copy with the change, which go test reads through an overlay, and an
// environment variable selects the mutant. Quick tests run first. The time limit follows the time
// that the tests take without a change. A mutant that exceeds it counts as killed and is shown,
// because a busy machine may be the reason.
//
//	go run ./scripts/mutate -quick -at planner/rule_stop.go:29,planner/save.go planner
//
// This runs only the package's own quick tests on changes of certain places.
//
// The command fails when the tests kill fewer than -least mutants. Some changes make no
// difference, such as a capacity or a bound that nothing reaches; the goal is 34 of 36.
package main
