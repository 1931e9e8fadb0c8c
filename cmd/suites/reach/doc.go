// Package reach tests how people reach an agent: through messaging platforms, which the fakes of
// channeltest stand for.
package reach
