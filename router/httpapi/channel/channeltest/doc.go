// Package channeltest stands for the platforms behind channels: servers that take what is sent as
// the real ones do, and signed requests as the real ones deliver them.
//
// Each platform numbers its people from 1. A person has one conversation with the agent.
package channeltest
