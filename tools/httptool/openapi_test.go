package httptool_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/httptool"
	_ "github.com/slotway/slotway/tools/httptool/openapi"
)

// openAPITool builds a tool of config's test documents as a program would, behind a
// registry that checks its input.
func openAPITool(t *testing.T, base string, lines ...string) *tools.Registry {
	t.Helper()
	agent, err := config.Parse("agent.yaml", []byte(`version: 1
intents:
  - id: look
    examples: [look it up, please look, look]
    plan:
      - confirm: Sure?
      - call: t
tools:
  t:
    kind: http
    url: "${BASE}/api"
    `+strings.Join(lines, "\n    ")+"\n"), "openapi/testdata")
	if err != nil {
		t.Fatal(err)
	}
	tool, err := httptool.New(agent.Tools["t"], environment(base), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := tools.New(nil)
	if err := r.Register(agent.Tools["t"], tool); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOpenAPI(t *testing.T) {
	type seen struct{ Request, Body, Source, Auth, Key, Type string }
	var got []seen
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, seen{
			r.Method + " " + r.RequestURI, string(body), r.Header.Get("X-Request-Source") + r.Header.Get("x-trace"),
			r.Header.Get("X-API-Key") + r.Header.Get("Authorization"), r.Header.Get("Idempotency-Key"), r.Header.Get("Content-Type"),
		})
		answerJSON(w, `{"order":{"status":"shipped"}}`)
	})
	const shop, bookings = "openapi: openapi/shop30.yaml", "openapi: openapi/bookings31.json"
	const json = "application/json"
	tests := []struct {
		name  string
		lines []string
		args  map[string]any
		want  seen
		value any
		fault string // instead, of the arguments
	}{
		{
			name: "a path parameter and a result", lines: []string{shop, "operation: getOrder", "result: order.status", `headers: {X-API-Key: "${TOKEN}"}`},
			args: map[string]any{"orderId": "O-1"}, want: seen{Request: "GET /api/orders/O-1", Auth: secret}, value: "shipped",
		},
		{
			name: "query lists repeat", lines: []string{shop, "operation: listOrders", `params: {api-version: "2"}`},
			args: map[string]any{"status": []any{"open", "shipped"}, "limit": nil}, want: seen{Request: "GET /api/orders?api-version=2&status=open&status=shipped"},
		},
		{
			name: "a body, a header and a key", lines: []string{shop, "operation: createOrder", "effect: write"},
			args: map[string]any{"X-Request-Source": "chat", "sku": "A", "quantity": 2.0, "note": nil, "gift": map[string]any{"wrap": "box"}},
			want: seen{Request: "POST /api/orders", Body: `{"gift":{"wrap":"box"},"quantity":2,"sku":"A"}`, Source: "chat", Key: "k", Type: json},
		},
		{
			name: "a body that may be absent", lines: []string{shop, "operation: cancelOrder", "effect: write"},
			args: map[string]any{"orderId": "O-1"}, want: seen{Request: "DELETE /api/orders/O-1", Key: "k"},
		},
		{
			name: "and is there", lines: []string{shop, "operation: cancelOrder", "effect: write"},
			args: map[string]any{"orderId": "O-1", "reason": "late"}, want: seen{Request: "DELETE /api/orders/O-1", Body: `{"reason":"late"}`, Key: "k", Type: json},
		},
		{
			name: "a list as the body", lines: []string{shop, "operation: putNote", "effect: write"},
			args: map[string]any{"orderId": "O-1", "body": []any{"a"}}, want: seen{Request: "PUT /api/orders/O-1/note", Body: `["a"]`, Key: "k", Type: json},
		},
		{
			name: "FastAPI", lines: []string{bookings, "operation: read_booking_bookings__booking_id__get", `headers: {authorization: "Bearer ${TOKEN}"}`},
			args: map[string]any{"booking_id": 7.0, "verbose": true, "x-trace": "abc"}, want: seen{Request: "GET /api/bookings/7?verbose=true", Source: "abc", Auth: "Bearer " + secret},
		},
		{
			name: "FastAPI's references", lines: []string{bookings, "operation: make_booking_bookings_post", "effect: write"},
			args: map[string]any{"guest": map[string]any{"name": "A", "with": []any{map[string]any{"name": "B"}}}, "nights": 1.0},
			want: seen{Request: "POST /api/bookings", Body: `{"guest":{"name":"A","with":[{"name":"B"}]},"nights":1}`, Key: "k", Type: json},
		},

		{name: "a missing one", lines: []string{shop, "operation: getOrder"}, fault: "argument orderId is missing"},
		{name: "a pattern", lines: []string{shop, "operation: getOrder"}, args: map[string]any{"orderId": value}, fault: "argument orderId does not satisfy pattern"},
		{name: "an unknown one", lines: []string{shop, "operation: getOrder"}, args: map[string]any{"orderId": "O-1", "x": "y"}, fault: "argument x is not known"},
		{
			name: "a bound of 3.0", lines: []string{shop, "operation: listOrders", `params: {api-version: "2"}`},
			args: map[string]any{"limit": 0.0}, fault: "argument limit does not satisfy exclusiveMinimum",
		},
		{
			name: "a reference", lines: []string{bookings, "operation: make_booking_bookings_post", "effect: write"},
			args: map[string]any{"guest": map[string]any{}, "nights": 1.0}, fault: "argument guest does not satisfy required",
		},
		{
			name: "a header of two lines", lines: []string{bookings, "operation: read_booking_bookings__booking_id__get"},
			args: map[string]any{"booking_id": 7.0, "x-trace": "a\r\nb: c"}, fault: "header parameter x-trace must be a line of text, a number or a boolean",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got = nil
			res, err := openAPITool(t, base, tt.lines...).Call(t.Context(), tools.Call{Tool: "t", Args: tt.args, IdempotencyKey: "k"})
			if tt.fault != "" {
				if want := "tool t: invalid_input: " + tt.fault; err == nil || err.Error() != want || len(got) > 0 {
					t.Errorf("error %v, want %s; sent %v", err, want, got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]seen{tt.want}, got); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
			if tt.value == nil {
				tt.value = map[string]any{"order": map[string]any{"status": "shipped"}}
			}
			if diff := cmp.Diff(tt.value, res.Value); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
		})
	}
}
