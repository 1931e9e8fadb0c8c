package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/tools"
)

// sayings reads a list of messages, one a line; lines with a # are notes.
func sayings(t *testing.T, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if line := lines.Text(); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	if err := lines.Err(); err != nil || len(list) == 0 {
		t.Fatalf("%s: %d messages, %v", file, len(list), err)
	}
	return list
}

// toolFunc is a tool of a test.
type toolFunc func(tools.Call) any

// Call gives what the function does.
func (f toolFunc) Call(_ context.Context, call tools.Call) (any, error) { return f(call), nil }

// A write is made after an everyday yes, and after nothing that only has a yes in it: what
// people say to "Cancel order O-12345?" as the default agent hears it, with the classifier
// it is shipped with.
func TestWhatIsAYes(t *testing.T) {
	order := toolFunc(func(call tools.Call) any {
		return map[string]any{"id": call.Args["order_id"], "item": "wool blanket", "status": "pending", "eta": "Friday", "total": 1.0}
	})
	cancelled := 0
	a, err := newApp(t.Context(), &flags{data: t.TempDir(), set: []string{"memory.storage=inmem", "telemetry.log=none"}}, slotway.Options{NoHTTP: true, Tools: map[string]tools.Tool{
		"get_order": order, "order_exists": order,
		"cancel_order": toolFunc(func(tools.Call) any { cancelled++; return 1.0 }),
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, tc := range []struct {
		file string
		want int
	}{{"testdata/yes/yes.txt", 1}, {"testdata/yes/not.txt", 0}} {
		for i, said := range sayings(t, tc.file) {
			t.Run(said, func(t *testing.T) {
				in := router.Context{SessionID: fmt.Sprint(tc.want, "-", i), UserID: "ann"}
				asked, err := a.Router().Handle(t.Context(), router.Interaction{Text: "cancel order O-12345", Context: in})
				if err != nil || asked.Confirming == nil {
					t.Fatalf("%+v, %v", asked, err)
				}
				cancelled = 0
				reply, err := a.Router().Handle(t.Context(), router.Interaction{Text: said, Context: in})
				if err != nil || cancelled != tc.want {
					t.Errorf("%d orders were cancelled, want %d: %q, %v", cancelled, tc.want, reply.Reply, err)
				}
				if reply.Reply == "" {
					t.Error("no answer")
				}
			})
		}
	}
}

// A yes that comes with a correction goes the correction's way: the question is put anew,
// about the new value, and only a yes to that is one.
func TestAYesWithACorrection(t *testing.T) {
	var done []string
	order := toolFunc(func(call tools.Call) any {
		return map[string]any{"id": call.Args["order_id"], "item": "blanket", "status": "pending", "eta": "Friday", "total": 1.0}
	})
	a, err := newApp(t.Context(), &flags{data: t.TempDir(), set: []string{"memory.storage=inmem", "telemetry.log=none"}}, slotway.Options{NoHTTP: true, Tools: map[string]tools.Tool{
		"get_order": order, "order_exists": order,
		"cancel_order": toolFunc(func(call tools.Call) any { done = append(done, fmt.Sprint(call.Args["order_id"])); return 1.0 }),
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for i, said := range []string{
		"yes, but O-20112", "yes but make it O-20112", "yes O-20112", "yes, cancel O-20112", "ok, O-20112 instead", "sure, i meant O-20112",
		"yes please, O-20112", "correct, but the number is O-20112",
	} {
		t.Run(said, func(t *testing.T) {
			done = nil
			in := router.Context{SessionID: fmt.Sprint(i), UserID: "ann"}
			var reply router.Reply
			for _, text := range []string{"cancel order O-12345", said, "yes"} {
				if reply, err = a.Router().Handle(t.Context(), router.Interaction{Text: text, Context: in}); err != nil {
					t.Fatal(err)
				}
				if text != "yes" && (len(done) > 0 || reply.Confirming == nil) {
					t.Fatalf("behind %q: cancelled %q, reply %q", text, done, reply.Reply)
				}
			}
			if want := []string{"O-20112"}; !slices.Equal(done, want) {
				t.Errorf("cancelled %q, want %q; the reply is %q", done, want, reply.Reply)
			}
		})
	}
}
