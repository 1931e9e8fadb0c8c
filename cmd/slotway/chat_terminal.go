package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"sort"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"golang.org/x/term"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/config/reference"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
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

// recentMessages is the number of messages that show where a session is.
const recentMessages = 6

// send sends a message that answers the last reply shown.
func (t *chatSession) send(ctx context.Context, text string) (router.Reply, error) {
	reply, err := t.backend.send(ctx, t.session, text, t.afterTurn)
	if err == nil {
		t.afterTurn, t.last = &reply.Turn, &reply
	}
	return reply, err
}

// movedOn returns the error of a session that went on elsewhere; nil for any other error.
func movedOn(err error) *router.StaleTurnError {
	var moved *router.StaleTurnError
	if errors.As(err, &moved) {
		return moved
	}
	return nil
}

// showEnd shows the last messages of the session, which the next message then answers. If they cannot
// be read, the next message answers whatever is asked.
func (c *console) showEnd(ctx context.Context) error {
	// The state first: what is shown is then no older than what is said to have been seen.
	now, err := c.backend.state(ctx, c.session)
	var refused *statusError
	switch {
	case errors.Is(err, memory.ErrNotFound):
		now.Turn = 0
	case errors.As(err, &refused):
		c.afterTurn = nil
		return nil
	case err != nil:
		return err
	}
	c.afterTurn = &now.Turn
	if now.Turn == 0 {
		return nil
	}
	return c.showRecent(ctx)
}

// showRecent prints the end of the conversation.
func (c *console) showRecent(ctx context.Context) error {
	messages, err := c.backend.recent(ctx, c.session)
	if err != nil {
		return err
	}
	for _, m := range messages {
		if m.Role == memory.User || m.Role == memory.Agent {
			c.print(fmt.Sprintf("  %3d %-5s %s", m.Seq, m.Speaker(), m.Text))
		}
	}
	return nil
}

// movedOn reports that the session went on elsewhere and shows its end. It does not send the line
// again, which may have answered a question that is no longer asked.
func (c *console) movedOn(ctx context.Context, moved *router.StaleTurnError) error {
	c.print("! The conversation went on elsewhere, and this was not said. It ends like this now:")
	err := c.showRecent(ctx)
	var refused *statusError
	switch {
	case moved.Newest == 0:
		c.print("  (nothing: it was cleared or erased)")
	case errors.As(err, &refused):
		c.print("  (the server does not show it: " + refused.Error() + ")")
	case err != nil:
		return err
	}
	c.afterTurn = &moved.Newest
	c.print("  If you still mean it, say it again; the arrow up brings it back.")
	return nil
}

// persist implements chatBackend. Every turn is committed before its reply is shown; with
// memory.durability: relaxed it may not be on disk yet.
func (h *localBackend) persist(context.Context, string) (string, error) {
	m := &h.app.Settings().Memory
	if !m.Enabled {
		return "", errors.New("nothing is kept: memory.enabled is false")
	}
	switch m.Storage {
	case "sqlite":
		if m.Durability == "relaxed" {
			if err := syncDatabase(m.StoragePath); err != nil {
				return "", err
			}
		}
		if h.fresh {
			return "", nil
		}
		return m.StoragePath, nil
	case "postgres":
		return databaseName(m.DSN), nil
	}
	return "", nil
}

// syncDatabase flushes a SQLite database and its log to disk.
func syncDatabase(path string) error {
	for _, name := range []string{path, path + "-wal"} {
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // no log: everything is in the database
		}
		if err != nil {
			return err
		}
		if err := errors.Join(durable.Sync(f), f.Close()); err != nil {
			return fmt.Errorf("put the database on the disk: %w", err)
		}
	}
	return nil
}

// databaseName names a PostgreSQL database without its credentials.
func databaseName(dsn string) string {
	c, err := pgx.ParseConfig(dsn)
	if err != nil {
		return "PostgreSQL" // it was opened, so this does not happen
	}
	return fmt.Sprintf("the database %s at %s:%d", c.Database, c.Host, c.Port)
}

// persist implements chatBackend: a server replies only once the turn is durable.
func (r *remoteBackend) persist(context.Context, string) (string, error) { return r.base.Host, nil }

// save without a file makes sure that the session is stored and says where. A session that exists only
// in this program is written to a file.
func (c *console) save(ctx context.Context, path string) error {
	if path != "" {
		return c.export(ctx, path)
	}
	now, err := c.backend.state(ctx, c.session)
	if errors.Is(err, memory.ErrNotFound) {
		err, now.Turns = nil, 0
	}
	if err != nil {
		return err
	}
	where, err := c.backend.persist(ctx, c.session)
	if err != nil {
		return err
	}
	if now.Turns == 0 {
		c.print("  nothing was said yet; what is will be saved by itself")
		return nil
	}
	if where == "" {
		path := fmt.Sprintf("session-%s-%d.jsonl", fileName(c.session), now.Turns)
		if err := c.export(ctx, path); c.saved != path || !errors.Is(err, fs.ErrExist) {
			c.saved = path
			return err
		}
		where = path // this turn's, already
	}
	c.print(fmt.Sprintf("  session %s is saved in %s, up to turn %d", c.session, where, now.Turns))
	return nil
}

// export writes the session to a file.
func (c *console) export(ctx context.Context, path string) error {
	var note string
	if err := durable.NewFile(path, func(file io.Writer) (err error) {
		note, err = c.backend.export(ctx, c.session, file)
		return err
	}); err != nil {
		return err
	}
	c.print("  saved to " + path + note)
	return nil
}

// fileName turns an id into a part of a file's name.
func fileName(id string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, id)
}

// readings are the interpretations of a message.
type readings struct {
	Chosen    []telemetry.Reading
	RunnersUp []telemetry.Reading `json:"runners_up"`
}

var errNoReason = errors.New("why it was taken like that is not known any more; it is for the newest turns")

// why implements chatBackend for the last turn.
func (h *localBackend) why(_ context.Context, session string, turn int64) (readings, error) {
	if h.last.session != session || h.last.turn != turn {
		return readings{}, errNoReason
	}
	chosen, others := h.last.trace.Readings()
	return readings{chosen, others}, nil
}

// why implements chatBackend: it reads the trace of the turn, which a server keeps for a while.
func (r *remoteBackend) why(ctx context.Context, session string, turn int64) (readings, error) {
	var trace struct {
		Events []struct {
			Stage   string
			Payload json.RawMessage
		}
	}
	err := r.call(ctx, apiRequest{method: http.MethodGet, path: sessionPath(session, "/trace"), query: url.Values{"turn": {strconv.FormatInt(turn, 10)}}, retry: true}, &trace)
	var refused *statusError
	if errors.As(err, &refused) && refused.code == "trace_gone" {
		return readings{}, errNoReason
	}
	if err != nil {
		return readings{}, err
	}
	for _, e := range trace.Events {
		var why readings
		if e.Stage == string(telemetry.StageClassify) && json.Unmarshal(e.Payload, &why) == nil {
			return why, nil
		}
	}
	return readings{}, errNoReason
}

// why shows how the last message was understood, the runners-up, and what was left over.
func (c *console) why(ctx context.Context, _ string) error {
	if c.last == nil || c.last.SessionID != c.session {
		return errors.New("say something first")
	}
	why, err := c.backend.why(ctx, c.session, c.last.Turn)
	if errors.Is(err, memory.ErrNotFound) {
		err = errNoReason
	}
	if err != nil {
		return err
	}
	c.print("  taken for: " + orNone(c.last.Intent))
	if len(why.Chosen) == 0 {
		c.print("  because of: no rule says that it was")
	}
	for _, part := range []struct {
		name string
		list []telemetry.Reading
	}{{"because of", why.Chosen}, {"rather than", why.RunnersUp}} {
		for k := range part.list {
			c.print("  " + part.name + ": " + inFull(&part.list[k]))
		}
	}
	for _, u := range c.last.Unheard {
		told := "not told"
		if u.Told {
			told = "told"
		}
		c.print(fmt.Sprintf("  left over, %s: %q", told, u.Text))
	}
	return nil
}

// inFull formats a reading with its evidence. Characters count from 1.
func inFull(r *telemetry.Reading) string {
	text := fmt.Sprintf("%s; evidence %.2f, share %.0f %%", r, r.Evidence, 100*r.Share)
	var spans []string
	for _, s := range r.Spans {
		spans = append(spans, fmt.Sprintf("%d-%d", s.Start+1, s.End))
	}
	if len(spans) > 0 {
		text += ", characters " + strings.Join(spans, ", ")
	}
	return text
}
