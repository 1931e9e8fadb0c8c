package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/summary"
)

// openedMemory is the store of the settings with its tiers, for one command.
type openedMemory struct {
	*opened
	*slotway.Memory
}

// tiered opens the store with its tiers for do and closes both afterwards.
func (k *sessionStore) tiered(cmd *cobra.Command, do func(a *openedMemory) error) error {
	return k.open(cmd, func(o *opened) (err error) {
		m, err := slotway.OpenMemory(o.ctx, o.agent, o.store, k.flags.linked(slotway.Options{Settings: o.settings, Stderr: cmd.ErrOrStderr()}))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, m.Close()) }()
		return do(&openedMemory{o, m})
	})
}

// runTiered makes cmd run do with the store and its tiers open.
func (k *sessionStore) runTiered(cmd *cobra.Command, do func(a *openedMemory, args []string) error) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return k.tiered(cmd, func(a *openedMemory) error { return do(a, args) })
	}
	return cmd
}

func (k *sessionStore) search() *cobra.Command {
	var session string
	var limit int
	var explain bool
	var only memory.Filter
	var similar *float64
	cmd := &cobra.Command{Use: "search TEXT", Example: "  slotway memory search 'the blue kettle' --user ann\n  slotway memory search delivery -k 3 --explain", Short: "Search earlier messages by words and by meaning", Args: exactArgs(1, "a text")}
	addID(cmd.Flags(), &session, "session", "", "only in this session")
	cmd.Flags().IntVarP(&limit, "limit", "k", 5, "maximum number of results")
	addFilter(cmd.Flags(), &only, memory.User, memory.Agent)
	addSimilarity(cmd.Flags(), &similar)
	cmd.Flags().BoolVar(&explain, "explain", false, "show the parts of each score")
	return k.runTiered(cmd, func(a *openedMemory, args []string) error {
		tier, err := memory.TierOf[*recall.Tier](a.Tiers())
		if err != nil {
			return err
		}
		q := recall.Query{Key: a.key(session), Text: args[0], K: limit, MinSimilarity: similar, Rerank: true, Explain: explain}
		found, err := tier.Search(a.ctx, q.Only(only))
		if err != nil {
			return err
		}
		if found, err = k.masks(a.store, a.agent).Recalled(a.ctx, found); err != nil {
			return err
		}
		found = slices.DeleteFunc(found, func(r memory.Recalled) bool { return !r.Message.HasTags(only.Tags) }) // by a tag that is masked
		if k.json {
			return encodeLines(a.out, found)
		}
		for _, r := range found {
			fmt.Fprintf(a.out, "%.2f  %s  %s  %s: %s\n", r.Score, r.Key.SessionID, r.Message.Timestamp.Format(time.DateOnly), r.Message.Role, r.Message.Text)
			for _, why := range r.Why {
				fmt.Fprintf(a.out, "      %+.2f %s\n", why.Score, why.Part)
			}
		}
		if similar == nil {
			noteWeak(a.cmd.ErrOrStderr(), found, a.settings.Memory.RAG.MinSimilarity)
		}
		return nil
	})
}

// noteWeak says how many of the results a turn would not recall.
func noteWeak(out io.Writer, found []memory.Recalled, least float64) {
	weak := 0
	for i := range found {
		if found[i].Similarity < least {
			weak++
		}
	}
	if weak > 0 {
		fmt.Fprintf(out, "slotway: %d of %d are less similar than memory.rag.min_similarity (%g), so no turn recalls them; --min-similarity %[3]g leaves them out\n", weak, len(found), least)
	}
}

func (k *sessionStore) summarize() *cobra.Command {
	cmd := &cobra.Command{Use: "summarize SESSION", Example: "  slotway memory summarize ann-1 --user ann", Short: "Bring a session's summary up to date and show it", Args: exactArgs(1, "a session")}
	return k.runTiered(cmd, func(a *openedMemory, args []string) error {
		tier, err := memory.TierOf[*summary.Tier](a.Tiers())
		if err != nil {
			return err
		}
		key := a.key(args[0])
		if err := tier.Update(a.ctx, key); err != nil {
			return err
		}
		s, err := tier.Read(a.ctx, key)
		if err != nil {
			return err
		}
		mask, err := k.masks(a.store, a.agent).Of(a.ctx, key)
		if err != nil {
			return err
		}
		s = mask.Summary(s)
		why := "the session is shorter than memory.summary.trigger_message_count"
		if m := &a.settings.Memory; !m.Summary.Enabled && m.Strategy == string(summary.Simple) {
			why = "memory.summary.enabled is false, and the session takes no more than memory.compression.threshold_tokens"
		}
		return output(a.cmd, k.json, &s, func(out io.Writer, s *summary.Summary) error { return printSummary(out, s, why) })
	})
}

func printSummary(out io.Writer, s *summary.Summary, why string) error {
	if s.SummarizedUpTo == 0 {
		_, err := fmt.Fprintln(out, "nothing is summarised yet: "+why)
		return err
	}
	fmt.Fprintf(out, "messages up to %d: %s\n", s.SummarizedUpTo, s.Narrative)
	return table(out, "", s.Facts, func(f *memory.Fact) []any {
		until := ""
		if !f.ValidTo.IsZero() {
			until = "until " + f.ValidTo.Format(time.DateTime)
		}
		return []any{f.Category, f.Key, f.Value, f.Origin, fmt.Sprint("message ", f.Source), until}
	})
}

func (k *sessionStore) context() *cobra.Command {
	var text string
	cmd := &cobra.Command{Use: "context SESSION", Example: "  slotway memory context ann-1 --text 'and the other one?'", Short: "Show the context that a model would receive, as chat messages", Args: exactArgs(1, "a session")}
	cmd.Flags().StringVar(&text, "text", "", "the user's next message")
	return k.runTiered(cmd, func(a *openedMemory, args []string) error {
		key := a.key(args[0])
		snap, err := a.store.Load(a.ctx, key, memory.LoadOptions{})
		if err != nil {
			return err
		}
		if snap.State.Version == 0 {
			fmt.Fprintf(a.cmd.ErrOrStderr(), "slotway: note: session %q of user %q has not begun: this is what a new one would be told\n", args[0], k.user)
		}
		known, err := a.Context(a.ctx, key, text)
		if err != nil {
			return err
		}
		masks := k.masks(a.store, a.agent)
		if known, err = masks.Context(a.ctx, key, known); err != nil {
			return err
		}
		mask, err := masks.Of(a.ctx, key)
		if err != nil {
			return err
		}
		if err := k.printContext(a.out, &known, prompt.Messages(known, mask.Text(text))); err != nil {
			return err
		}
		var failed error
		for _, name := range known.Failed {
			failed = errors.Join(failed, fmt.Errorf("tier %s failed and was left out", name))
		}
		return failed
	})
}

// printContext prints what a model would be told; as JSON with the parts that it is made of.
func (k *sessionStore) printContext(out io.Writer, known *memory.Context, messages []memory.Message) error {
	type line struct {
		Role memory.Role `json:"role"`
		Text string      `json:"text"`
	}
	view := struct {
		*memory.Context

		Messages []line `json:"messages"`
	}{Context: known}
	for _, m := range messages {
		if view.Messages = append(view.Messages, line{m.Role, m.Text}); !k.json {
			fmt.Fprintf(out, "%-6s %s\n", m.Role, m.Text)
		}
	}
	if !k.json {
		return nil
	}
	return json.NewEncoder(out).Encode(view)
}
