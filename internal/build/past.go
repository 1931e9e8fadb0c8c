package build

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/summary"
	"github.com/slotway/slotway/memory/window"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"
)

// Past builds the tiers that give turns their memory. They use the model server, if there is one, in
// the background only.
type Past struct {
	Settings *settings.Settings
	Store    memory.Backend
	Stores   *Stores
	Models   *Models
	Count    func(string) int           // counts tokens; set by Tiers
	Redactor func() *telemetry.Redactor // of the agent's current version
	Kept     *sessions.MaskCache        // the redacted values of sessions
	Record   func(telemetry.Event)
	OnClose  func(func() error)

	archive *archive.Tier      // nil until it is needed
	vectors recall.VectorStore // nil until it is needed, or if the settings name no external one
}

// Tiers returns the tiers in the order in which a turn uses them, and more behind them.
func (p *Past) Tiers(ctx context.Context, more []memory.Tier) (tiers []memory.Tier, err error) {
	m := &p.Settings.Memory
	if p.Count, err = TokenCounter(m.TokenCounter); err != nil {
		return nil, err
	}
	tiers = []memory.Tier{window.New(window.Limits{MaxTurns: m.MaxTurns, MaxTokens: m.MaxHistoryTokens})}
	if !m.Enabled {
		return tiers, nil
	}
	tiers = slices.Insert(tiers, 0, memory.Tier(prompt.NewTier(p.Store)))
	if m.Summary.Enabled || m.Strategy != string(summary.Simple) || m.Compression.Enabled {
		told, err := p.summaryTier()
		if err != nil {
			return nil, err
		}
		tiers = append(tiers, told)
	}
	recalled, err := p.recallTier(ctx)
	if err != nil {
		return nil, err
	}
	archived, err := p.Archive(ctx)
	if err != nil {
		return nil, err
	}
	return append(append(tiers, recalled, archived), more...), nil
}

// Archive returns the archive tier, which is built once.
func (p *Past) Archive(ctx context.Context) (tier *archive.Tier, err error) {
	if p.archive == nil {
		p.archive, err = p.newArchive(ctx)
	}
	return p.archive, err
}

// summaryTier sums up older messages as facts and a narrative.
func (p *Past) summaryTier() (*summary.Tier, error) {
	m := &p.Settings.Memory
	opts := &summary.Options{
		Strategy: summary.Strategy(m.Strategy), Trigger: m.Summary.TriggerMessageCount, Recent: m.Summary.RecentMessageCount,
		ThresholdTokens: m.Compression.ThresholdTokens, MaxNarrativeTokens: m.Summary.MaxNarrativeTokens,
		KeepsRested: m.MessageTTL == 0, Compress: m.Compression.Enabled, Count: p.Count, Keep: m.Compression.RecentMessagesToKeep,
	}
	if opts.Strategy == summary.Simple {
		opts.Strategy = summary.Summarization // because of summary.enabled or compression.enabled
		opts.CompressionOnly = !m.Summary.Enabled
	}
	if m.Compression.ArchiveConversations {
		opts.FollowUpJobs = []string{archive.Kind}
	}
	opts.Sensitive = func(param string) bool { return p.Redactor().Hides(param) }
	if m.Summary.Enabled {
		var err error
		if opts.Model, err = p.Models.SummaryModel("summary"); err != nil {
			return nil, err
		}
	}
	opts.Pseudonyms = p.pseudonyms
	return summary.New(p.Store, opts), nil
}

// recallTier finds older messages that are related to the current one.
func (p *Past) recallTier(ctx context.Context) (*recall.Tier, error) {
	m := &p.Settings.Memory
	embedders, err := p.Models.Embedders(ctx)
	if err != nil {
		return nil, err
	}
	ranking, err := p.Models.Reranker()
	if err != nil {
		return nil, err
	}
	opts := &recall.Options{
		Now: Now, Embedders: embedders, Redact: p.RedactTexts, Reranker: ranking,
		OnCorrupt:  func(key memory.Key, err error) { p.ReportCorrupt("recall", key, err) },
		SearchOnly: !m.RAG.Enabled, K: m.RAG.TopK, MinSimilarity: &m.RAG.MinSimilarity,
		Tags: m.RAG.Tags, MinImportance: m.RAG.MinImportance, MaxAge: shorter(m.RAG.MaxAge, m.MessageTTL),
		CrossSessionSimilarity: &m.KnowledgeBase.RelevanceThreshold, CrossSession: crossSession(&m.KnowledgeBase),
	}
	for _, role := range m.RAG.Roles {
		opts.Roles = append(opts.Roles, memory.Role(role))
	}
	vectors, err := p.vectorStore(ctx)
	if err != nil {
		return nil, err
	}
	if vectors != nil {
		opts.Vectors, opts.OnCall = vectors, p.vectorsCalled
	}
	return recall.New(p.Store, opts), nil
}

// newArchive builds the archive tier from the settings.
func (p *Past) newArchive(ctx context.Context) (*archive.Tier, error) {
	s := p.Settings
	com, kb := s.Memory.Compression, s.Memory.KnowledgeBase
	opts := archive.Options{
		Now: Now, OnCorrupt: func(key memory.Key, err error) { p.ReportCorrupt("archive", key, err) },
		Disabled: !com.ArchiveConversations, ThresholdTokens: com.ThresholdTokens, Keep: zeroAllowed(com.RecentMessagesToKeep),
		ChunkSize: kb.ChunkSize, ChunkOverlap: zeroAllowed(kb.ChunkOverlap),
		CrossSession: crossSession(&kb), Shared: kb.Shared, Threshold: &kb.RelevanceThreshold,
	}
	if err := p.setVectors(ctx, &opts); err != nil {
		return nil, err
	}
	var err error
	if opts.Reranker, err = p.Models.Reranker(); err != nil {
		return nil, err
	}
	opts.Redact, opts.Pseudonyms = p.RedactTexts, p.pseudonyms
	if opts.Model, err = p.Models.SummaryModel("digest"); err != nil {
		return nil, err
	}
	return archive.New(p.Store, &opts), nil
}

// pseudonyms returns what replaces the redacted values of a session in a text by names, and what
// puts the values back.
func (p *Past) pseudonyms(ctx context.Context, key memory.Key) (hide, restore func(string) string, err error) {
	held, err := p.RedactedValues(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	names := p.Redactor().Pseudonyms(held)
	return names.Hide, names.Restore, nil
}

// setVectors lets the archive compare texts by the same models as recall. Jobs make the vectors
// that take time, and those in an external vector store.
func (p *Past) setVectors(ctx context.Context, opts *archive.Options) error {
	embedders, err := p.Models.Embedders(ctx)
	if err != nil || len(embedders) == 0 {
		return err
	}
	if opts.Embedder, err = WordVectors(); err != nil {
		return fmt.Errorf("open the word vectors: %w", err)
	}
	place, err := p.vectorStore(ctx)
	if err != nil {
		return err
	}
	if place != nil {
		opts.External, opts.OnCall = place, p.vectorsCalled
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

// vectorStore returns the external vector store, which it opens once; nil if the settings name
// none.
func (p *Past) vectorStore(ctx context.Context) (recall.VectorStore, error) {
	if p.vectors == nil {
		v, err := p.Stores.OpenVectors(ctx, &p.Settings.Memory)
		if err != nil || v == nil {
			return nil, err
		}
		p.vectors = v
		p.Models.Servers.WatchVectors(ctx, p.Settings.Memory.VectorStore.Backend, v)
		p.OnClose(func() error { v.Close(); return nil })
	}
	return p.vectors, nil
}

// vectorsCalled records a failed call to the vector store, and has the store probed.
func (p *Past) vectorsCalled(c recall.VectorCall) {
	if c.Code == "" || c.Code == "cancelled" { // cancelled at every shutdown
		return
	}
	p.Models.Servers.RecheckVectors()
	p.Record(telemetry.Event{
		Time: Now(), Level: telemetry.LevelWarn, Duration: c.Duration,
		Payload: telemetry.Job{Kind: "vectors." + c.Op, Attempt: 1, Outcome: c.Code},
	})
}

// RedactedValues returns the values that redacted params have had in sessions.
func (p *Past) RedactedValues(ctx context.Context, keys ...memory.Key) (map[string]any, error) {
	return p.Kept.Values(ctx, p.Redactor(), keys...)
}

// maxUserSessions limits the sessions of a user, newest first, whose values are redacted in a
// question that belongs to no session.
const maxUserSessions = 50

// RedactTexts returns a function that replaces the redacted values of sessions by names, for texts
// that go to a server for comparison. It treats each text by itself, so that equal texts stay
// equal.
func (p *Past) RedactTexts(ctx context.Context, keys ...memory.Key) (func(string) string, error) {
	var all []memory.Key
	for _, key := range keys {
		if key.SessionID != "" {
			all = append(all, key)
			continue
		}
		list, err := p.Store.Sessions(ctx, memory.Query{UserID: key.UserID, AgentID: key.AgentID, Limit: maxUserSessions})
		if err != nil {
			return nil, err
		}
		for i := range list {
			all = append(all, list[i].Key)
		}
	}
	values, err := p.RedactedValues(ctx, all...)
	if err != nil {
		return nil, err
	}
	redactor := p.Redactor()
	return func(text string) string { return redactor.Pseudonyms(values).Hide(text) }, nil
}

// ReportCorrupt records a stored value that cannot be read and was left out. The error says what is
// wrong and what to do; it quotes no value.
func (p *Past) ReportCorrupt(where string, key memory.Key, err error) {
	p.Record(telemetry.Event{
		Time: Now(), Level: telemetry.LevelError, UserID: key.UserID, SessionID: key.SessionID,
		Payload: telemetry.Failure{Code: "corrupt", Stage: where, Message: telemetry.ScrubError(fmt.Errorf("%w; it is left out until that is mended: db check tells the row, sessions forget erases the session", err), nil)},
	})
}

// shorter returns the shorter of two times; 0 is no limit.
func shorter(a, b time.Duration) time.Duration {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}
