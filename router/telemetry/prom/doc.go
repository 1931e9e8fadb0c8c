// Package prom turns telemetry into Prometheus metrics.
//
// [Metrics] is a [telemetry.Sink] with its own registry and a handler for scrapers. Every metric of the
// program begins with slotway_; those of the Go runtime and of the process keep their usual names.
// grafana.json is a dashboard of them; a test compares the two.
//
// The number of series is bounded whatever users say: the value of a label is a name from the agent's
// definition ([Names]), a word of a closed set, or an error code, of which each label takes the first
// 64. Any other value is "other", and a missing name is "none". No label can hold a param value or a
// text, because no event can.
package prom
