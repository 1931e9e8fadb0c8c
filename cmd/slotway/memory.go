package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/summary"
	"github.com/slotway/slotway/router/telemetry"
)

func newMemory(f *flags) *cobra.Command {
	k := &sessionStore{flags: f}
	cmd := &cobra.Command{
		Use: "memory",
		Example: `  slotway memory stats --user ann
  slotway memory search 'the blue kettle'`,
		Short: "Maintain the tiers of memory by hand",
	}
	cmd.PersistentFlags().BoolVar(&k.json, "json", false, "JSON instead of a table")
	addID(cmd.PersistentFlags(), &k.user, "user", "local", "user that the sessions belong to; of jobs: all if it is not given")
	cmd.PersistentFlags().BoolVar(&k.reveal, "reveal", false, "show the values of redaction.params instead of masks")
	return group(cmd, k.search(), k.context(), k.summarize(), k.reindex(), k.stats(), k.jobs(),
		k.archiveSession(), k.documents(), k.addDocuments())
}

func (k *sessionStore) jobs() *cobra.Command {
	var query memory.JobQuery
	var retry bool
	cmd := &cobra.Command{Use: "jobs", Example: "  slotway memory jobs\n  slotway memory jobs --dead --retry", Short: "List background jobs, the longest due first; --retry makes dead jobs due again", Args: noArgs}
	addID(cmd.Flags(), &query.SessionID, "session", "", "only of this session")
	cmd.Flags().StringVar(&query.Kind, "kind", "", "only of this kind")
	cmd.Flags().BoolVar(&query.Dead, "dead", false, "only dead jobs, which failed too often")
	cmd.Flags().IntVar(&query.Limit, "limit", 100, "maximum number of jobs")
	cmd.Flags().BoolVar(&retry, "retry", false, "make the dead jobs of the list due again")
	return k.run(cmd, func(o *opened, _ []string) error {
		out := o.out
		if o.cmd.Flags().Changed("user") {
			query.UserID = k.user
		}
		if retry {
			n, err := o.store.Revive(o.ctx, query, time.Now())
			if err == nil {
				fmt.Fprintf(out, "%d jobs are due again\n", n)
			}
			return err
		}
		list, err := o.store.Jobs(o.ctx, query)
		if err != nil {
			return err
		}
		return listing(out, k.json, "KIND\tSESSION\tUSER\tDUE\tFAILED\tSTATE\tLAST ERROR", list, func(j *memory.Job) []any {
			return []any{j.Kind, j.Key.SessionID, j.Key.UserID, j.RunAt.Format(time.RFC3339), j.Attempts, jobState(j), orNone(j.Code)}
		})
	})
}

// jobState returns the state of a job.
func jobState(j *memory.Job) string {
	switch {
	case j.Dead:
		return "dead"
	case j.Token != "":
		return "taken"
	}
	return "waiting"
}

// memoryStats is the size of a user's memory with an agent.
type memoryStats struct {
	Sessions int         `json:"sessions"`
	Turns    int64       `json:"turns"`
	Messages int64       `json:"messages"` // active ones
	Tiers    []tierStats `json:"tiers"`
	Jobs     int         `json:"jobs"` // up to 1,000 are counted
	DeadJobs int         `json:"dead_jobs"`

	Damaged []string `json:"damaged,omitempty"` // tiers, and jobs, of which not everything can be read

	Vectors *build.BackfillState `json:"vectors,omitempty"` // how far everybody's are; nil: none are made
}

// tierStats is the size of a tier.
type tierStats struct {
	Tier  string `json:"tier"`
	Views int    `json:"views"`
	Bytes int    `json:"bytes"`
}

func (k *sessionStore) stats() *cobra.Command {
	cmd := &cobra.Command{Use: "stats", Example: "  slotway memory stats --user ann", Short: "Count the entries of a user's memory, tier by tier", Args: noArgs}
	return k.run(cmd, func(o *opened, _ []string) error {
		s, err := gatherStats(o.ctx, o.store, k.user, o.agent.ID)
		if err != nil {
			return err
		}
		if s.Vectors, err = k.flags.vectorsMade(); err != nil {
			return err
		}
		return errors.Join(output(o.cmd, k.json, s, printStats), s.damage())
	})
}

func printStats(out io.Writer, s *memoryStats) error {
	w := newTable(out)
	fmt.Fprintf(w, "sessions\t%d\t%d turns, %d active messages\n", s.Sessions, s.Turns, s.Messages)
	for _, t := range s.Tiers {
		fmt.Fprintf(w, "%s\t%d\tviews, %d bytes\n", t.Tier, t.Views, t.Bytes)
	}
	fmt.Fprintf(w, "jobs\t%d\twaiting, %d dead\n", s.Jobs, s.DeadJobs)
	if s.Vectors != nil {
		fmt.Fprintf(w, "vectors\t%s\t\n", s.Vectors.String())
	}
	return w.Flush()
}

// vectorsMade returns how far the vectors of all users are made by the model of the settings; nil: none
// are made.
func (f *flags) vectorsMade() (*build.BackfillState, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	model, digest := build.WantedVectors(s)
	if model == "" {
		return nil, nil
	}
	b := build.ReadBackfill(build.DataDir(s))
	if b == nil || b.Digest != digest {
		b = &build.BackfillState{Digest: digest, Model: model}
	}
	return b, nil
}

// statsStore is the part of a backend that gatherStats reads.
type statsStore interface {
	memory.Reader
	memory.Views
	memory.Backlog
}

// damage returns an error if the counts are incomplete, with what to do.
func (s *memoryStats) damage() error {
	if len(s.Damaged) == 0 {
		return nil
	}
	return fmt.Errorf("not everything can be read of %s: sessions with damaged rows are left out there; 'slotway db check' names the rows, 'slotway sessions forget SESSION' erases a session", strings.Join(s.Damaged, ", "))
}

func gatherStats(ctx context.Context, store statsStore, user, agent string) (*memoryStats, error) {
	s := &memoryStats{}
	var sessions []string
	if err := memory.Walk(ctx, store, memory.Query{UserID: user, AgentID: agent}, func(info *memory.Info) error {
		s.Sessions++
		s.Turns += info.Turns
		s.Messages += info.History
		sessions = append(sessions, info.Key.SessionID)
		return nil
	}); err != nil {
		return nil, err
	}
	for _, name := range []string{summary.Name, recall.Name, archive.Name, archive.VectorsName} {
		views, err := readable(s, name, sessions, func(session string) ([]memory.View, error) {
			return store.Views(ctx, memory.ViewQuery{UserID: user, AgentID: agent, SessionID: session, Tier: name})
		})
		if err != nil {
			return nil, err
		}
		t := tierStats{Tier: name, Views: len(views)}
		for _, v := range views {
			t.Bytes += len(v.Data)
		}
		s.Tiers = append(s.Tiers, t)
	}
	list, err := readable(s, "jobs", sessions, func(session string) ([]memory.Job, error) {
		return store.Jobs(ctx, memory.JobQuery{UserID: user, AgentID: agent, SessionID: session, Limit: 1000})
	})
	if err != nil {
		return nil, err
	}
	for _, j := range list {
		if j.Dead {
			s.DeadJobs++
		} else {
			s.Jobs++
		}
	}
	return s, nil
}

// readable reads a list of all sessions by read(""). If a row of it is damaged, it reads session by
// session, skips those that cannot be read, and notes the list as damaged.
func readable[T any](s *memoryStats, what string, sessions []string, read func(session string) ([]T, error)) ([]T, error) {
	all, err := read("")
	if !errors.Is(err, memory.ErrCorrupt) {
		return all, err
	}
	s.Damaged, all = append(s.Damaged, what), nil
	for _, session := range sessions {
		part, err := read(session)
		if errors.Is(err, memory.ErrCorrupt) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
	}
	return all, nil
}

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

// runArchive makes cmd run do with the store and its archive open.
func (k *sessionStore) runArchive(cmd *cobra.Command, do func(a *openedMemory, tier *archive.Tier, args []string) error) *cobra.Command {
	return k.runTiered(cmd, func(a *openedMemory, args []string) error {
		tier, err := memory.TierOf[*archive.Tier](a.Tiers())
		if err != nil {
			return err
		}
		return do(a, tier, args)
	})
}

// archiveSession makes documents of a session.
func (k *sessionStore) archiveSession() *cobra.Command {
	cmd := &cobra.Command{
		Use: "archive SESSION", Short: "Archive the part of a session that has no document yet", Args: exactArgs(1, "a session"),
		Example: "  slotway memory archive ann-1 --user ann",
	}
	return k.runArchive(cmd, func(a *openedMemory, tier *archive.Tier, args []string) error {
		n, err := tier.Archive(a.ctx, a.key(args[0]))
		if errors.Is(err, archive.ErrModel) {
			fmt.Fprintln(a.cmd.ErrOrStderr(), "slotway: warning: the model server did not answer, and rules made the digest: run the command again once it does")
			err = nil
		}
		if err == nil {
			if _, late := tier.Backfill(a.ctx, a.key(args[0])); late != nil {
				fmt.Fprintln(a.cmd.ErrOrStderr(), "slotway: warning: the documents have no vectors yet, and are found by their words: 'slotway memory reindex' makes them")
			}
		}
		if errors.Is(err, memory.ErrNotFound) {
			return fmt.Errorf("session %q of user %q: %w; 'slotway sessions list --all-users' shows what there is", args[0], k.user, err)
		}
		if err != nil {
			return err
		}
		if k.json {
			return encodeLines(a.out, []map[string]any{{"session_id": args[0], "documents": n}})
		}
		_, err = fmt.Fprintf(a.out, "%d documents made\n", n)
		return err
	})
}

// documents lists the content of the archive.
func (k *sessionStore) documents() *cobra.Command {
	var q archive.Query
	var typ, forget string
	cmd := &cobra.Command{Use: "documents", Example: "  slotway memory documents --user ann\n  slotway memory documents --forget lamp.md", Short: "List archived conversations and the agent's documents; --forget deletes a document", Args: noArgs}
	cmd.Flags().StringVar(&typ, "type", "all", "conversations, documents or all")
	cmd.Flags().IntVar(&q.Limit, "limit", 50, "maximum number, at most 50")
	cmd.Flags().StringVar(&forget, "forget", "", "delete the document of this name")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if !slices.Contains([]string{"conversations", "documents", "all"}, typ) {
			return usagef("--type is conversations, documents or all, got %q", typ)
		}
		return nil
	}
	return k.runArchive(cmd, func(a *openedMemory, tier *archive.Tier, _ []string) error {
		if forget != "" {
			if err := tier.Remove(a.ctx, a.agent.ID, forget); err != nil {
				if errors.Is(err, memory.ErrNotFound) {
					err = errors.New("there is no such document; without --forget the command lists them")
				}
				return fmt.Errorf("document %q: %w", forget, err)
			}
			_, err := fmt.Fprintln(a.out, "deleted")
			return err
		}
		q.Key, q.Type = a.key("any"), archive.Type(typ)
		list, err := tier.List(a.ctx, q)
		if err == nil && !k.reveal {
			err = k.maskListed(a.ctx, a.store, a.agent, list)
		}
		if err != nil {
			return err
		}
		return listing(a.out, k.json, "TYPE\tNAME\tPARTS\tFROM\tTO\tTITLE\tOF AGENT", list, func(l *archive.ListEntry) []any {
			return []any{l.Type, l.SessionID, l.Parts, l.Begun.Format(time.DateOnly), l.Ended.Format(time.DateOnly), l.Title, cmp.Or(l.AgentID, a.agent.ID)}
		})
	})
}

// maskListed masks the values of redaction.params in the texts of a list.
func (k *sessionStore) maskListed(ctx context.Context, store memory.Reader, agent *config.Agent, list []archive.ListEntry) error {
	mask := telemetry.NewRedactor(agent)
	for i := range list {
		l := &list[i]
		if l.Type != archive.Conversations || l.AgentID != "" { // what another agent shares is hidden already
			continue
		}
		snap, err := store.Load(ctx, k.key(agent, l.SessionID), memory.LoadOptions{})
		if err != nil {
			return err
		}
		l.Title, l.Summary = mask.MaskText(l.Title, snap.State.Params), mask.MaskText(l.Summary, snap.State.Params)
		for _, texts := range [...][]string{l.Topics, l.Entities, l.Decisions, l.Questions} {
			for n, text := range texts {
				texts[n] = mask.MaskText(text, snap.State.Params)
			}
		}
	}
	return nil
}

// documentTypes are the extensions of text files.
var documentTypes = []string{".md", ".markdown", ".txt"}

// addDocuments stores files as documents of the agent.
func (k *sessionStore) addDocuments() *cobra.Command {
	cmd := &cobra.Command{
		Use: "add FILE...", Short: "Add texts (.md, .txt) for all users, or replace those of the same name",
		Example: "  slotway memory add returns.md lamp.md",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("expected one file or more")
			}
			for _, path := range args {
				if !slices.Contains(documentTypes, strings.ToLower(filepath.Ext(path))) {
					return usagef("%s: only texts can be added: %s", path, strings.Join(documentTypes, ", "))
				}
			}
			return nil
		},
	}
	return k.runArchive(cmd, func(a *openedMemory, tier *archive.Tier, args []string) error {
		for _, path := range args {
			if err := k.addDocument(a.ctx, a.cmd, tier, a.agent, path); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		return nil
	})
}

func (k *sessionStore) addDocument(ctx context.Context, cmd *cobra.Command, tier *archive.Tier, agent *config.Agent, path string) error {
	data, err := source.ReadFile(path, archive.MaxDocument)
	if err != nil {
		return err
	}
	name := filepath.Base(path)
	added, err := tier.Add(ctx, agent.ID, archive.Source{Name: name, Text: string(data)})
	if err != nil {
		return err
	}
	if k.json {
		return encodeLines(cmd.OutOrStdout(), []map[string]any{{"name": name, "title": added.Title, "pieces": added.Pieces, "changed": added.Changed}})
	}
	state := "unchanged"
	if added.Changed {
		state = "added"
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %d pieces\n", name, state, added.Pieces)
	return err
}

func (k *sessionStore) reindex() *cobra.Command {
	cmd := &cobra.Command{
		Use: "reindex", Args: noArgs,
		Example: `  slotway memory reindex
  slotway memory reindex --user ann`,
		Short: "Compute all vectors anew, with the embedding model of the settings",
		Long: `Compute the vectors of all users' messages and documents anew, with the embedding model of the
settings. With --user, only those of one user. Searches use the old vectors meanwhile.`,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		user := ""
		if cmd.Flags().Changed("user") {
			user = k.user
		}
		return k.tiered(cmd, func(a *openedMemory) error {
			if !a.settings.Memory.VectorStore.Enabled {
				return errors.New("memory.vector_store.enabled is false: texts are found by their words alone, and no vectors are made; set it to true")
			}
			var told *progressReport
			defer func() { told.finish() }()
			messages, documents, err := a.Reindex(a.ctx, user, func(what string, done, total int) {
				if told == nil || told.what != what {
					told.finish()
					told = newSteps(cmd, what, total)
				}
				told.update(done)
			})
			if err != nil && errors.Is(a.ctx.Err(), context.Canceled) {
				return fmt.Errorf("interrupted: %d messages and %d archived texts have new vectors; 'slotway memory reindex' goes on from there", messages, documents)
			}
			if err != nil {
				return err
			}
			told.finish()
			_, err = fmt.Fprintf(a.out, "%d messages have new vectors\n%d archived texts have new vectors\n", messages, documents)
			return err
		})
	}
	return cmd
}

// progressReport shows the progress of long work: a bar on a terminal, otherwise a line for each tenth.
// A nil one shows nothing.
type progressReport struct {
	bar         *bar
	out         io.Writer
	what        string
	done, total int
	ended       bool
}

func newSteps(cmd *cobra.Command, what string, total int) *progressReport {
	return &progressReport{bar: countBar(cmd, what, total), out: cmd.ErrOrStderr(), what: what, total: total}
}

// update reports that n steps are done.
func (s *progressReport) update(n int) {
	before := s.done
	s.done = n
	if s.bar != nil {
		s.bar.add(n - before)
		return
	}
	if tenth := max(s.total, 1); 10*before/tenth != 10*n/tenth {
		fmt.Fprintf(s.out, "%s: %d of %d\n", s.what, n, s.total)
	}
}

func (s *progressReport) finish() {
	if s != nil && !s.ended {
		s.ended = true
		s.bar.finish()
	}
}
