package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"

	"golang.org/x/term"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/config/reference"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
)

// slashCommand is a command of the chat on a terminal.
type slashCommand struct {
	name, args, help string
	run              func(*console, context.Context, string) error
}

// slashCommands are the commands of the chat. The variable is set in init because commands read it.
var slashCommands []slashCommand

func init() {
	slashCommands = []slashCommand{
		{"/sessions", "", "list your sessions", (*console).sessions},
		{"/load", "SESSION", "go on with another session", (*console).load},
		{"/save", "[FILE]", "say where this session is kept, or write it to a file (slotway sessions import reads it)", (*console).save},
		{"/history", "", "show what was said", (*console).history},
		{"/state", "", "show what is known and what is waited for", (*console).state},
		{"/why", "", "show how the last message was taken, and what came second", (*console).why},
		{"/options", "[NUMBER]", "list the offered answers, or say the one of a number", (*console).option},
		{"/undo", "", "take the last turn back", (*console).undo},
		{"/clear", "", "forget params and question; messages stay, inactive", (*console).clear},
		{"/forget", "", "erase this session", (*console).forget},
		{"/help", "", "show this list", nil},
		{"/quit", "", "leave (also Ctrl-D)", nil},
	}
}

// console is the chat on a terminal.
type console struct {
	*chatSession
	screen io.Writer // a terminal, or the output of a command in a pipe
	colour bool
	width  func() int // columns of the terminal; nil: lines are not wrapped
}

var errQuit = errors.New("quit")

// terminal runs the chat with line editing until the person leaves.
func (t *chatSession) terminal(ctx context.Context, in, out *os.File) error {
	greeting, err := t.backend.greet(ctx)
	if err != nil {
		return err
	}
	return onTerminal(in, out, func(screen *term.Terminal, width func() int) error {
		c := &console{chatSession: t, colour: os.Getenv("NO_COLOR") == "", screen: screen, width: width}
		onTab(screen, func(line string) string {
			line, _ = c.complete(ctx, line)
			return line
		})
		return c.converse(ctx, greeting, screen)
	})
}

// converse reads lines until the person leaves.
func (c *console) converse(ctx context.Context, greeting string, screen lineReader) error {
	c.print(fmt.Sprintf("%s. Session %s; /help lists the commands.", greeting, c.session))
	if c.afterTurn == nil {
		if err := c.showEnd(ctx); err != nil {
			return err
		}
	}
	for ctx.Err() == nil {
		line, err := screen.ReadLine()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !errors.Is(err, term.ErrPasteIndicator) {
			return fmt.Errorf("read from the terminal: %w", err)
		}
		switch err := c.line(ctx, strings.TrimSpace(line)); {
		case errors.Is(err, errQuit):
			return nil
		case err != nil:
			c.print("! " + err.Error())
		}
	}
	return nil
}

// line runs a command, or sends the line to the agent.
func (c *console) line(ctx context.Context, line string) error {
	if !strings.HasPrefix(line, "/") {
		if line == "" {
			return nil
		}
		return c.say(ctx, line)
	}
	name, arg, _ := strings.Cut(line, " ")
	switch name {
	case "/quit":
		return errQuit
	case "/help":
		for _, s := range slashCommands {
			c.print(fmt.Sprintf("  %-18s %s", strings.TrimSpace(s.name+" "+s.args), s.help))
		}
		return nil
	}
	for _, s := range slashCommands {
		if s.name == name {
			return s.run(c, ctx, strings.TrimSpace(arg))
		}
	}
	if near := naming.Nearest(name, commandNames()); near != "" {
		return fmt.Errorf("no command %s; did you mean %s?", name, near)
	}
	return fmt.Errorf("no command %s; /help lists them", name)
}

// commandNames returns the names of slashCommands.
func commandNames() []string {
	var names []string
	for _, s := range slashCommands {
		names = append(names, s.name)
	}
	return names
}

// say sends a message and shows the reply.
func (c *console) say(ctx context.Context, text string) error {
	reply, err := c.send(ctx, text)
	if moved := movedOn(err); moved != nil {
		return c.movedOn(ctx, moved)
	}
	if err != nil {
		return err
	}
	if reply.Person != nil && reply.Reply == "" {
		c.paint(dim, takenOver(reply.Person.By))
		return nil
	}
	c.agent(reply.Reply)
	c.offer(reply.Options)
	return nil
}

func (c *console) print(text string) { fmt.Fprintf(c.screen, "%s\n", c.fit(text)) }

// fit makes a text printable and wraps it at the width of the terminal.
func (c *console) fit(text string) string {
	text = printable.Text(text)
	if c.width == nil {
		return text
	}
	return wrap(text, c.width())
}

// paint prints with an escape code for a colour or a weight.
func (c *console) paint(code, text string) {
	if !c.colour {
		c.print(text)
		return
	}
	fmt.Fprintf(c.screen, "%s%s%s\n", code, c.fit(text), reset)
}

func (c *console) agent(text string) { c.paint(cyan, text) }

// offer shows the suggested answers.
func (c *console) offer(options []planner.Suggestion) {
	if len(options) == 0 {
		return
	}
	titles := make([]string, len(options))
	for i, o := range options {
		titles[i] = o.Title
	}
	c.paint(dim, "  "+strings.Join(titles, " · "))
}

// Escape codes (ECMA-48, section 8.3.117).
const (
	dim   = "\x1b[2m"
	cyan  = "\x1b[36m"
	reset = "\x1b[0m"
)

func (c *console) sessions(ctx context.Context, _ string) error {
	list, err := c.backend.sessions(ctx)
	if err != nil {
		return err
	}
	for _, s := range list {
		c.print(fmt.Sprintf("  %s  %d turns, last %s", s.Key.SessionID, s.Turns, s.UpdatedAt.Local().Format("2006-01-02 15:04")))
	}
	if len(list) == 0 {
		c.print("  none yet")
	}
	return nil
}

func (c *console) load(ctx context.Context, id string) error {
	if id == "" {
		return errors.New("/load needs the id of a session; /sessions lists them")
	}
	session, seen := c.session, c.afterTurn
	c.session = id
	note := ""
	if _, err := c.backend.state(ctx, id); errors.Is(err, memory.ErrNotFound) {
		note = ", which is new"
		if here, ok := c.backend.(*localBackend); ok {
			if other := here.otherAgents(ctx, id); other != "" {
				note += "; " + other
			}
		}
	}
	c.print("  on with session " + id + note)
	err := c.showEnd(ctx)
	if err != nil {
		c.session, c.afterTurn = session, seen
	}
	return err
}

func (c *console) history(ctx context.Context, _ string) error {
	messages, err := c.backend.history(ctx, c.session)
	if err != nil {
		return err
	}
	for _, m := range messages {
		c.print(fmt.Sprintf("  %3d %-5s %s", m.Seq, m.Speaker(), m.Text))
	}
	return nil
}

func (c *console) state(ctx context.Context, _ string) error {
	now, err := c.backend.state(ctx, c.session)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	names := make([]string, 0, len(now.Params))
	for name := range now.Params {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		value, err := json.Marshal(now.Params[name])
		if err != nil {
			return err
		}
		c.print(fmt.Sprintf("  %s = %s", name, value))
	}
	c.print(fmt.Sprintf("  waiting for: %s; last intent: %s; turns: %d", waitingFor(now.Waiting, now.Confirming), orNone(now.LastIntent), now.Turns))
	return nil
}

// waitingFor says what a session waits for: a param, or a yes to a write tool.
func waitingFor(param, tool string) string {
	if tool != "" {
		return "yes to " + tool
	}
	return orNone(param)
}

func orNone(name string) string {
	if name == "" {
		return "nothing"
	}
	return name
}

func (c *console) clear(ctx context.Context, _ string) error {
	n, err := c.backend.clear(ctx, c.session)
	if err != nil {
		return err
	}
	c.afterTurn = new(int64)
	c.print(fmt.Sprintf("  cleared %d messages", n))
	return nil
}

func (c *console) undo(ctx context.Context, _ string) error {
	turn, calls, err := c.backend.undo(ctx, c.session)
	if err != nil {
		return err
	}
	c.print(fmt.Sprintf("  turn %d is undone%s", turn, callsNote(calls)))
	return c.showEnd(ctx)
}

func (c *console) forget(ctx context.Context, _ string) error {
	if err := c.backend.forget(ctx, c.session); err != nil && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	c.afterTurn = new(int64)
	c.print("  this session is erased")
	return nil
}

// wrap breaks the lines of text between words, so that none is wider than columns; below one column
// nothing is broken. The parts of a line begin as far in as the line does. A word that is too wide
// for a line, such as an address, stays whole.
func wrap(text string, columns int) string {
	if columns < 1 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if reference.Columns(line) > columns {
			lines[i] = reference.Wrap(line, line[:len(line)-len(strings.TrimLeft(line, " "))], columns)
		}
	}
	return strings.Join(lines, "\n")
}
