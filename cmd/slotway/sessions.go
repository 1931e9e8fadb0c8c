package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"
)

// sessionStore holds the store and the user of a sessions command.
type sessionStore struct {
	flags  *flags
	user   string
	json   bool
	reveal bool
}

func newSessions(f *flags) *cobra.Command {
	k := &sessionStore{flags: f}
	cmd := &cobra.Command{
		Use: "sessions",
		Example: `  slotway sessions list --all-users
  slotway sessions show ann-1 --user ann`,
		Short: "List, show and change the stored sessions",
	}
	addID(cmd.PersistentFlags(), &k.user, "user", "local", "user that the sessions belong to")
	cmd.PersistentFlags().BoolVar(&k.json, "json", false, "JSON instead of a table")
	cmd.PersistentFlags().BoolVar(&k.reveal, "reveal", false, "show the values of redaction.params instead of masks")
	return group(cmd, k.list(), k.show(), k.export(), k.importing(), k.clear(), k.forget(), k.prune(),
		k.undo(), k.fork(), k.create(), k.describe(), k.erase())
}

// opened is the store of the settings for one command.
type opened struct {
	ctx      context.Context
	cmd      *cobra.Command
	out      io.Writer // its standard output
	settings *settings.Settings
	agent    *config.Agent
	store    memory.Backend
	user     string
}

// key returns the key of a session of the command's user.
func (o *opened) key(session string) memory.Key {
	return memory.Key{UserID: o.user, AgentID: o.agent.ID, SessionID: session}
}

// open opens the store for do and closes it afterwards.
func (k *sessionStore) open(cmd *cobra.Command, do func(o *opened) error) error {
	s, err := k.flags.settings()
	if err != nil {
		return err
	}
	agent, err := k.flags.loadAgent()
	if err != nil {
		return err
	}
	store, err := openStore(cmd.Context(), s)
	if err != nil {
		return err
	}
	return errors.Join(do(&opened{cmd.Context(), cmd, cmd.OutOrStdout(), s, agent, store, k.user}), store.Close())
}

// run makes cmd run do with the store open. If the command's first argument is a session, the error
// for one that is not found says whose it is, and Tab completes it.
func (k *sessionStore) run(cmd *cobra.Command, do func(o *opened, args []string) error) *cobra.Command {
	takesSession := strings.Contains(cmd.Use, " SESSION")
	if takesSession {
		cmd.ValidArgsFunction = k.completeSession
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return k.open(cmd, func(o *opened) error {
			err := do(o, args)
			if takesSession && errors.Is(err, memory.ErrNotFound) {
				return o.notFound(args[0])
			}
			return err
		})
	}
	return cmd
}

func (k *sessionStore) key(agent *config.Agent, session string) memory.Key {
	return memory.Key{UserID: k.user, AgentID: agent.ID, SessionID: session}
}

// masks returns the masks of redacted values, which hide nothing with --reveal.
func (k *sessionStore) masks(store memory.Reader, agent *config.Agent) *sessions.Masks {
	if k.reveal {
		return sessions.RevealAll()
	}
	return sessions.NewMasks(store, telemetry.NewRedactor(agent))
}

func (k *sessionStore) list() *cobra.Command {
	var limit int
	var all bool
	var text, tag string
	cmd := &cobra.Command{Use: "list", Example: "  slotway sessions list\n  slotway sessions list --all-users --tag complaint --limit 10", Short: "List sessions, the latest first", Args: noArgs}
	cmd.Flags().IntVar(&limit, "limit", 50, "maximum number of sessions")
	cmd.Flags().StringVar(&text, "text", "", "only sessions with this text in their title, tags or id")
	cmd.Flags().StringVar(&tag, "tag", "", "only sessions with this tag")
	cmd.Flags().BoolVar(&all, "all-users", false, "the sessions of every user")
	return k.run(cmd, func(o *opened, _ []string) error {
		query := memory.Query{UserID: k.user, AgentID: o.agent.ID, Text: text, Tag: tag, Limit: limit}
		if all {
			query.UserID = ""
		}
		infos, err := o.store.Sessions(o.ctx, query)
		if err != nil {
			return err
		}
		for i := range infos { // show has them, masked
			infos[i].SystemPrompt, infos[i].Metadata = "", nil
		}
		return listing(o.out, k.json, "SESSION\tUSER\tTURNS\tMESSAGES\tWAITING FOR\tUPDATED\tTITLE", infos, func(s *memory.Info) []any {
			return []any{s.Key.SessionID, s.Key.UserID, s.Turns, s.History, orNone(s.Waiting), s.UpdatedAt.Format(time.RFC3339), titleOf(s)}
		})
	})
}

// titleOf returns the title and tags of a session for a table.
func titleOf(s *memory.Info) string {
	if s.Damaged {
		return "(damaged: see slotway db check)"
	}
	return strings.Join(append([]string{s.Title}, s.Tags...), " #")
}

func encodeLines[T any](w io.Writer, items []T) error {
	enc := json.NewEncoder(w)
	for _, item := range items {
		if err := enc.Encode(item); err != nil {
			return fmt.Errorf("write: %w", err)
		}
	}
	return nil
}

func (k *sessionStore) show() *cobra.Command {
	cmd := &cobra.Command{Use: "show SESSION", Example: "  slotway sessions show ann-1 --user ann\n  slotway sessions show ann-1 --reveal --json", Short: "Show the messages and the state of a session", Args: exactArgs(1, "a session")}
	var only memory.Filter
	addFilter(cmd.Flags(), &only, memory.User, memory.Agent, memory.Tool, memory.System)
	return k.run(cmd, func(o *opened, args []string) error {
		return k.present(o.ctx, o.out, o.store, o.agent, args[0], only)
	})
}

// present shows the readable part of a session.
func (k *sessionStore) present(ctx context.Context, out io.Writer, store memory.Reader, agent *config.Agent, session string, only memory.Filter) error {
	snap, err := store.Load(ctx, k.key(agent, session), memory.LoadOptions{Fresh: true})
	if err != nil {
		return err
	}
	if snap.State.Version == 0 {
		return memory.ErrNotFound
	}
	mask, err := k.masks(store, agent).Of(ctx, snap.Key)
	if err != nil {
		return err
	}
	params := mask.Params(snap.State.Params)
	messages, err := maskedMessages(ctx, store, snap.Key, mask, only)
	if err != nil {
		return err
	}
	about, err := memory.AboutOf(ctx, store, snap.Key)
	if err != nil && !errors.Is(err, memory.ErrCorrupt) {
		return err
	}
	if err != nil && !k.json {
		fmt.Fprintln(out, "(damaged: title, tags, system prompt, metadata and expiry cannot be read)")
	}
	about.Title, about.SystemPrompt, about.Metadata = mask.Text(about.Title), mask.Text(about.SystemPrompt), mask.JSON(about.Metadata)
	if k.json {
		return json.NewEncoder(out).Encode(map[string]any{
			"about":      about,
			"session_id": session, "turns": snap.Turns, "params": params, "waiting_for_param": snap.State.WaitingForParam,
			"last_intent_id": snap.State.LastIntentID, "version": snap.State.Version, "messages": messages,
		})
	}
	printAbout(out, &about)
	for _, m := range messages {
		printMessage(out, &m, snap.Floor)
	}
	data, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("show params: %w", err)
	}
	tool := ""
	if plan, err := planner.Load(snap.State.PlanExecution, snap.State.Params); err == nil { // what is damaged asks for nothing
		tool, _ = plan.Confirming()
		if held := plan.Held(); held != nil {
			fmt.Fprintln(out, takenOver(mask.Text(held.By)))
		}
	}
	fmt.Fprintf(out, "params %s, waiting for %s, last intent %s, %d turns\n", data, waitingFor(snap.State.WaitingForParam, tool), orNone(snap.State.LastIntentID), snap.Turns)
	return nil
}

// maskedMessages returns the messages of a session that pass the filter, and the damaged ones.
func maskedMessages(ctx context.Context, store memory.Reader, key memory.Key, mask *sessions.Mask, only memory.Filter) ([]memory.Message, error) {
	var messages []memory.Message
	for after := int64(0); ; {
		page, err := store.Messages(ctx, key, memory.Page{After: after, Inactive: true})
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			return messages, nil
		}
		for _, m := range page {
			m = mask.Message(m)
			m.ToolCalls = nil
			if !m.Damaged() && !only.Passes(&m) {
				continue
			}
			messages = append(messages, m)
		}
		after = page[len(page)-1].Seq
	}
}

// printAbout prints the system prompt, the metadata and the expiry of a session, where it has them.
func printAbout(out io.Writer, about *memory.About) {
	if about.SystemPrompt != "" {
		fmt.Fprintf(out, "system prompt: %s\n", about.SystemPrompt)
	}
	if len(about.Metadata) > 0 {
		fmt.Fprintf(out, "metadata %s\n", about.Metadata)
	}
	if !about.ExpiresAt.IsZero() {
		fmt.Fprintf(out, "erased at %s\n", about.ExpiresAt.Format(time.RFC3339))
	}
}

// printMessage prints a line for a message. Messages before floor are inactive.
func printMessage(out io.Writer, m *memory.Message, floor int64) {
	if m.Damaged() {
		fmt.Fprintf(out, "%4d  (damaged: this message cannot be read)\n", m.Seq)
		return
	}
	note := ""
	switch {
	case m.Retracted:
		note = "  (undone)"
	case m.Seq < floor:
		note = "  (inactive)"
	}
	if tags := m.Tags(); len(tags) > 0 {
		note += "  #" + strings.Join(tags, " #")
	}
	if m.Importance > 0 {
		note += "  " + strings.Repeat("!", m.Importance)
	}
	text := m.Text
	if short := m.Metadata[memory.SummaryKey]; short != "" && m.Role == memory.Tool {
		text = short
	}
	fmt.Fprintf(out, "%4d  %s  %-5s  %s%s\n", m.Seq, m.Timestamp.Format("2006-01-02 15:04:05"), m.Speaker(), text, note)
}

func (k *sessionStore) export() *cobra.Command {
	var file string
	cmd := &cobra.Command{Use: "export SESSION", Example: "  slotway sessions export ann-1 --user ann --reveal -o ann-1.jsonl", Short: "Write a session as JSON lines; import reads those made with --reveal", Args: exactArgs(1, "a session")}
	cmd.Flags().StringVarP(&file, "output", "o", "", "file (default: stdout)")
	return k.run(cmd, func(o *opened, args []string) (err error) {
		var left transfer.MissingParts
		defer func() {
			if n := left.Count(); n > 0 && err == nil {
				fmt.Fprintf(o.cmd.ErrOrStderr(), "warning: %d parts of the session are damaged and left out; marks stand for messages among them\n", n)
			}
		}()
		write := func(out io.Writer) error {
			out = io.MultiWriter(out, &left)
			if k.reveal {
				return o.store.Export(o.ctx, o.key(args[0]), out)
			}
			return sessions.Export(o.ctx, o.store, o.key(args[0]), telemetry.NewRedactor(o.agent), true, out)
		}
		if file == "" {
			return write(o.out)
		}
		if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() { // a pipe, or what a shell names
			return writeFile(file, write)
		}
		return durable.WriteFile(file, write) // an export that fails leaves the one before it
	})
}

func (k *sessionStore) importing() *cobra.Command {
	cmd := &cobra.Command{Use: "import FILE", Example: "  slotway sessions import ann-1.jsonl\n  gunzip -c ann-1.jsonl.gz | slotway sessions import -", Short: "Read sessions that were exported with --reveal; '-' is stdin", Long: "Read sessions that were exported with --reveal; '-' is stdin. Open questions, confirmations and the\njournal of writes are left out, so nothing in an imported session can cause a write.", Args: exactArgs(1, "a file")}
	return k.run(cmd, func(o *opened, args []string) error {
		in := o.cmd.InOrStdin()
		if args[0] != "-" {
			f, err := source.OpenFile(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			size := 0
			if info, err := f.Stat(); err == nil {
				size = int(info.Size())
			}
			progress := countBar(o.cmd, "import", size)
			defer progress.finish()
			in = progressReader{f, progress}
		}
		n, err := sessions.Restore(o.ctx, o.store, in)
		fmt.Fprintf(o.out, "%d sessions imported\n", n)
		if n == 0 && err == nil {
			fmt.Fprintln(o.cmd.ErrOrStderr(), "slotway: note: no session of the file is new; to read one again that is there, delete it first")
		}
		return err
	})
}

// progressReader advances a bar by what is read.
type progressReader struct {
	io.Reader
	bar *bar
}

// Read implements io.Reader.
func (c progressReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bar.add(n)
	return n, err
}

func (k *sessionStore) clear() *cobra.Command {
	cmd := &cobra.Command{Use: "clear SESSION", Example: "  slotway sessions clear ann-1 --user ann", Short: "Clear the memory of a session; its messages stay, inactive", Args: exactArgs(1, "a session")}
	return k.run(cmd, func(o *opened, args []string) error {
		n, err := sessions.Clear(o.ctx, o.store, o.key(args[0]), time.Now())
		if err != nil {
			return fmt.Errorf("session %q: %w", args[0], err)
		}
		fmt.Fprintf(o.out, "cleared %d messages\n", n)
		return nil
	})
}

func (k *sessionStore) forget() *cobra.Command {
	cmd := &cobra.Command{Use: "forget SESSION", Example: "  slotway sessions forget ann-1 --user ann", Short: "Erase a session for good", Args: exactArgs(1, "a session")}
	return k.run(cmd, func(o *opened, args []string) error {
		if err := o.store.Delete(o.ctx, o.key(args[0])); err != nil {
			return fmt.Errorf("session %q: %w", args[0], err)
		}
		fmt.Fprintln(o.out, "forgotten")
		return nil
	})
}

func (k *sessionStore) prune() *cobra.Command {
	var days int
	cmd := &cobra.Command{Use: "prune", Example: "  slotway sessions prune --days 30", Short: "Delete the sessions that have not been used for some days", Args: noArgs}
	cmd.Flags().IntVar(&days, "days", -1, "age in days (default: memory.auto_prune_days)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		settings, err := k.flags.settings()
		if err != nil {
			return err
		}
		if !cmd.Flags().Changed("days") {
			days = settings.Memory.AutoPruneDays
		}
		if days < 0 {
			return usagef("--days is %d, expected 0 or more", days)
		}
		return k.open(cmd, func(o *opened) error {
			n, err := o.store.Prune(o.ctx, time.Now().AddDate(0, 0, -days))
			if err == nil {
				fmt.Fprintf(o.out, "%d sessions deleted\n", n)
			}
			return err
		})
	}
	return cmd
}
