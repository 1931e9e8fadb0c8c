package telemetry_test

import (
	"fmt"
	"os"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router/telemetry"
)

func ExampleLog() {
	log := telemetry.NewLog(os.Stdout, telemetry.LevelInfo)
	log.Record(telemetry.Event{
		Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), SessionID: "s-1", Turn: 1, InteractionID: "i-1",
		Duration: 40 * time.Microsecond,
		Payload:  telemetry.AskUser{Param: "order_id", Kind: "ask", Attempt: 1, WaitingForParam: "order_id"},
	})
	// Output:
	// {"level":"info","time":"2026-03-01T12:00:00.000000Z","stage":"ask_user","session_id":"s-1","turn":1,"interaction_id":"i-1","duration_us":40,"payload":{"param":"order_id","kind":"ask","attempt":1,"waiting_for_param":"order_id"}}
}

func ExampleScrub() {
	values := telemetry.Values(map[string]any{"email": "jane@example.org"})
	fmt.Println(telemetry.Scrub(`Get "https://shop.test/orders?user=jane%40example.org": EOF`, values))
	// Output: Get "https://shop.test/orders?user=[redacted]": EOF
}

func ExampleRedactor() {
	agent := &config.Agent{Redaction: config.Redaction{Params: []string{"order_id"}, Patterns: []string{"email"}}}
	mask := telemetry.NewRedactor(agent)
	params := map[string]any{"order_id": "O-12345", "city": "Bonn"}
	fmt.Println(mask.MaskText("Order O-12345 goes to Bonn; mail to jane@example.org.", params))
	fmt.Println(mask.MaskParams(params))
	// Output:
	// Order {order_id} goes to Bonn; mail to {email}.
	// map[city:Bonn order_id:{order_id}]
}
