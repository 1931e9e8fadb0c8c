// Package prom counts what telemetry tells, for Prometheus.
//
// [Metrics] is a [telemetry.Sink] with a registry of its own and a handler that a scraper
// asks. Every metric of the program begins with slotway_; those of the Go runtime and of the
// process keep their usual names. grafana.json is a dashboard over them; a test holds the two
// together.
//
// The number of series is bounded whatever is said to the agent: a label's value is a name
// that the agent defines ([Names]), a word of a closed set, or an error code, of which each
// label takes the first 64. Anything else is "other", and a name that is missing is "none".
// No label can hold a param value or a text, because no event can.
package prom
