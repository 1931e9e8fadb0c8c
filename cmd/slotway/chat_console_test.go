package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"one two three", 7, "one two\nthree"},
		{"one two three", 13, "one two three"},
		{"one two three", 0, "one two three"},
		{"  one two three", 9, "  one two\n  three"},
		{"see https://example.com/a/long/path now", 10, "see\nhttps://example.com/a/long/path\nnow"},
		{"a  b\nlong line here", 9, "a  b\nlong line\nhere"},
		{"日本 日本", 5, "日本\n日本"},
		{"", 5, ""},
	} {
		if got := wrap(c.text, c.columns); got != c.want {
			t.Errorf("%q in %d columns: %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}

// fixed is a backend with two sessions, whose reply offers two answers and waits for a yes.
type fixed struct {
	chatBackend
	said []string
}

func (f *fixed) send(_ context.Context, session, text string, _ *int64) (router.Reply, error) {
	f.said = append(f.said, text)
	return router.Reply{SessionID: session, Turn: 1, Reply: "This or that?", Options: []planner.Suggestion{{Title: "This", Text: "this one"}, {Title: "That", Text: "that one"}}}, nil
}

func (*fixed) sessions(context.Context) ([]memory.Info, error) {
	return []memory.Info{{Key: memory.Key{SessionID: "monday"}, UpdatedAt: time.Unix(0, 0)}, {Key: memory.Key{SessionID: "monkey"}}}, nil
}

func (*fixed) state(context.Context, string) (sessionStatus, error) {
	return sessionStatus{Confirming: "cancel_order", LastIntent: "cancel_order", Turns: 2}, nil
}

// TestConsole: what Tab completes, and the commands for offered answers and the state.
func TestConsole(t *testing.T) {
	var screen bytes.Buffer
	backend := &fixed{}
	c := &console{chatSession: &chatSession{chatFlags: &chatFlags{session: "s"}, backend: backend}, screen: &screen}
	tab := func(line, want, listed string) {
		t.Helper()
		screen.Reset()
		got, _ := c.complete(t.Context(), line)
		if got != want || strings.TrimSpace(screen.String()) != listed {
			t.Errorf("Tab after %q: %q, listed %q; want %q, listed %q", line, got, screen.String(), want, listed)
		}
	}
	line := func(text, want string) {
		t.Helper()
		screen.Reset()
		err := c.line(t.Context(), text)
		got := screen.String()
		if err != nil {
			got = "! " + err.Error()
		}
		if strings.TrimRight(got, "\n") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	tab("/hi", "/history", "")
	tab("/h", "/h", "/history  /help")
	tab("/lo", "/load ", "")
	tab("/load mo", "/load mon", "")
	tab("/load mon", "/load mon", "monday  monkey")
	tab("/load mond", "/load monday", "")
	tab("/nothing", "/nothing", "")
	tab("th", "th", "")
	line("/options", "! the last reply offers no answers to choose from")
	line("/optoins", "! no command /optoins; did you mean /options?")
	line("hello", "This or that?\n  This · That")
	tab("thi", "this one", "")
	tab("/options ", "/options ", "1  2")
	line("/options", "  1  This  (says \"this one\")\n  2  That  (says \"that one\")")
	line("/options 3", `! /options takes a number from 1 to 2, got "3"`)
	line("/options 2", "  that one\nThis or that?\n  This · That")
	if said := strings.Join(backend.said, "|"); said != "hello|that one" {
		t.Errorf("said %s", said)
	}
	line("/state", "  waiting for: yes to cancel_order; last intent: cancel_order; turns: 2")
}
