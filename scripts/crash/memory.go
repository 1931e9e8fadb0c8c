package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// Settings that make background work start early and run often.
const (
	summaryTrigger = 4
	summaryRecent  = 2
	thresholdToken = 200
	keptActive     = 4
)

// memorySettings returns the arguments of the service.
func memorySettings(server, embedModel string) []string {
	return harness.SetFlags(
		"memory.strategy=hybrid", "memory.summary.enabled=true",
		"memory.summary.trigger_message_count="+strconv.Itoa(summaryTrigger),
		"memory.summary.recent_message_count="+strconv.Itoa(summaryRecent),
		"memory.compression.archive_conversations=true",
		"memory.compression.threshold_tokens="+strconv.Itoa(thresholdToken),
		"memory.compression.recent_messages_to_keep="+strconv.Itoa(keptActive),
		"models.chat.base_url="+server, "models.chat.model=toy",
		"models.embed.provider=openai", "models.embed.base_url="+server, "models.embed.model="+embedModel,
	)
}

// newListener makes a service of the agent that only listens.
func newListener(dir, binary, server string, clients int) *service {
	s := &service{name: "listener", agent: harness.Listener, binary: binary, dir: filepath.Join(dir, "listener"), clients: clients, script: newTalker, worksOn: true}
	s.database = sqliteFile(s.path())
	s.args = append([]string{"--agent", s.agentFile()}, memorySettings(server, firstModel)...)
	s.before = s.writeAgent
	s.effects = func(context.Context) (map[string]int, error) { return nil, nil }
	return s
}

// talker tells stories, one sentence a turn.
type talker struct {
	rng *rand.Rand
	n   int
}

func newTalker(rng *rand.Rand, _ int) script { return &talker{rng: rng} }

func (t *talker) open() (text, writes string) { return t.sentence(), "" }

func (t *talker) next(reply) (text, writes string) { return t.sentence(), "" }

func (t *talker) sentence() string {
	t.n++
	return fmt.Sprintf("%s, and that cost %d crowns", harness.Story(t.rng), t.n)
}

// memoryRun is a run with -memory.
type memoryRun struct {
	o       options
	service *service
	model   *toyModel
	report  *memoryReport
	rng     *rand.Rand
	blocks  map[string]string // blocks of summaries seen so far, by session and name
}

// measureMemory kills a service at work on its memory and inspects the result.
func measureMemory(ctx context.Context, o options, stderr io.Writer) (r *memoryReport, err error) {
	dir, binary, done, err := o.scratch(ctx, stderr)
	if err != nil {
		return nil, err
	}
	defer done()
	begin := time.Now()
	model := newToyModel()
	defer model.close()
	m := &memoryRun{
		o: o, service: newListener(dir, binary, model.url(), o.clients), model: model, blocks: map[string]string{},
		report: &memoryReport{Cycles: o.cycles, Seed: o.seed}, rng: rand.New(rand.NewPCG(o.seed, 1)),
	}
	m.service.yes = model.asked
	defer m.service.close()
	if err := m.run(ctx, stderr); err != nil {
		return nil, err
	}
	m.report.Seconds = time.Since(begin).Seconds()
	return m.report, nil
}

func (m *memoryRun) run(ctx context.Context, stderr io.Writer) error {
	s := m.service
	if err := s.begin(ctx, m.o.seed); err != nil {
		return err
	}
	for cycle := range m.o.cycles {
		if err := m.cycle(ctx); err != nil {
			return fmt.Errorf("cycle %d: %w", cycle+1, err)
		}
		if cycle%10 == 9 && !m.o.json {
			fmt.Fprintf(stderr, "crash: %d cycles\n", cycle+1)
		}
	}
	var told report
	if err := s.end(ctx, &told); err != nil {
		return err
	}
	m.report.take(&told)
	if err := m.drain(ctx); err != nil {
		return err
	}
	if err := m.inspect(ctx); err != nil {
		return err
	}
	return errors.Join(m.reindex(ctx), m.importing(ctx))
}

// cycle lets the clients talk, kills the service, two times of three during a model request, and
// starts it again.
func (m *memoryRun) cycle(ctx context.Context) error {
	s := m.service
	if err := harness.Pause(ctx, time.Duration(m.rng.IntN(300))*time.Millisecond); err != nil {
		return err
	}
	if m.rng.IntN(3) > 0 {
		if err := s.awaitYes(ctx, m.rng); err != nil {
			return err
		}
	}
	s.one().Kill()
	if err := s.falseStart(ctx, m.rng, s.one()); err != nil {
		return err
	}
	if err := m.expire(ctx); err != nil {
		return err
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	return m.watch(ctx)
}

// drain starts the service without clients, kills it a few times at work on the remaining jobs,
// and then waits for them.
func (m *memoryRun) drain(ctx context.Context) error {
	s := m.service
	for range cuts / 2 {
		if err := m.expire(ctx); err != nil {
			return err
		}
		if err := s.one().Launch(); err != nil {
			return err
		}
		if err := s.awaitYes(ctx, m.rng); err != nil {
			return err
		}
		s.one().Kill()
	}
	m.report.KillsInWork = s.struck
	if err := m.expire(ctx); err != nil {
		return err
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	left, dead, err := s.awaitJobs(ctx)
	if err != nil {
		return err
	}
	m.report.JobsDead += dead
	m.report.JobsLost += left
	s.one().terminate()
	m.report.Ungraceful += s.one().ungraceful
	return nil
}
