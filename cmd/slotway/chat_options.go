package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/slotway/slotway/planner"
)

// options returns the answers that the last reply offers.
func (c *console) options() []planner.Suggestion {
	if c.last == nil || c.last.SessionID != c.session {
		return nil
	}
	return c.last.Options
}

// option lists the offered answers with their numbers, or sends the one of a number.
func (c *console) option(ctx context.Context, number string) error {
	options := c.options()
	if len(options) == 0 {
		return errors.New("the last reply offers no answers to choose from")
	}
	if number == "" {
		for i, o := range options {
			line := fmt.Sprintf("  %d  %s", i+1, o.Title)
			if o.Text != o.Title {
				line += fmt.Sprintf("  (says %q)", o.Text)
			}
			c.print(line)
		}
		return nil
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(options) {
		return fmt.Errorf("/options takes a number from 1 to %d, got %q", len(options), number)
	}
	c.paint(dim, "  "+options[n-1].Text)
	return c.say(ctx, options[n-1].Text)
}
