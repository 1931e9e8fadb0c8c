package openapi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/source"
	"golang.org/x/tools/txtar"
)

// openAPIAgent declares one tool, t, from the lines that describe it.
func openAPIAgent(lines ...string) []byte {
	return []byte(`version: 1
intents:
  - id: look
    examples: [look it up, please look, look]
    plan:
      - confirm: Sure?
      - call: t
tools:
  t:
    kind: http
    ` + strings.Join(lines, "\n    ") + "\n")
}

// derived is what a document says of a tool.
type derived struct {
	Method, URL, Describe string
	Effect                config.Effect
	Retries               int
	Params, Header        map[string]expr.Arg
	Body                  any
	BodyParams            []string
	BodyRequired          bool
	Input                 string
}

func arg(name string) expr.Arg { return expr.Arg{Ref: []string{name}} }

func TestOpenAPITools(t *testing.T) {
	shop := "openapi: openapi/shop30.yaml"
	orderID := `"orderId":{"pattern":"^O-[0-9]+$","type":"string"}`
	tests := []struct {
		name  string
		lines []string
		want  derived
	}{
		{"read by id", []string{shop, "operation: getOrder"}, derived{
			Method: "GET", URL: "https://eu.shop.example/v1/orders/{orderId}", Effect: config.EffectRead, Retries: 2, Describe: "One order with its lines",
			Input: `{"additionalProperties":false,"properties":{` + orderID + `},"required":["orderId"],"type":"object"}`,
		}},
		{"by method and path, base and effect said", []string{shop, `operation: GET /orders/{orderId}`, `url: "${BASE}/v2/?region=eu"`, "effect: write", "description: mine"}, derived{
			Method: "GET", URL: "${BASE}/v2/orders/{orderId}?region=eu", Effect: config.EffectWrite, Describe: "mine",
			Input: `{"additionalProperties":false,"properties":{` + orderID + `},"required":["orderId"],"type":"object"}`,
		}},
		{"query, one given", []string{shop, "operation: listOrders", `params: {api-version: "2"}`}, derived{
			Method: "GET", URL: "https://eu.shop.example/v1/orders", Effect: config.EffectRead, Retries: 2, Describe: "List orders",
			Params: map[string]expr.Arg{"api-version": {Literal: "2"}, "status": arg("status"), "limit": arg("limit")},
			Input: `{"$defs":{"Status":{"enum":["open","shipped"],"type":"string"}},"additionalProperties":false,"properties":{` +
				`"limit":{"exclusiveMinimum":0,"format":"int32","maximum":100,"type":"integer"},"status":{"items":{"$ref":"#/$defs/Status"},"type":"array"}},"type":"object"}`,
		}},
		{"body of parts, header, another file", []string{shop, "operation: createOrder", "effect: write", "idempotent: true"}, derived{
			Method: "POST", URL: "https://eu.shop.example/v1/orders", Effect: config.EffectWrite, Retries: 2,
			Header:     map[string]expr.Arg{"X-Request-Source": arg("X-Request-Source")},
			BodyParams: []string{"gift", "note", "quantity", "sku"}, BodyRequired: true,
			Input: `{"$defs":{"shared_gift_Gift":{"properties":{"next":{"$ref":"#/$defs/shared_gift_Gift"},"to":{"type":"string"},"wrap":{"$ref":"#/$defs/shared_gift_Wrap"}},"type":"object"},` +
				`"shared_gift_Wrap":{"enum":["paper","box"],"type":"string"}},"additionalProperties":false,"properties":{` +
				`"X-Request-Source":{"enum":["chat","web"],"type":"string"},"gift":{"$ref":"#/$defs/shared_gift_Gift"},"note":{"anyOf":[{"type":"string"},{"type":"null"}]},` +
				`"quantity":{"minimum":1,"type":"integer"},"sku":{"type":"string"}},"required":["X-Request-Source","quantity","sku"],"type":"object"}`,
		}},
		{"body that may be absent", []string{shop, "operation: cancelOrder", "effect: write"}, derived{
			Method: "DELETE", URL: "https://eu.shop.example/v1/orders/{orderId}", Effect: config.EffectWrite, BodyParams: []string{"reason"},
			Input: `{"additionalProperties":false,"properties":{` + orderID + `,"reason":{"type":"string"}},"required":["orderId"],"type":"object"}`,
		}},
		{"body that is no object", []string{shop, "operation: putNote", "effect: write"}, derived{
			Method: "PUT", URL: "https://eu.shop.example/v1/orders/{orderId}/note", Effect: config.EffectWrite, Body: arg("body"), BodyRequired: true,
			Input: `{"additionalProperties":false,"properties":{"body":{"items":{"type":"string"},"type":"array"},` + orderID + `},"required":["body","orderId"],"type":"object"}`,
		}},
		{"3.1 as FastAPI writes it", []string{"openapi: openapi/bookings31.json", "operation: make_booking_bookings_post", `url: "${BOOKINGS}"`, "effect: write"}, derived{
			Method: "POST", URL: "${BOOKINGS}/bookings", Effect: config.EffectWrite, Describe: "Make Booking",
			BodyParams: []string{"guest", "nights", "room"}, BodyRequired: true,
			Input: `{"$defs":{"Guest":{"properties":{"name":{"type":"string"},"with":{"items":{"$ref":"#/$defs/Guest"},"type":"array"}},"required":["name"],"title":"Guest","type":"object"}},` +
				`"additionalProperties":false,"properties":{"guest":{"$ref":"#/$defs/Guest"},"nights":{"exclusiveMinimum":0,"title":"Nights","type":"integer"},` +
				`"room":{"anyOf":[{"const":"single"},{"const":"double"},{"type":"null"}],"title":"Room"}},"required":["guest","nights"],"type":"object"}`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := config.Parse("agent.yaml", openAPIAgent(tt.lines...), "testdata")
			if err != nil {
				t.Fatal(err)
			}
			tool := a.Tools["t"]
			input, err := json.Marshal(tool.Input)
			if err != nil {
				t.Fatal(err)
			}
			got := derived{
				Method: tool.Method, URL: tool.URL, Describe: tool.Describe, Effect: tool.Effect, Retries: tool.Retries, Params: tool.Params,
				Header: tool.HeaderParams, Body: tool.Body, BodyParams: tool.BodyParams, BodyRequired: tool.BodyRequired, Input: string(input),
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("tool (-want +got):\n%s", diff)
			}
		})
	}
}

// The document is part of the definition: what it says decides what conversations do.
func TestOpenAPIChangesTheHash(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile("testdata/openapi/bookings31.json")
	if err != nil {
		t.Fatal(err)
	}
	hash := func(text string) string {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "d.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := config.Parse("agent.yaml", openAPIAgent("openapi: d.json", "operation: make_booking_bookings_post", "effect: write", "url: https://a.example"), dir)
		if err != nil {
			t.Fatal(err)
		}
		return a.Hash
	}
	before := hash(string(text))
	if before != hash(string(text)) || before == hash(strings.Replace(string(text), `"nights"]`, `"nights", "room"]`, 1)) {
		t.Error("the hash does not follow the document")
	}
}

// A document must not name variables of the environment, nor be reached outside the folder.
func TestOpenAPIDocumentIsNotTrusted(t *testing.T) {
	dir := t.TempDir()
	write := func(server, path, params string) {
		t.Helper()
		document := `{"openapi":"3.1.0","info":{"title":"x","version":"1"},"servers":[{"url":"` + server + `"}],
			"paths":{"` + path + `":{"get":{"operationId":"o","parameters":[` + params + `],"responses":{}}}}}`
		if err := os.WriteFile(filepath.Join(dir, "d.json"), []byte(document), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	agent := openAPIAgent("openapi: d.json", "operation: o")
	write("https://a.example/${HOME}", "/x", "")
	if _, err := config.Parse("agent.yaml", agent, dir); err == nil || !strings.Contains(err.Error(), "does not say where the service is") {
		t.Errorf("a variable in a server: %v", err)
	}
	write("https://a.example", "/x${SECRET}", `{"name":"SECRET","in":"path","required":true,"schema":{"type":"string"}}`)
	a, err := config.Parse("agent.yaml", agent, dir)
	if err != nil {
		t.Fatal(err)
	}
	at, err := source.Expand(a.Tools["t"].URL, func(name string) (string, bool) {
		t.Errorf("asked for %s", name)
		return "", false
	})
	if at != "https://a.example/x${SECRET}" || err != nil {
		t.Errorf("URL %q, %v", at, err)
	}
	inside := filepath.Join(dir, "agent")
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "d.json"), filepath.Join(inside, "link.json")); err != nil {
		t.Skip(err)
	}
	if _, err := config.Parse("agent.yaml", openAPIAgent("openapi: link.json", "operation: o"), inside); err == nil {
		t.Error("a link out of the folder was followed")
	}
}

// TestProblems holds the problems of documents to what they were.
func TestProblems(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, path := range []string{"broken.txtar", "lint.txtar"} {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		agent := archive.Files[0]
		if err := os.WriteFile(agent.Name, agent.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, problems := config.Examine(agent.Name)
		if diff := cmp.Diff(string(archive.Files[1].Data), problems.Error()+"\n"); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func FuzzOpenAPI(f *testing.F) {
	for _, name := range []string{"shop30.yaml", "bookings31.json", "old.yaml", "broken.yaml", "remote.yaml"} {
		text, err := os.ReadFile(filepath.Join("testdata/openapi", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, s := range []string{`{"openapi":"3.0.0"}`, `{"openapi":"3.1.0","paths":null}`, `{"openapi":"3.1.0","paths":{"/a":null}}`, `{"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"o","parameters":[null],"requestBody":{"content":{"application/json":null}}}}}}`} {
		f.Add([]byte(s))
	}
	agent := openAPIAgent("openapi: d.yaml", "operation: o", "effect: write")
	dir := f.TempDir()
	path := filepath.Join(dir, "agent.yaml")
	if err := os.WriteFile(path, agent, 0o600); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(filepath.Join(dir, "d.yaml"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, problems := config.Examine(path)
		for _, p := range problems {
			if p.Message == "" || p.Hint == "" || strings.Contains(p.String(), "\n") {
				t.Errorf("problem %q", p.String())
			}
		}
	})
}
