// Command canary looks for values that slotway must not let out.
//
// It starts real `slotway serve` processes, with their memory encrypted, and lets many people
// talk to them whose every name, number, address and note holds a planted value; so do the
// tools' results, their errors and headers, the clients' ids, queries, paths and cookies, and
// the secrets in the environment. Everything that comes out is searched in many encodings
// (package router/telemetry/canary): each telemetry line and whatever else is on stderr, the
// spans, the metrics, every HTTP answer that is an error or a listing, what the model servers
// are asked, and at the end each file of the data folder. Only a person's own reply, and the
// tools that are meant to get the values, may hold one.
//
//	go run ./scripts/canary -turns 200000
//
// prints one JSON object and exits with 1 if anything was found.
package main
