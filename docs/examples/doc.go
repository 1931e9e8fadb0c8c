// Package examples holds programs that embed Slotway: tool has a Go function as a tool, service
// answers in an HTTP server of its own. TestTool and TestService build and run them.
package examples
