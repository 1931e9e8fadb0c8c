// Package harness runs slotway and the servers behind it as real processes, for the commands
// that test them from outside: canary, crash, failover and soak.
//
//   - [Slotway] is a serving process and [Postgres] a database server. Each can be started again
//     after its end. [Program] is one child process, to signal, kill or wait for.
//   - [Client] sends requests to a process.
//   - [WriteAgent] writes the definition of an agent for a process to serve.
//   - [Report] holds the findings of a run. [Main] and [Conclude] turn them into output and an
//     exit code.
//
// No context ends a process: the caller that starts one must kill it.
package harness
