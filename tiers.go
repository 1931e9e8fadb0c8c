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
)

// openTiers builds the tiers that give turns their memory, in the order in which a turn uses them.
// They use the model server, if there is one, in the background only.
func (r *Runtime) openTiers(ctx context.Context) (err error) {
	m := &r.settings.Memory
	if r.count, err = build.TokenCounter(m.TokenCounter); err != nil {
		return err
	}
	r.tiers = []memory.Tier{window.New(window.Limits{MaxTurns: m.MaxTurns, MaxTokens: m.MaxHistoryTokens})}
	if !m.Enabled {
		return nil
	}
	r.tiers = slices.Insert(r.tiers, 0, memory.Tier(prompt.NewTier(r.store)))
	if m.Summary.Enabled || m.Strategy != string(summary.Simple) || m.Compression.Enabled {
		told, err := r.summaryTier(r.count)
		if err != nil {
			return err
		}
		r.tiers = append(r.tiers, told)
	}
	recalled, err := r.recallTier(ctx)
	if err != nil {
		return err
	}
	archived, err := r.archiveTier(ctx)
	if err != nil {
		return err
	}
	r.tiers = append(append(r.tiers, recalled, archived), r.opts.Tiers...)
	return nil
}

// Context returns what the next message of a session would be told of the past, as the model gets it
// behind the instruction of a step.
func (r *Runtime) Context(ctx context.Context, key memory.Key, text string) (memory.Context, error) {
	m, agent, now := &r.settings.Memory, r.agent, r.opts.clock()()
	if r.router != nil {
		agent = r.router.Agent()
	}
	session, err := memory.NewConversations(r.store, m.MaxTurns*build.MessagesPerTurn).ForSession(ctx, key)
	if err != nil {
		return memory.Context{}, err
	}
	// The time that passes before the next message may end the window.
	if idle := r.withIdleTime(agent).Session.IdleTTL; idle > 0 && session.Version() > 0 && now.Sub(session.UpdatedAt()) > idle {
		session.Rest()
	}
	if err := session.Expire(ctx, now, m.MessageTTL); err != nil {
		return memory.Context{}, err
	}
	asked := session.Request(text, now, m.MaxHistoryTokens)
	asked.Prompt = agent.SystemPrompt
	return prompt.Assemble(ctx, r.tiers, asked, r.count)
}

// summaryTier sums up older messages as facts and a narrative.
func (r *Runtime) summaryTier(count func(string) int) (*summary.Tier, error) {
	m := &r.settings.Memory
	opts := &summary.Options{
		Strategy: summary.Strategy(m.Strategy), Trigger: m.Summary.TriggerMessageCount, Recent: m.Summary.RecentMessageCount,
		ThresholdTokens: m.Compression.ThresholdTokens, MaxNarrativeTokens: m.Summary.MaxNarrativeTokens,
		KeepsRested: m.MessageTTL == 0, Compress: m.Compression.Enabled, Count: count, Keep: m.Compression.RecentMessagesToKeep,
	}
	if opts.Strategy == summary.Simple {
		opts.Strategy = summary.Summarization // because of summary.enabled or compression.enabled
		opts.CompressionOnly = !m.Summary.Enabled
	}
	if m.Compression.ArchiveConversations {
		opts.FollowUpJobs = []string{archive.Kind}
	}
	opts.Sensitive = func(param string) bool { return r.redactor().Hides(param) }
	if m.Summary.Enabled {
		var err error
		if opts.Model, err = r.models.SummaryModel("summary"); err != nil {
			return nil, err
		}
	}
	opts.Pseudonyms = r.pseudonyms
	return summary.New(r.store, opts), nil
}

// recallTier finds older messages that are related to the current one.
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

// withIdleTime returns an agent whose idle sessions live for memory.ttl if the operator has set it,
// else as long as the agent says.
func (r *Runtime) withIdleTime(agent *config.Agent) *config.Agent {
	ttl := r.settings.Memory.TTL
	if !r.settings.Given("memory.ttl") || ttl == agent.Session.IdleTTL {
		return agent
	}
	own := *agent // other runtimes may share the agent
	own.Session.IdleTTL = ttl
	return &own
}

// The intervals for deleting sessions that are older than memory.auto_prune_days, and for erasing those that have
// expired, which nobody sees any more.
const (
	pruneEvery  = time.Hour
	expireEvery = time.Minute
)

// background runs the jobs of the tiers and the pruning of old sessions until the runtime closes;
// unfinished jobs wait for the next start. It returns the function that a turn calls after it has
// added a job.
//
// While busy reports turns in progress, jobs take at most half of one processor's time.
func (r *Runtime) background(tiers []memory.Tier, busy func() bool) (nudge func()) {
	now := r.opts.Now
	days := r.settings.Memory.AutoPruneDays
	if !r.settings.Memory.Enabled { // no session is continued, and a message is repeated soon or never
		days = 1
	}
	replay := now != nil
	if !replay {
		now = build.Now
	} else {
		days = 0 // on a replay's clock no session gets old
	}
	work := map[string]jobs.Func{}
	for _, w := range memory.Workers(tiers) {
		work[w.Kind()] = w.Work
	}
	runner := jobs.New(r.store, work, &jobs.Options{Now: now, Busy: busy, Done: r.jobEnded})
	ctx, stop := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { _ = runner.Run(ctx) }) // it returns nil
	r.servers.OnHealed(func() { r.revive(ctx, runner.Nudge) })
	wg.Go(func() { r.servers.Run(ctx, r.observers != nil) })
	if days > 0 {
		wg.Go(func() {
			r.repeat(ctx, pruneEvery, "prune", func(ctx context.Context) (int, error) { return r.store.Prune(ctx, build.Now().AddDate(0, 0, -days)) })
		})
	}
	if !replay {
		wg.Go(func() { r.repeat(ctx, expireEvery, "expire", r.store.Expire) })
	}
	r.onClose(func() error {
		stop()
		wg.Wait()
		return nil
	})
	return func() {
		runner.Nudge()
		r.reach.nudge()
	}
}

// jobEnded records the outcome of a job.
func (r *Runtime) jobEnded(o jobs.Outcome) {
	e := telemetry.Event{
		Time: build.Now(), SessionID: o.Job.Key.SessionID, UserID: o.Job.Key.UserID, Duration: o.Duration,
		Payload: telemetry.Job{Kind: o.Job.Kind, Attempt: o.Job.Attempts + 1, Outcome: "done"},
	}
	if o.Code != "" {
		if o.Code != "lost" { // another process took it, or its session is gone: no failure
			e.Level = telemetry.LevelWarn
		}
		e.Payload = telemetry.Job{Kind: o.Job.Kind, Attempt: o.Job.Attempts + 1, Outcome: o.Code}
	}
	if o.Dead {
		e.Level = telemetry.LevelError
	}
	r.sink.Record(e)
}

// repeat does work on the store at once and then again and again, until ctx ends.
func (r *Runtime) repeat(ctx context.Context, every time.Duration, kind string, work func(context.Context) (int, error)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if _, err := work(ctx); err != nil && !errors.Is(err, context.Canceled) {
			r.failedJob(kind)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// failedJob records background work that failed.
func (r *Runtime) failedJob(kind string) {
	r.sink.Record(telemetry.Event{
		Time: build.Now(), Level: telemetry.LevelWarn, Payload: telemetry.Job{Kind: kind, Attempt: 1, Outcome: "failed"},
	})
}

// shorter returns the shorter of two times; 0 is no limit.
func shorter(a, b time.Duration) time.Duration {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// revive makes jobs due again that failed while a server did not answer.
func (r *Runtime) revive(ctx context.Context, nudge func()) {
	for _, kind := range []string{recall.Kind, archive.Kind, summary.Kind} {
		_, _ = r.store.Revive(ctx, memory.JobQuery{Kind: kind, Limit: mostJobs}, build.Now()) // a store that is down revives them with the next message
	}
	nudge()
}
