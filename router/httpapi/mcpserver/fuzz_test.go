package mcpserver

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// FuzzArguments: the arguments of a tool call are one object that the schema knows, or the
// call is refused.
func FuzzArguments(f *testing.F) {
	for _, s := range []string{
		``, `{}`, `{"message":"hi"}`, `{"message":1e999}`, `{"x":1}`, `{}{}`, `null`, "\xff", `[[[[[[`, `{"__proto__":{}}`,
		`{"jsonrpc":"2.0","method":"tools/call"}`, `[{"jsonrpc":"2.0"}]`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var in struct {
			Message string `json:"message"`
		}
		err := readArgs(&mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: raw}}, &in)
		if err == nil && len(raw) > 0 && !json.Valid(raw) {
			t.Errorf("%q is taken for arguments", raw)
		}
	})
}
