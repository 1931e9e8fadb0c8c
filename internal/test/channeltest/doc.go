// Package channeltest has fakes of the platforms behind channels: servers that take messages as the real
// ones do, and signed requests as the real ones deliver them.
//
// Each platform numbers its people from 1. A person has one conversation with the agent.
package channeltest
