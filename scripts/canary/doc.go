// Command canary looks for values that slotway must not disclose.
//
// It starts real `slotway serve` processes with encrypted memory. Many clients talk to them, and
// everything they send holds a planted value: names, numbers, addresses, notes, ids, queries,
// paths and cookies. So do the results, errors and headers of the tools, and the secrets in the
// environment. The command searches all output for these values, in many encodings (package
// internal/test/canary): standard error with its telemetry lines, spans, metrics, error
// answers and listings over HTTP, requests to the model servers, and in the end every file of
// the data folder. Only a client's own reply and the calls of the tools may hold a value.
//
//	go run ./scripts/canary -turns 200000
//
// It prints one JSON object and exits with 1 if it found a value.
package main
