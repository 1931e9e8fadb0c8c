package runtimetest

import "net/http"

// mcpVersion is a version of the protocol that lets a client call a tool without a session.
const mcpVersion = "2026-07-28"

// MCPCall returns the body of a request to /mcp that calls a tool without a session. Its headers
// are those of [MCPHeaders].
func MCPCall(tool string, args map[string]any) map[string]any {
	return map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
		"name": tool, "arguments": args, "_meta": map[string]any{
			"io.modelcontextprotocol/protocolVersion": mcpVersion, "io.modelcontextprotocol/clientCapabilities": map[string]any{},
			"io.modelcontextprotocol/clientInfo": map[string]any{"name": "raw", "version": "1"},
		},
	}}
}

// MCPHeaders sets the headers of a request that calls a tool.
func MCPHeaders(h http.Header, tool string) {
	h.Set("Mcp-Protocol-Version", mcpVersion)
	h.Set("Mcp-Method", "tools/call")
	h.Set("Mcp-Name", tool)
}
