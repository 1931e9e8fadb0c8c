// Package breaker saves callers the wait for a server that has failed several times in a row (M.
// Nygard, Release It!, "Circuit Breaker"). After those failures the breaker is open: it allows no
// call until a pause is over. Then it allows one call, a probe, whose outcome closes or opens it
// again. The states are those of github.com/failsafe-go/failsafe-go/circuitbreaker, which knows
// success and failure only. This package adds calls that their caller gave up: they tell nothing
// about the server, so they neither count nor end the probe.
package breaker
