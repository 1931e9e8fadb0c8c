package slotway_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router/httpapi/channel"
)

// A conversation with the embedded agent. The second message has the ID of the first: it is the
// same one, delivered twice.
func ExampleOpen() {
	ctx := context.Background()
	rt, err := slotway.Open(ctx, "", &slotway.Options{Set: map[string]string{"memory.storage": "inmem"}})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	for _, m := range []struct{ id, text string }{{"1", "cancel my order"}, {"1", "cancel my order"}, {"2", "O-12345"}, {"3", "yes"}} {
		reply, err := rt.Handle(ctx, slotway.Interaction{ID: m.id, Text: m.text, Context: slotway.Context{SessionID: "ann"}})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(reply.Turn, reply.Reply)
	}
	// Output:
	// 1 What's your order number?
	// 1 What's your order number?
	// 2 Cancel order O-12345, wool blanket? This can't be undone.
	// 3 Done: order O-12345 is cancelled.
}

// A tool that is a Go function.
func ExampleRegisterTool() {
	ctx := context.Background()
	rt, err := slotway.Open(ctx, "docs/examples/tool/clinic.yaml", &slotway.Options{Set: map[string]string{"memory.storage": "inmem"}})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	type request struct {
		Day string `json:"day"`
	}
	type appointment struct {
		Day  string `json:"day"`
		Time string `json:"time"`
	}
	err = slotway.RegisterTool(rt, "book", func(_ context.Context, r request) (appointment, error) {
		return appointment{r.Day, "10:30"}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"an appointment on tuesday please", "yes"} {
		reply, err := rt.Handle(ctx, slotway.Interaction{Text: text, Context: slotway.Context{SessionID: "ann"}})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(reply.Reply)
	}
	// Output:
	// Book an appointment on tuesday?
	// See you on tuesday at 10:30.
}

// The agent in a server of one's own.
func ExampleRuntime_Handler() {
	rt, err := slotway.Open(context.Background(), "", &slotway.Options{Set: map[string]string{"memory.storage": "inmem", "telemetry.log": "none"}})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	server := httptest.NewServer(rt.Handler()) // on a loopback address: elsewhere it wants keys
	defer server.Close()
	res, err := server.Client().Post(server.URL+"/chat", "application/json", strings.NewReader(`{"message": "where is my order?"}`))
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	fmt.Println(res.Status, res.Header.Get("X-Conversation-Id") != "")
	// Output: 200 OK true
}

// audited is a store of one's own: it counts what another one is given to keep.
type audited struct {
	memory.Backend

	commits int
}

func (a *audited) Commit(ctx context.Context, d *memory.Delta) error {
	a.commits++
	return a.Backend.Commit(ctx, d)
}

// A store of one's own: internal/test/storetest holds one to what the runtime expects.
func ExampleOptions_store() {
	ctx := context.Background()
	store := &audited{Backend: inmem.New(nil)}
	rt, err := slotway.Open(ctx, "", &slotway.Options{Store: store})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	before := store.commits
	if _, err := rt.Handle(ctx, slotway.Interaction{Text: "hello", Context: slotway.Context{SessionID: "ann"}}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(store.commits-before, "commit")
	// Output: 1 commit
}

// keyword understands one word.
type keyword struct{ word, intent string }

// Classify implements classifier.Classifier.
func (k keyword) Classify(_ context.Context, in classifier.Input) (message.Result, error) {
	if !strings.Contains(in.Text, k.word) {
		return message.Result{}, nil
	}
	return message.Result{Intent: k.intent, Confidence: 1, Ranking: []message.Score{{Intent: k.intent, Confidence: 1}}}, nil
}

// A classifier of one's own.
func ExampleOptions_classifier() {
	ctx := context.Background()
	rt, err := slotway.Open(ctx, "", &slotway.Options{
		Set: map[string]string{"memory.storage": "inmem"},
		Classifier: func(context.Context, *config.Agent) (classifier.Classifier, error) {
			return keyword{"parcel", "order_status"}, nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	reply, err := rt.Handle(ctx, slotway.Interaction{Text: "parcel?", Context: slotway.Context{SessionID: "ann"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Intent, reply.Reply)
	// Output: order_status What's your order number?
}

// pager is a platform of one's own: a program that posts texts, and shows what it gets.
type pager struct{ shows chan string }

// Traits implements channel.Channel.
func (p pager) Traits() channel.Traits {
	return channel.Traits{Name: "pager", MaxText: 1000, PerSecond: 10}
}

// Verify implements channel.Channel.
func (p pager) Verify(r *http.Request, _ []byte, _ time.Time) error {
	if r.Header.Get("Authorization") != "Bearer pager-secret" {
		return errors.New("not from the pager")
	}
	return nil
}

// Parse implements channel.Channel.
func (p pager) Parse(r *http.Request, body []byte) (channel.Delivery, error) {
	from := channel.Address{User: "ann", Conversation: "7"}
	return channel.Delivery{Events: []channel.Event{{ID: r.Header.Get("Page-Id"), From: from, Text: string(body)}}}, nil
}

// Acknowledge implements channel.Channel.
func (p pager) Acknowledge(w http.ResponseWriter, _ *channel.Delivery) {
	w.WriteHeader(http.StatusNoContent)
}

// Send implements channel.Channel.
func (p pager) Send(_ context.Context, to channel.Address, m *channel.Message) error {
	p.shows <- to.User + ": " + m.Text
	return nil
}

// A channel of one's own. A message is stored before it is acknowledged, and its reply before it is sent.
func ExampleOptions_channel() {
	page := pager{make(chan string, 1)}
	rt, err := slotway.Open(context.Background(), "", &slotway.Options{
		Set: map[string]string{"memory.storage": "inmem", "telemetry.log": "none"}, Channels: []channel.Channel{page},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	server := httptest.NewServer(rt.Handler())
	defer server.Close()
	req, err := http.NewRequest(http.MethodPost, server.URL+"/channels/pager", strings.NewReader("where is my order?"))
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer pager-secret")
	req.Header.Set("Page-Id", "1")
	res, err := server.Client().Do(req)
	if err != nil {
		log.Fatal(err)
	}
	res.Body.Close()
	fmt.Println(res.StatusCode)
	fmt.Println(<-page.shows)
	// Output:
	// 204
	// ann: What's your order number?
}
