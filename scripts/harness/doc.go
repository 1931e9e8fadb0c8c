// Package harness starts real processes for the commands beside it, which harm them: crash,
// failover, soak and canary.
//
//   - A [Slotway] is a serving process over all its lives, a [Postgres] a database server. Both
//     run as a [Program], which can be signalled, killed and awaited.
//   - A [Client] sends requests to a process.
//   - [WriteAgent] writes one of the agents that the processes serve.
//   - A [Report] says what a run found; [Main] and [Conclude] turn it into output and an exit
//     code.
//
// A process outlives the call that starts it: its owner kills it.
package harness
