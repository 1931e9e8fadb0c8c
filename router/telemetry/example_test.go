package telemetry_test

import (
	"context"
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

func ExampleRecent_Follow() {
	recent := telemetry.NewRecent(nil)
	follower, err := recent.Follow("ana", "s-1")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer follower.Stop()
	for _, user := range []string{"ana", "bob"} { // the same session id, but not the same session
		recent.Record(telemetry.Event{
			UserID: user, SessionID: "s-1", Turn: 1, InteractionID: "i-1", Payload: telemetry.Confirm{Tool: "cancel_order", Attempt: 1},
		})
	}
	events, lost, err := follower.Next(context.Background())
	fmt.Println(len(events), lost, err)
	fmt.Println(string(telemetry.AppendLine(nil, events[0])))
	// Output:
	// 1 0 <nil>
	// {"level":"info","time":"0001-01-01T00:00:00.000000Z","stage":"confirm","session_id":"s-1","turn":1,"interaction_id":"i-1","duration_us":0,"payload":{"tool":"cancel_order","step_id":null,"attempt":1}}
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
