// Command tool runs an agent whose tool is a Go function.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/tools"
)

type request struct {
	Day string `json:"day"`
}

type appointment struct {
	Day  string `json:"day"`
	Time string `json:"time"`
}

// book asks the calendar for a time. A key that came before is the same booking: the message was
// delivered twice, or the process died before it could answer.
func book(ctx context.Context, r request) (appointment, error) {
	if r.Day == "wednesday" {
		return appointment{}, &tools.Error{Code: tools.NotFound, Detail: "fully booked"}
	}
	log.Print("booked under ", slotway.IdempotencyKey(ctx) != "")
	return appointment{r.Day, "10:30"}, nil
}

func main() {
	ctx := context.Background()
	rt, err := slotway.Open(ctx, os.Args[1], &slotway.Options{Set: map[string]string{"memory.storage": "inmem"}})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	if err := slotway.RegisterTool(rt, "book", book); err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"I need an appointment", "tuesday", "yes"} {
		reply, err := rt.Handle(ctx, slotway.Interaction{Text: text, Context: slotway.Context{SessionID: "ann"}})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("> %s\n%s\n", text, reply.Reply)
	}
}
