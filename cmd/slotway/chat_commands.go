package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/slotway/slotway/config/printable"
)

// commandResult is the result of a command in a pipe, as --json prints it.
type commandResult struct {
	SessionID string   `json:"session_id"`
	Command   string   `json:"command"`
	Output    []string `json:"output"`
	Error     *string  `json:"error"`
}

// command runs a line of a pipe that is a command: with --commands a line that begins with one slash.
// Two slashes stand for one in a message. ok is false for a message.
func (t *chatSession) command(ctx context.Context, line string) (done commandResult, ok bool, err error) {
	name, _, _ := strings.Cut(line, " ")
	if !t.commands || !strings.HasPrefix(line, "/") || strings.HasPrefix(line, "//") {
		return commandResult{}, false, nil
	}
	var out bytes.Buffer
	c := &console{chatSession: t, screen: &out}
	err = c.line(ctx, strings.TrimSpace(line))
	done = commandResult{SessionID: t.session, Command: name, Output: []string{}}
	for text := range strings.Lines(out.String()) {
		done.Output = append(done.Output, strings.TrimRight(text, "\n"))
	}
	if err != nil && !errors.Is(err, errQuit) {
		text := err.Error()
		done.Error = &text
	}
	return done, true, err
}

// message removes the slash that kept a line from being a command.
func (t *chatSession) message(line string) string {
	if t.commands && strings.HasPrefix(line, "//") {
		return line[1:]
	}
	return line
}

// text returns the command's output, or one JSON line.
func (d commandResult) text(asJSON bool) (string, error) {
	if asJSON {
		data, err := json.Marshal(d)
		if err != nil {
			return "", fmt.Errorf("encode the command: %w", err)
		}
		return string(data) + "\n", nil
	}
	var out strings.Builder
	for _, line := range d.Output {
		out.WriteString(line + "\n")
	}
	if d.Error != nil {
		out.WriteString("! " + printable.Text(*d.Error) + "\n")
	}
	return out.String(), nil
}
