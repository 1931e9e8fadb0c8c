package slotway

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/memory/jobs"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/summary"
	"github.com/slotway/slotway/memory/window"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools/llm"
)

// tiers are what a turn may know of the past, in the order in which they are asked. The
// model server, if there is one, is only asked in the background.
func (r *Runtime) newTiers(ctx context.Context, client *llm.Client) ([]memory.Tier, error) {
	m := &r.settings.Memory
	tiers := []memory.Tier{window.New(window.Limits{MaxTurns: m.MaxTurns, MaxTokens: m.MaxHistoryTokens})}
	if !m.Enabled {
		return tiers, nil
	}
	tiers = slices.Insert(tiers, 0, memory.Tier(prompt.NewTier(r.store)))
	count, err := build.TokenCounter(m.TokenCounter)
	if err != nil {
		return nil, err
	}
	if m.Summary.Enabled || m.Strategy != string(summary.Simple) || m.Compression.Enabled {
		tiers = append(tiers, r.summaryTier(client, count))
	}
	recalled, err := r.recallTier(ctx)
	if err != nil {
		return nil, err
	}
	archived, err := r.archiveTier(ctx)
	if err != nil {
		return nil, err
	}
	return append(tiers, recalled, archived), nil
}

// summaryTier tells older messages by facts and a narrative.
func (r *Runtime) summaryTier(client *llm.Client, count func(string) int) *summary.Tier {
	m := &r.settings.Memory
	opts := &summary.Options{
		Strategy: summary.Strategy(m.Strategy), Trigger: m.Summary.TriggerMessageCount, Recent: m.Summary.RecentMessageCount,
		ThresholdTokens: m.Compression.ThresholdTokens, MaxNarrativeTokens: m.Summary.MaxNarrativeTokens,
		Compress: m.Compression.Enabled, Count: count, Keep: m.Compression.RecentMessagesToKeep,
	}
	if opts.Strategy == summary.Simple {
		opts.Strategy = summary.Summarization // summary.enabled says so, or compression.enabled
		opts.CompressionOnly = !m.Summary.Enabled
	}
	if m.Compression.ArchiveConversations {
		opts.FollowUpJobs = []string{archive.Kind}
	}
	opts.Sensitive = func(param string) bool { return r.redactor().Hides(param) }
	if client != nil && m.Summary.Enabled {
		opts.KnownValues = r.redactedValues
		opts.Model = build.JSONModel{Client: client.WithModel(m.Summary.LLMModel), Name: "summary"}
		opts.Pseudonymize = func(known map[string]any, text string) (string, func(string) string) {
			names := r.redactor().Pseudonyms(known)
			return names.Hide(text), names.Restore
		}
	}
	return summary.New(r.store, opts)
}

// recallTier finds older messages that have to do with what was just said.
func (r *Runtime) recallTier(ctx context.Context) (*recall.Tier, error) {
	m := &r.settings.Memory
	embedders, err := r.models.Embedders(ctx)
	if err != nil {
		return nil, err
	}
	ranking, err := r.models.Reranker()
	if err != nil {
		return nil, err
	}
	opts := &recall.Options{
		Now: build.Now, Embedders: embedders, Redact: r.redactTexts, Reranker: ranking,
		OnCorrupt:  func(key memory.Key, err error) { r.reportCorrupt("recall", key, err) },
		SearchOnly: !m.RAG.Enabled, K: m.RAG.TopK, MinSimilarity: &m.RAG.MinSimilarity,
		Tags: m.RAG.Tags, MinImportance: m.RAG.MinImportance, MaxAge: shorter(m.RAG.MaxAge, m.MessageTTL),
		CrossSessionSimilarity: &m.KnowledgeBase.RelevanceThreshold, CrossSession: crossSession(&m.KnowledgeBase),
	}
	for _, role := range m.RAG.Roles {
		opts.Roles = append(opts.Roles, memory.Role(role))
	}
	vectors, err := r.vectorStore(ctx)
	if err != nil {
		return nil, err
	}
	if vectors != nil {
		opts.Vectors, opts.OnCall = vectors, r.vectorsCalled
	}
	return recall.New(r.store, opts), nil
}

// withIdleTime is an agent that remembers an idle session for memory.ttl where the operator
// has set it, else for as long as the agent says.
func (r *Runtime) withIdleTime(agent *config.Agent) *config.Agent {
	ttl := r.settings.Memory.TTL
	if !r.settings.Given("memory.ttl") || ttl == agent.Session.IdleTTL {
		return agent
	}
	own := *agent // agents are shared
	own.Session.IdleTTL = ttl
	return &own
}

// pruneEvery is how often sessions that are older than memory.auto_prune_days are looked for.
const pruneEvery = time.Hour

// background runs what turns leave to be done: the tiers' jobs, and the pruning of old
// sessions. It ends with the app; jobs under way are left for the next start. It returns
// how a turn that asked for a job says so.
//
// While busy says that a turn is under way, jobs take half of one processor's time at most.
func (r *Runtime) background(tiers []memory.Tier, busy func() bool) (nudge func()) {
	now := r.opts.Now
	days := r.settings.Memory.AutoPruneDays
	if !r.settings.Memory.Enabled { // there is nothing to come back to, and a message comes again soon or not at all
		days = 1
	}
	replay := now != nil
	if !replay {
		now = build.Now
	} else {
		days = 0 // on a replay's clock nobody stays away for weeks
	}
	work := map[string]jobs.Func{}
	for _, tier := range tiers {
		if w, ok := tier.(memory.Worker); ok {
			work[w.Kind()] = w.Work
		}
	}
	runner := jobs.New(r.store, work, &jobs.Options{Now: now, Busy: busy, Done: r.jobEnded})
	ctx, stop := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { _ = runner.Run(ctx) }) // it returns nil
	if r.opened != nil && r.opened.Wake != nil {
		woken := r.opened.Wake(ctx) // ends with ctx
		wg.Go(func() {
			for range woken {
				runner.Nudge()
			}
		})
	}
	r.servers.OnHealed(func() { r.revive(ctx, runner.Nudge) })
	wg.Go(func() { r.servers.Run(ctx, r.observers != nil) })
	if days > 0 {
		wg.Go(func() { r.prune(ctx, days) })
	}
	if !replay {
		wg.Go(func() { r.expiring.Run(ctx, func(error) { r.failedJob("expire") }) })
	}
	r.onClose(func() error {
		stop()
		wg.Wait()
		return nil
	})
	return runner.Nudge
}

// worked tells telemetry of a job that has ended.
func (r *Runtime) jobEnded(o jobs.Outcome) {
	e := telemetry.Event{
		Time: build.Now(), SessionID: o.Job.Key.SessionID, UserID: o.Job.Key.UserID, Duration: o.Duration,
		Payload: telemetry.Job{Kind: o.Job.Kind, Attempt: o.Job.Attempts + 1, Outcome: "done"},
	}
	if o.Code != "" {
		if o.Code != "lost" { // taken over, or of a session that is gone: nothing went wrong
			e.Level = telemetry.LevelWarn
		}
		e.Payload = telemetry.Job{Kind: o.Job.Kind, Attempt: o.Job.Attempts + 1, Outcome: o.Code}
	}
	if o.Dead {
		e.Level = telemetry.LevelError
	}
	r.sink.Record(e)
}

// prune deletes sessions that nobody came back to, at once and then every hour.
func (r *Runtime) prune(ctx context.Context, days int) {
	tick := time.NewTicker(pruneEvery)
	defer tick.Stop()
	for {
		_, err := r.store.Prune(ctx, build.Now().AddDate(0, 0, -days))
		if err != nil && !errors.Is(err, context.Canceled) {
			r.failedJob("prune")
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// failedJob tells telemetry of background work that did not come to its end.
func (r *Runtime) failedJob(kind string) {
	r.sink.Record(telemetry.Event{
		Time: build.Now(), Level: telemetry.LevelWarn, Payload: telemetry.Job{Kind: kind, Attempt: 1, Outcome: "failed"},
	})
}

// shorter is the shorter of two times, of which 0 is none.
func shorter(a, b time.Duration) time.Duration {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// revive makes the jobs due again that were given up while a server did not answer.
func (r *Runtime) revive(ctx context.Context, nudge func()) {
	for _, kind := range []string{recall.Kind, archive.Kind} {
		_, _ = r.store.Revive(ctx, memory.JobQuery{Kind: kind, Limit: mostJobs}, build.Now()) // a store that is down revives them when the next message comes
	}
	nudge()
}
