package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/embed"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/recall"
)

// recallBench is a store of conversations with a tier over it.
type recallBench struct {
	tier     *recall.Tier
	ids      map[recallPlace]string // of turns
	convs    []string
	messages int
	model    string
	build    time.Duration
}

// recallPlace is the message that a turn became.
type recallPlace struct {
	conv, session string
	seq           int64
}

const recallAgent = "eval"

func newRecallBench(ctx context.Context, turns []evalTurn, noEmbeddings bool) (*recallBench, error) {
	b := &recallBench{ids: map[recallPlace]string{}}
	opts := &recall.Options{MaxBytes: math.MaxInt64, MaxScopes: math.MaxInt}
	if !noEmbeddings {
		static, err := embed.New()
		if err != nil {
			return nil, err
		}
		opts.Embedders = []recall.Embedder{static}
		b.model = static.Model()
	}
	store := inmem.New(nil)
	b.tier = recall.New(store, opts)
	sessions, order := map[memory.Key]*memory.Delta{}, []memory.Key{}
	for i := range turns {
		t := &turns[i]
		key := memory.Key{UserID: t.Conv, AgentID: recallAgent, SessionID: cmp.Or(strings.Trim(string(t.Session), `"`), "1")}
		d := sessions[key]
		if d == nil {
			d = &memory.Delta{Key: key}
			sessions[key] = d
			order = append(order, key)
		}
		m := t.message()
		m.Seq, m.Turn = int64(len(d.Messages))+1, 1
		if d.At.IsZero() {
			d.At = m.Timestamp
		}
		d.Messages = append(d.Messages, m)
		b.ids[recallPlace{t.Conv, key.SessionID, m.Seq}] = t.ID
		if !slices.Contains(b.convs, t.Conv) {
			b.convs = append(b.convs, t.Conv)
		}
	}
	for _, key := range order {
		if err := store.Commit(ctx, sessions[key]); err != nil {
			return nil, fmt.Errorf("store session %s of %s: %w", key.SessionID, key.UserID, err)
		}
	}
	b.messages = len(turns)
	return b, b.warm(ctx)
}

// warm builds the indexes.
func (b *recallBench) warm(ctx context.Context) error {
	begun := time.Now()
	for _, conv := range b.convs {
		q := recall.Query{Key: memory.Key{UserID: conv, AgentID: recallAgent}, Text: "warm", K: 1}
		if _, err := b.tier.Search(ctx, q); err != nil {
			return err
		}
	}
	b.build = time.Since(begun)
	return nil
}

// message returns the turn as a stored message.
func (t *evalTurn) message() memory.Message {
	m := memory.Message{Role: memory.User, Text: strings.ToValidUTF8(t.Text, "\uFFFD"), Timestamp: recallDate(t.Date)}
	if t.Caption != "" {
		m.Text += " [" + strings.ToValidUTF8(t.Caption, "\uFFFD") + "]"
	}
	switch strings.ToLower(t.Speaker) {
	case "user", "human":
	case "assistant", "agent", "ai", "bot", "system":
		m.Role = memory.Agent
	default:
		m.Metadata = map[string]string{recall.SpeakerKey: t.Speaker}
	}
	return m
}

// recallDates are the accepted forms of dates. A turn without one has no date.
var recallDates = []string{
	"3:04 pm on 2 January, 2006", time.RFC3339, time.DateTime, time.DateOnly, "2006-01-02T15:04:05", "2006/01/02 (Mon) 15:04",
	"2006/01/02", "January-02-2006", "January-2-2006", "January 2, 2006", "2 January, 2006", "2 January 2006", "02.01.2006, 15:04:05",
}

func recallDate(text string) time.Time {
	for _, layout := range recallDates {
		if at, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return at
		}
	}
	return time.Time{}
}

// ask searches for every question.
func (b *recallBench) ask(cmd *cobra.Command, questions []evalQuestion, ks []int) (*recallFigures, []recallRun, error) {
	figures := &recallFigures{
		Recall: map[string]float64{}, Categories: map[string]map[string]float64{}, Messages: b.messages, Model: b.model,
		Build: float64(b.build.Microseconds()) / 1000, Bytes: b.tier.Stats().Bytes,
	}
	progress := countBar(cmd, "questions", len(questions))
	defer progress.finish()
	counts := map[string]int{}
	var runs []recallRun
	var times, whole []time.Duration
	for i := range questions {
		q := &questions[i]
		query := recall.Query{Key: memory.Key{UserID: q.Conv, AgentID: recallAgent}, Text: q.Question, K: slices.Max(ks)}
		begun := time.Now()
		found, err := b.tier.Search(cmd.Context(), query)
		if err != nil {
			return nil, nil, fmt.Errorf("question %d: %w", i, err)
		}
		whole = append(whole, time.Since(begun))
		begun = time.Now()
		if _, err := b.tier.Places(cmd.Context(), query); err != nil {
			return nil, nil, fmt.Errorf("question %d: %w", i, err)
		}
		times = append(times, time.Since(begun))
		ranked := []string{}
		for j := range found {
			ranked = append(ranked, b.ids[recallPlace{q.Conv, found[j].Key.SessionID, found[j].Message.Seq}])
		}
		idx := i
		if q.Idx != nil {
			idx = *q.Idx
		}
		runs = append(runs, recallRun{Conv: q.Conv, Idx: idx, Ranked: ranked})
		figures.add(q, ranked, ks, counts)
		progress.add(1)
	}
	figures.finish(counts)
	slices.Sort(times)
	slices.Sort(whole)
	figures.P50, figures.P99, figures.SearchP50 = quantile(times, .5), quantile(times, .99), quantile(whole, .5)
	return figures, runs, nil
}

// add counts one question.
func (r *recallFigures) add(q *evalQuestion, ranked []string, ks []int, counts map[string]int) {
	gold := map[string]bool{}
	for _, id := range q.Evidence {
		gold[id] = true
	}
	if len(gold) == 0 {
		return
	}
	if r.Categories[q.Category] == nil {
		r.Categories[q.Category] = map[string]float64{}
	}
	r.Questions++
	counts[q.Category]++
	for _, k := range ks {
		hits := 0
		for _, id := range ranked[:min(k, len(ranked))] {
			if gold[id] {
				hits++
			}
		}
		share := float64(hits) / float64(len(gold))
		r.Recall[fmt.Sprintf("R@%d", k)] += share
		r.Categories[q.Category][fmt.Sprintf("R@%d", k)] += share
	}
}

// finish turns sums into means.
func (r *recallFigures) finish(counts map[string]int) {
	for name := range r.Recall {
		r.Recall[name] /= float64(r.Questions)
	}
	for category, values := range r.Categories {
		for name := range values {
			values[name] /= float64(counts[category])
		}
		values["n"] = float64(counts[category])
	}
}
