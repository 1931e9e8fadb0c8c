package prom_test

import (
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/router/telemetry/prom"
)

func Example() {
	metrics := prom.New(&prom.Options{Names: prom.Names{Intents: []string{"order_status"}}})
	for _, intent := range []string{"order_status", "order_status", "nobody_defined_this"} {
		metrics.Record(telemetry.Event{InteractionID: "i-1", Payload: telemetry.Classify{Intent: intent, Tier: "linear"}})
	}
	scrape := httptest.NewRecorder()
	metrics.Handler().ServeHTTP(scrape, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(scrape.Body.String()) {
		if strings.HasPrefix(line, "slotway_intents_total") {
			fmt.Print(line)
		}
	}
	// Output:
	// slotway_intents_total{intent="order_status"} 2
	// slotway_intents_total{intent="other"} 1
}
