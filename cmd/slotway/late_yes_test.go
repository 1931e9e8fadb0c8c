package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/runtimetest"
	"golang.org/x/term"
)

// onScreen is a terminal chat with a place, and what it has printed since it was last read.
func onScreen(at chatBackend, session string) (c *console, screen func() string) {
	var out bytes.Buffer
	c = &console{chatSession: &chatSession{chatFlags: &chatFlags{session: session}, backend: at}}
	c.screen = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{strings.NewReader(""), &out}, "")
	return c, func() string {
		defer out.Reset()
		return out.String()
	}
}

// TestTheLateYesOfATerminal: the terminal sends which reply a line answers, shows how the
// conversation went on elsewhere, and repeats nothing by itself.
func TestTheLateYesOfATerminal(t *testing.T) {
	for _, name := range []string{"here", "over HTTP"} {
		t.Run(name, func(t *testing.T) {
			shop := runtimetest.OpenShop(t)
			var at chatBackend = &localBackend{app: shop.Runtime.Runtime, user: "local"}
			if name != "here" {
				remote, err := (&chatFlags{url: shop.URL}).remoteBackend(newChat(&flags{}))
				if err != nil {
					t.Fatal(err)
				}
				at = remote
			}
			c, screen := onScreen(at, "c1")
			line := func(text, want string) {
				t.Helper()
				if err := c.line(t.Context(), text); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				if got := screen(); !strings.Contains(got, want) {
					t.Errorf("%s: %q, want %q in it", text, got, want)
				}
			}
			if err := c.showEnd(t.Context()); err != nil || screen() != "" || c.afterTurn == nil || *c.afterTurn != 0 {
				t.Errorf("a session that is not there yet: %v, %v", c.afterTurn, err)
			}
			line("cancel order O-12345", "Cancel order O-12345")
			shop.OtherTab("c1", 1)
			line("yes", "! The conversation went on elsewhere, and this was not said.")
			shop.WantCancelled()
			line("yes", "")
			shop.WantCancelled("O-20112")

			other, read := onScreen(at, "c2")
			if err := other.line(t.Context(), "/load c1"); err != nil {
				t.Error(err)
			}
			if got := read(); !strings.Contains(got, "agent Done: order ") {
				t.Errorf("what was said last is not shown: %q", got)
			}
			line("cancel order O-20223", "Cancel order O-20223")
			line("/undo", "turn 5 is undone")
			if err := other.line(t.Context(), "yes"); err != nil { // it has seen how the conversation stands again
				t.Error(err)
			}
			line("/clear", "cleared")
			if err := other.line(t.Context(), "yes"); err != nil || !strings.Contains(read(), "it was cleared or erased") {
				t.Errorf("after a clear elsewhere: %v", err)
			}
			line("/forget", "erased")
			line("how much is shipping", "Shipping")
			shop.WantCancelled("O-20112")
		})
	}
}

// TestTheLateYesOfAPipe: lines of a pipe may be older than the replies. Once the conversation went
// on elsewhere, none of them is sent.
func TestTheLateYesOfAPipe(t *testing.T) {
	shop := runtimetest.OpenShop(t)
	in, lines := io.Pipe()
	replies, out := io.Pipe()
	var stderr bytes.Buffer
	done := make(chan error, 1)
	p := &chatSession{chatFlags: &chatFlags{session: "c1", json: true}, backend: &localBackend{app: shop.Runtime.Runtime, user: "local"}}
	go func() {
		err := p.lines(t.Context(), in, out, &stderr)
		out.Close()
		done <- err
	}()
	answers := json.NewDecoder(replies)
	say := func(text string) (reply struct {
		Reply string
		Error *string
	},
	) {
		fmt.Fprintln(lines, text)
		if err := answers.Decode(&reply); err != nil {
			t.Fatal(err)
		}
		return reply
	}
	if got := say("cancel order O-12345"); !strings.HasPrefix(got.Reply, "Cancel order O-12345") {
		t.Fatalf("%+v", got)
	}
	shop.OtherTab("c1", 1)
	for _, text := range []string{"yes", "yes"} {
		if got := say(text); got.Error == nil || *got.Error != "moved_on" {
			t.Errorf("%+v", got)
		}
	}
	lines.Close()
	if err := <-done; err == nil {
		t.Error("it ends as if nothing had been wrong")
	}
	shop.WantCancelled()
}
