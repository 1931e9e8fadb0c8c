package slotway

import (
	"context"
	"fmt"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/knowledge"
)

// newArchive builds the archive tier from the settings.
func (r *Runtime) newArchive(ctx context.Context) (*archive.Tier, error) {
	s := r.settings
	com, kb := s.Memory.Compression, s.Memory.KnowledgeBase
	opts := archive.Options{
		Now: build.Now, OnCorrupt: func(key memory.Key, err error) { r.reportCorrupt("archive", key, err) },
		Disabled: !com.ArchiveConversations, ThresholdTokens: com.ThresholdTokens, Keep: zeroAllowed(com.RecentMessagesToKeep),
		ChunkSize: kb.ChunkSize, ChunkOverlap: zeroAllowed(kb.ChunkOverlap),
		CrossSession: crossSession(&kb), Shared: kb.Shared, Threshold: &kb.RelevanceThreshold,
	}
	if err := r.setVectors(ctx, &opts); err != nil {
		return nil, err
	}
	var err error
	if opts.Reranker, err = r.models.Reranker(); err != nil {
		return nil, err
	}
	opts.Redact, opts.Pseudonyms = r.redactTexts, r.pseudonyms
	if opts.Model, err = r.models.SummaryModel("digest"); err != nil {
		return nil, err
	}
	return archive.New(r.store, &opts), nil
}

// pseudonyms returns what replaces the redacted values of a session in a text by names, and what
// puts the values back.
func (r *Runtime) pseudonyms(ctx context.Context, key memory.Key) (hide, restore func(string) string, err error) {
	held, err := r.redactedValues(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	names := r.redactor().Pseudonyms(held)
	return names.Hide, names.Restore, nil
}

// setVectors lets the archive compare texts by the same models as recall. Jobs make the vectors
// that take time, and those in an external vector store.
func (r *Runtime) setVectors(ctx context.Context, opts *archive.Options) error {
	embedders, err := r.models.Embedders(ctx)
	if err != nil || len(embedders) == 0 {
		return err
	}
	if opts.Embedder, err = build.WordVectors(); err != nil {
		return fmt.Errorf("open the word vectors: %w", err)
	}
	place, err := r.vectorStore(ctx)
	if err != nil {
		return err
	}
	if place != nil {
		opts.External, opts.OnCall = place, r.vectorsCalled
	}
	if place != nil || len(embedders) > 1 {
		opts.Preferred = embedders[0]
	}
	return nil
}

// crossSession says when a turn searches other sessions of its user.
func crossSession(kb *settings.Knowledge) recall.CrossSession {
	return recall.CrossSession{Enabled: kb.EnableCrossSessionContext, Always: kb.SearchAlways, Triggers: kb.SearchTriggers}
}

// zeroAllowed converts a setting for which 0 is a value to an option for which 0 is the default.
func zeroAllowed(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// archiveTier returns the runtime's archive tier, which it builds once.
func (r *Runtime) archiveTier(ctx context.Context) (*archive.Tier, error) {
	if r.archive == nil {
		tier, err := r.newArchive(ctx)
		if err != nil {
			return nil, err
		}
		r.archive = tier
	}
	return r.archive, nil
}

func (b *toolbox) knowledge(ctx context.Context, spec *config.Tool) (tools.Tool, error) {
	tier, err := b.runtime.archiveTier(ctx)
	if err != nil {
		return nil, err
	}
	return knowledge.New(spec, library{tier})
}

// library gives plans access to the caller's archive.
type library struct{ tier *archive.Tier }

func archiveQuery(caller tools.Caller, typ string, limit int) archive.Query {
	return archive.Query{
		Key:  memory.Key{UserID: caller.UserID, AgentID: caller.AgentID, SessionID: caller.SessionID},
		Type: archive.Type(typ), Limit: limit, Exclude: caller.SessionID,
	}
}

// Search implements knowledge.Library.
func (l library) Search(ctx context.Context, caller tools.Caller, query, typ string, limit int) ([]knowledge.Hit, error) {
	q := archiveQuery(caller, typ, limit)
	q.Text = query
	found, err := l.tier.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	var out []knowledge.Hit
	for i := range found {
		r := &found[i]
		out = append(out, knowledge.Hit{
			Type: string(r.Type), Source: r.Key.SessionID, Title: r.Title, Text: r.Text, Excerpt: r.Excerpt, Topics: r.Topics,
			Decisions: r.Decisions, Questions: r.Questions, From: r.Begun, To: r.Ended, Score: r.Similarity,
		})
	}
	return out, nil
}

// List implements knowledge.Library.
func (l library) List(ctx context.Context, caller tools.Caller, typ string, limit int) ([]knowledge.Entry, error) {
	list, err := l.tier.List(ctx, archiveQuery(caller, typ, limit))
	if err != nil {
		return nil, err
	}
	var out []knowledge.Entry
	for _, e := range list {
		out = append(out, knowledge.Entry{Type: string(e.Type), Source: e.SessionID, Title: e.Title, Topics: e.Topics, From: e.Begun, To: e.Ended})
	}
	return out, nil
}
