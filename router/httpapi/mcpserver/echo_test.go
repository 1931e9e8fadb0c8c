package mcpserver_test

import (
	"net/http"
	"strings"
	"testing"
)

// A refusal does not repeat what the request said: answers that are errors are kept by proxies.
func TestRefusalsDoNotEcho(t *testing.T) {
	url := listen(t, newShop(t, nil))
	session := open(t, url, "ana")
	const said = "O-90417 \\\" quixotl"
	for name, body := range map[string]string{
		"a method":    `{"jsonrpc":"2.0","id":1,"method":"` + said + `","params":{}}`,
		"not JSON":    said,
		"no protocol": `{"jsonrpc":"` + said + `","id":1,"method":"ping"}`,
	} {
		for _, headers := range [][]string{nil, {"Mcp-Session-Id", session}, {"Mcp-Session-Id", "quixotl"}} {
			res, text := send(t, url, "ana", http.MethodPost, body, headers...)
			if res.StatusCode < http.StatusBadRequest {
				t.Errorf("%s with %v is taken: %s", name, headers, res.Status)
			}
			if strings.Contains(text, "quixotl") || strings.Contains(text, "90417") {
				t.Errorf("%s with %v is repeated: %s", name, headers, text)
			}
			if len(text) < len("bad request") {
				t.Errorf("%s with %v: the answer %q says nothing", name, headers, text)
			}
		}
	}
}
