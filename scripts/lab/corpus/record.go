package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
)

// conversation is one line of a file of recorded conversations.
type conversation struct {
	ID     string
	Bot    string
	Domain string
	Tags   []string
	Turns  []turn
	Order  bool            `json:"ask_order_ok"` // the recorded bot asks in the order of the schema
	Dialog json.RawMessage // if the line itself defines the bot
}

// turn is one message, with what preceded it and its outcome.
type turn struct {
	User   string
	Given  given
	Expect expect
	Result json.RawMessage
}

// given is the last action of the recorded bot.
type given struct {
	Bot        string
	Asked      []string
	Confirming confirming
	Offered    string `json:"offered_intent"`
}

// confirming holds the values that a yes would confirm. Some files only say that there is a
// question.
type confirming struct {
	Open   bool
	Values map[string]string
}

// UnmarshalJSON reads a map of values, or true.
func (c *confirming) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte("{")) {
		c.Open = true
		return json.Unmarshal(data, &c.Values)
	}
	return json.Unmarshal(data, &c.Open)
}

// expect is the recorded outcome of a turn.
type expect struct {
	Intent   string
	Acts     []string
	Params   map[string]accepted // the state after the turn: accepted spellings
	New      map[string]string   `json:"params_new"` // what the turn changed: "user" or "context"
	Ask      []string
	Action   *call
	Actions  json.RawMessage // calls, or names of replies
	Entities []struct{ Entity, Value string }
	Replies  []string
}

// call is a recorded tool call.
type call struct {
	Name    string
	Service string
	Params  map[string]any
}

// goal is one line of a file of goals: a conversation in a closed loop.
type goal struct {
	ID      string
	Bot     string
	Opener  string
	Replies map[string]string
	Affirm  string
	Name    string
	Params  map[string]accepted
}

// accepted holds spellings of one value. Numbers are read as text.
type accepted []string

// UnmarshalJSON reads a list of strings, numbers and booleans, and leaves out anything else.
func (a *accepted) UnmarshalJSON(data []byte) error {
	var list []any
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	*a = accepted{}
	for _, v := range list {
		switch v.(type) {
		case string, float64, bool:
			*a = append(*a, spelled(v))
		}
	}
	return nil
}

// readJSON decodes a file.
func readJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// spelled returns a JSON value as text.
func spelled(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}
