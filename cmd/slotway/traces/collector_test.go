package traces

import (
	"crypto/rand"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/router/telemetry"
)

// TestARealCollector sends a turn to the collector at SLOTWAY_TEST_OTLP_URL and looks for it
// in what its debug exporter writes to the file SLOTWAY_TEST_OTLP_LOG.
func TestARealCollector(t *testing.T) {
	endpoint, log := os.Getenv("SLOTWAY_TEST_OTLP_URL"), os.Getenv("SLOTWAY_TEST_OTLP_LOG")
	if endpoint == "" || log == "" {
		const why = "SLOTWAY_TEST_OTLP_URL and SLOTWAY_TEST_OTLP_LOG name no collector"
		if os.Getenv("SLOTWAY_REQUIRE_SERVICES") == "1" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	traces := open(t, Options{Endpoint: endpoint, AgentID: "shop", AgentName: "Shop"})
	interaction := "i-" + rand.Text()
	play(
		traces, interaction, parent, telemetry.Received{}, telemetry.Classify{Intent: "order_status", Tier: "linear"},
		telemetry.ToolCall{Tool: "get_order", Status: "error", ErrorCode: "not_found"}, telemetry.Respond{Outcome: "responded"},
	)
	closed(t, traces)
	if traces.Lost() > 0 {
		t.Errorf("%d spans are lost", traces.Lost())
	}
	wants := []string{
		interaction, "invoke_agent Shop", "execute_tool get_order", "gen_ai.operation.name: Str(invoke_agent)",
		"gen_ai.conversation.id: Str(s-1)", "gen_ai.tool.name: Str(get_order)", "error.type: Str(not_found)",
		"0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "slotway.intent: Str(order_status)",
	}
	var missing []string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		missing = nil
		_, ours, found := strings.Cut(around(string(text), interaction), "ResourceSpans #")
		for _, want := range wants {
			if !found || !strings.Contains(ours, want) {
				missing = append(missing, want)
			}
		}
		if len(missing) == 0 {
			return
		}
	}
	t.Errorf("the collector's log does not have %q", missing)
}

// around is the part of the log that tells of the request with this interaction: the collector
// begins each with ResourceSpans #0.
func around(log, interaction string) string {
	at := strings.Index(log, interaction)
	if at < 0 {
		return ""
	}
	begin := max(0, strings.LastIndex(log[:at], "ResourceSpans #0"))
	end := strings.Index(log[at:], "ResourceSpans #0")
	if end < 0 {
		return log[begin:]
	}
	return log[begin : at+end]
}
