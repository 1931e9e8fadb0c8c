package main

import (
	"bufio"
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
	Dialog json.RawMessage // of a bot that is defined in the line itself
}

// turn is one message with what had been done before it and what came of it.
type turn struct {
	User   string
	Given  given
	Expect expect
	Result json.RawMessage
}

// given is what the recorded bot had just done.
type given struct {
	Bot        string
	Asked      []string
	Confirming confirming
	Offered    string `json:"offered_intent"`
}

// confirming holds the values that a yes would confirm. Some files say only that there
// is a question.
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

// expect is what the recorded turn came to.
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

// accepted are spellings of one value. Figures are read as text.
type accepted []string

// UnmarshalJSON reads a list of texts, figures and truths; what is none of them is left
// out.
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

// readLines decodes a file of JSON lines.
func readLines[T any](path string) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		out = append(out, v)
	}
	return out, lines.Err()
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

// spelled is a JSON value as text.
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
