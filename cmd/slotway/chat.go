package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
)

type chatFlags struct {
	session string
	user    string
	json    bool
	redact  bool
	fresh   bool // on a new data folder, which goes with the conversation

	clock    time.Time // at the first turn; zero: the machine's
	commands bool      // lines that begin with a slash are commands in a pipe too
	url      string    // of a server; "": the agent runs here
	keyEnv   string    // the variable with the key for it
	messageTags
}

// messageTags are the tags and the importance of every message of a conversation.
type messageTags struct {
	tags       []string
	importance int
}

func newChat(f *flags) *cobra.Command {
	var c chatFlags
	cmd := &cobra.Command{
		Use: "chat",
		Example: `  slotway chat                                  # with the embedded order-support agent
  slotway chat --agent agent.yaml --session ann   # again tomorrow, from where it stood
  echo 'where is my order?' | slotway chat        # in a pipe: one reply per message
  slotway chat --url http://127.0.0.1:8080        # with a server`,
		Short: "Talk to the agent, on a terminal or through a pipe",
		Long: fmt.Sprintf(`Talk to the agent. On a terminal there are line editing and commands, which /help lists. In a
pipe, each line is a message and each reply a line: nothing else is printed but errors and long waits.

Telemetry goes to %s in the data folder. The setting telemetry.log names another file,
"none", or "stderr" (which a terminal does not show).`, chatLog),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.url != "" {
				server, err := c.remoteBackend(cmd)
				if err != nil {
					return err
				}
				return c.talk(cmd, server)
			}
			logs := cmd.ErrOrStderr()
			if isTerminal(logs) {
				logs = nil // the chat draws there
			}
			a, end, err := c.begin(cmd, f, slotway.Options{Stderr: logs, NoHTTP: true, Now: c.now()})
			if err != nil {
				return err
			}
			place := &localBackend{app: a, user: c.user, fresh: c.fresh, messageTags: c.messageTags}
			if c.redact {
				place.mask = telemetry.NewRedactor(a.Agent())
			}
			if note := place.otherAgents(cmd.Context(), c.session); note != "" {
				fmt.Fprintln(cmd.ErrOrStderr(), "slotway: "+note)
			}
			return errors.Join(c.talk(cmd, place), end())
		},
	}
	addID(cmd.Flags(), &c.session, "session", "", "session to begin or continue (default: a new one)")
	addID(cmd.Flags(), &c.user, "user", "local", "user that the session belongs to")
	cmd.Flags().BoolVar(&c.json, "json", false, "print one JSON object per turn")
	cmd.Flags().BoolVar(&c.redact, "redact", false, "mask the values of redaction.params in the output")
	cmd.Flags().BoolVar(&c.commands, "commands", false, "also in a pipe, read lines that begin with / as commands such as /save or /history; // begins a message with /")
	cmd.Flags().BoolVar(&c.fresh, "fresh", false, "start with an empty memory and newly seeded databases in a temporary folder")
	cmd.Flags().Var(instant(&c.clock), "clock", "the conversation's time at its start, such as 2026-11-26T12:00:00Z; it moves on with real time")
	addTags(cmd.Flags(), &c.tags, "tag for the messages and replies; may be repeated")
	addImportance(cmd.Flags(), &c.importance, "importance", "least importance of the messages, 0 to 3; what they say may raise it")
	cmd.Flags().StringVar(&c.url, "url", "", "talk to the server at http://HOST:PORT instead of running the agent here")
	cmd.Flags().StringVar(&c.keyEnv, "key-env", "SLOTWAY_KEY", "the variable that holds the key for --url")
	completeIDs(f, cmd)
	return cmd
}

// now returns the conversation's clock; nil for the machine's. On a clock of its own nothing is
// pruned or learnt from old sessions, as in a replay.
func (c *chatFlags) now() func() time.Time {
	if c.clock.IsZero() {
		return nil
	}
	began := time.Now()
	return func() time.Time { return c.clock.Add(time.Since(began)) }
}

// screenOf returns the terminal of a command's stream; nil if it is none.
func screenOf(stream any) *os.File {
	if w, ok := stream.(*printable.Writer); ok {
		stream = w.Unwrap()
	}
	if file, ok := stream.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}

func isTerminal(stream any) bool { return screenOf(stream) != nil }

func (c *chatFlags) talk(cmd *cobra.Command, at chatBackend) error {
	t := &chatSession{chatFlags: c, backend: at}
	if c.session == "" {
		c.session, t.afterTurn = uuid.NewString(), new(int64)
	}
	if in, out := screenOf(cmd.InOrStdin()), screenOf(cmd.OutOrStdout()); in != nil && out != nil && !c.json {
		return t.terminal(cmd.Context(), in, out)
	}
	return t.lines(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
}

// chatSession is one conversation with a person or a pipe.
type chatSession struct {
	*chatFlags
	backend   chatBackend
	afterTurn *int64        // turn of the reply that was shown last, 0: there was none; nil: nobody knows
	last      *router.Reply // to what was said last here; nil: nothing was
	saved     string        // the file that /save made last by itself
}

// maxLine bounds a line of input, in bytes. The agent itself answers messages far shorter than this
// with an error of its own.
const maxLine = 1 << 20

// readLine reads a line of any length and returns its beginning; more is false at the end of input.
func readLine(r *bufio.Reader) (line string, more bool, err error) {
	var head []byte
	for {
		part, err := r.ReadSlice('\n')
		more = more || len(part) > 0
		head = append(head, part[:min(len(part), maxLine-len(head))]...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil || err == io.EOF:
			return strings.TrimRight(string(head), "\r\n"), more, nil
		}
		return "", false, fmt.Errorf("read a message: %w", err)
	}
}

// lines is the form for programs: each line of input gives one line of output. A failed turn is
// reported on stderr and in the exit code, and the conversation continues. If the session went on
// elsewhere, it ends: the following lines may answer what is no longer asked.
func (t *chatSession) lines(ctx context.Context, in io.Reader, out, stderr io.Writer) error {
	r, w := bufio.NewReaderSize(in, 64<<10), bufio.NewWriter(out)
	failed := false
	for ctx.Err() == nil {
		line, more, err := readLine(r)
		if err != nil {
			return err
		}
		if !more {
			break
		}
		text := strings.ToValidUTF8(line, "\uFFFD")
		if done, ok, err := t.command(ctx, text); ok {
			failed = failed || done.Error != nil
			if err := t.writeText(w, done); err != nil {
				return err
			}
			if errors.Is(err, errQuit) {
				break
			}
			continue
		}
		reply, err := t.send(ctx, t.message(text))
		if err != nil {
			failed = true
			fmt.Fprintf(stderr, "slotway: %v\n", err)
		} else if reply.Error != nil && *reply.Error == "damaged" {
			fmt.Fprintln(stderr, "slotway: stored rows of this session are damaged and were left out; run 'slotway db check'")
		}
		if err := t.write(w, reply, err); err != nil {
			return err
		}
	}
	if failed {
		return &reported{}
	}
	return ctx.Err()
}

// writeText writes the result of a command.
func (t *chatSession) writeText(w *bufio.Writer, done commandResult) error {
	text, err := done.text(t.json)
	if err != nil {
		return err
	}
	if _, err := w.WriteString(text); err != nil {
		return fmt.Errorf("write what a command says: %w", err)
	}
	return w.Flush()
}

// takenOver stands for a reply while a person has the conversation.
func takenOver(by string) string {
	if by == "" {
		by = "A person"
	}
	return "(" + by + " has taken over this conversation)"
}

// write writes one turn as one line.
func (t *chatSession) write(w *bufio.Writer, reply router.Reply, turnErr error) error {
	line := strings.ReplaceAll(reply.Reply, "\n", " ")
	if reply.Person != nil && line == "" {
		line = takenOver(reply.Person.By)
	}
	if turnErr != nil {
		line = "Something went wrong here, and nothing was changed. Please say that again."
		code := "turn_failed"
		if errors.Is(turnErr, memory.ErrCorrupt) {
			line = "This conversation cannot be read. Begin another one; 'slotway db check' tells what is damaged."
			code = "corrupt"
		}
		if movedOn(turnErr) != nil {
			line = "The conversation went on elsewhere, and that was not said. Begin the chat again to go on."
			code = "moved_on"
		}
		reply = router.Reply{SessionID: t.session, Reply: line, Params: map[string]any{}, ToolCalls: []router.ToolReport{}, Error: &code}
	}
	if t.json {
		data, err := json.Marshal(reply)
		if err != nil {
			return fmt.Errorf("encode the turn: %w", err)
		}
		line = string(data)
	}
	if _, err := w.WriteString(line + "\n"); err != nil {
		return fmt.Errorf("write the reply: %w", err)
	}
	return w.Flush()
}

// begin opens the agent of the flags. With --fresh everything that it stores is in a new folder, which
// is removed when it is closed.
func (c *chatFlags) begin(cmd *cobra.Command, f *flags, o slotway.Options) (a *slotway.Runtime, end func() error, err error) {
	f.waits = true
	if !c.fresh {
		if f, err = loggedFlags(f, isTerminal(cmd.ErrOrStderr())); err != nil {
			return nil, nil, err
		}
		a, err = f.open(cmd.Context(), o)
		if err != nil {
			return nil, nil, err
		}
		return a, a.Close, nil
	}
	if f.data != "" {
		return nil, nil, usagef("--fresh does not go with --data: it makes a folder of its own")
	}
	dir, err := os.MkdirTemp("", "slotway-fresh-")
	if err != nil {
		return nil, nil, fmt.Errorf("make a data folder: %w", err)
	}
	if f, err = loggedFlags(freshFlags(f, dir), isTerminal(cmd.ErrOrStderr())); err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	a, err = f.open(cmd.Context(), o)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return a, func() error { return errors.Join(a.Close(), os.RemoveAll(dir)) }, nil
}

// freshFlags store everything that outlives a process in dir, whatever the settings say: a shared
// database or an external index would remember the conversation.
func freshFlags(f *flags, dir string) *flags {
	fresh := *f
	fresh.data = dir
	fresh.set = append(
		append([]string{}, f.set...),
		"memory.storage=sqlite", "memory.durability=relaxed", "memory.redis_url=", "memory.vector_store.backend=sqlite",
	)
	return &fresh
}

// chatLog is the file of the data folder for the telemetry of chats. Standard error is for errors: a
// pipe may read it together with the replies, and a terminal draws.
const chatLog = "chat.log"

// maxChatLog is the size from which a chat begins a new log and keeps the old one beside it.
const maxChatLog = 8 << 20

// loggedFlags send telemetry to chatLog, unless the settings name a place that a chat can use.
func loggedFlags(f *flags, terminal bool) (*flags, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	if s.Given("telemetry.log") && !(terminal && s.Telemetry.Log == "stderr") {
		return f, nil
	}
	path := filepath.Join(build.DataDir(s), chatLog)
	if info, err := os.Stat(path); err == nil && info.Size() >= maxChatLog { // an unreadable folder is reported by what needs it
		if err := os.Rename(path, path+".old"); err != nil {
			return nil, fmt.Errorf("begin a new log of chats: %w", err)
		}
	}
	logged := *f
	logged.set = append(append([]string{}, f.set...), "telemetry.log="+path)
	return &logged, nil
}

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
