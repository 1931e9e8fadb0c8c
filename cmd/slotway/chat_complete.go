package main

import (
	"context"
	"fmt"
	"strings"
)

// complete is the answer to a pressed Tab: what is before the cursor, at the end of a line, is
// completed as far as its continuations agree. Where they part at once they are listed. The first word
// after a slash is a command, the next its argument; other lines are continued by the offered answers.
func (c *console) complete(ctx context.Context, line string) (completed string, ok bool) {
	var found []string
	command, arg, hasArg := strings.Cut(line, " ")
	head := ""
	switch {
	case hasArg && strings.HasPrefix(line, "/"):
		head = command + " "
		found = beginning(c.arguments(ctx, command), strings.TrimLeft(arg, " "))
	case strings.HasPrefix(line, "/"):
		for _, s := range slashCommands {
			name := s.name
			if s.args != "" {
				name += " "
			}
			found = append(found, name)
		}
		found = beginning(found, line)
	default:
		for _, o := range c.options() {
			found = append(found, o.Text)
		}
		found = beginning(found, line)
	}
	if len(found) == 0 {
		return line, false
	}
	if most := head + common(found); len(most) > len(line) {
		return most, true
	}
	if len(found) > 1 {
		c.paint(dim, "  "+strings.Join(found, "  "))
	}
	return line, false
}

// arguments returns what can follow a command.
func (c *console) arguments(ctx context.Context, command string) []string {
	var out []string
	switch command {
	case "/load":
		list, err := c.backend.sessions(ctx)
		if err != nil {
			return nil // Tab only helps; /sessions reports the error
		}
		for _, s := range list {
			out = append(out, s.Key.SessionID)
		}
	case "/options":
		for i := range c.options() {
			out = append(out, fmt.Sprint(i+1))
		}
	}
	return out
}

// beginning returns the texts that continue a beginning, whatever the case of its letters.
func beginning(texts []string, with string) []string {
	var out []string
	for _, t := range texts {
		if len(t) >= len(with) && strings.EqualFold(t[:len(with)], with) {
			out = append(out, t)
		}
	}
	return out
}

// common returns the longest beginning that all texts have.
func common(texts []string) string {
	first := texts[0]
	for _, t := range texts[1:] {
		n := 0
		for n < len(first) && n < len(t) && first[n] == t[n] {
			n++
		}
		first = first[:n]
	}
	return strings.ToValidUTF8(first, "")
}
