package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/router/telemetry"
)

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
