package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

// compare compares what the clients were told with the store and with the effects.
func (s *service) compare(ctx context.Context, r *report) (err error) {
	store, err := s.database.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	var writes []*write
	var all []*transcript
	for _, c := range s.all {
		r.Retries, r.Replayed, r.ReplaysDiffer = r.Retries+c.retries, r.Replayed+c.replayed, r.ReplaysDiffer+c.differ
		r.UnfinishedWrites, r.Confirmed = r.UnfinishedWrites+c.unfinished, r.Confirmed+c.asked
		writes = append(writes, c.writes...)
		r.add(c.harms, nil)
		r.add(c.ways, nil)
		if err := r.checkForgotten(ctx, store, s, c.forgotten); err != nil {
			return err
		}
		for _, known := range c.sessions {
			r.Sessions++
			r.Acknowledged += len(known.turns)
			if known.stuck != nil {
				r.Stuck++
				r.notes = append(r.notes, fmt.Sprintf("session %s: %v", known.id, known.stuck))
			}
			if len(known.turns)+len(known.gone) == 0 {
				continue
			}
			stored, err := export(ctx, store, s.key(known.id))
			if errors.Is(err, memory.ErrNotFound) && len(known.turns) == 0 {
				stored, err = &transfer.Archive{}, nil
			}
			if err != nil {
				return fmt.Errorf("read session %s: %w", known.id, err)
			}
			r.compareSession(known, stored)
			all = append(all, transcribe(known, stored))
			if r.Fleet != nil {
				r.Fleet.take(known)
			}
		}
		if r.Fleet != nil {
			r.Fleet.Windows += c.windows
			r.Fleet.WrongWindows += len(c.wrongWindows)
			r.notes = append(r.notes, c.wrongWindows...)
		}
	}
	r.KillsInWrites += s.struck
	if s.rival != nil {
		if err := s.rival.check(ctx, store, r); err != nil {
			return err
		}
	}
	if err := s.compareWrites(ctx, r, writes, all); err != nil {
		return fmt.Errorf("read the effects: %w", err)
	}
	r.add(s.harms, nil)
	for _, p := range s.processes {
		r.add(nil, p.died)
	}
	return nil
}

func (s *service) compareWrites(ctx context.Context, r *report, writes []*write, all []*transcript) error {
	if s.happened != nil {
		e, err := s.happened()
		if err == nil {
			r.compareLedger(all, e)
		}
		return err
	}
	effects, err := s.effects(ctx)
	if err == nil {
		r.compareEffects(writes, effects)
	}
	return err
}

func export(ctx context.Context, store memory.Backend, key memory.Key) (out *transfer.Archive, err error) {
	var buf bytes.Buffer
	if err := store.Export(ctx, key, &buf); err != nil {
		return nil, err
	}
	err = transfer.ReadArchives(&buf, func(a *transfer.Archive) error { out = a; return nil })
	return out, err
}

// compareSession looks for every acknowledged turn in the store, with its message, its reply and
// its number.
func (r *report) compareSession(known *session, stored *transfer.Archive) {
	turns := map[string]*memory.Turn{}
	for i := range stored.Turns {
		turns[stored.Turns[i].RequestID] = &stored.Turns[i]
	}
	texts := map[int64][2]string{} // of a turn: message and reply
	for _, m := range stored.Messages {
		pair := texts[m.Turn]
		switch m.Role {
		case memory.User:
			pair[0] += m.Text
		case memory.Agent:
			pair[1] += m.Text
		}
		texts[m.Turn] = pair
	}
	given := map[int64]bool{} // turns of messages that clients gave up
	for _, g := range known.gone {
		if turn := turns[g.id]; turn != nil {
			given[turn.Number] = true
			r.compareGone(g, turn, texts[turn.Number])
			delete(turns, g.id)
		}
	}
	last := int64(0)
	slices.SortFunc(known.turns, func(a, b said) int { return cmp.Compare(a.reply.Turn, b.reply.Turn) })
	for _, t := range known.turns {
		if t.reply.hidesUnknown() {
			r.UntoldUnknown++
		}
		turn := turns[t.id]
		delete(turns, t.id)
		var response reply
		if turn == nil || json.Unmarshal(turn.Response, &response) != nil || response.Reply != t.reply.Reply ||
			texts[turn.Number] != [2]string{t.text, t.reply.Reply} {
			r.Lost++
			continue
		}
		for given[last+1] {
			last++
		}
		if turn.Number != last+1 || turn.Number != t.reply.Turn || turn.Number <= t.after {
			r.Reordered++
		}
		last = turn.Number
	}
	if known.stuck == nil {
		r.Strange += len(turns)
	}
}

// compareGone checks the turn of a message that its client gave up. There need not be one, but if
// there is, it must be as good as any other.
func (r *report) compareGone(g gone, turn *memory.Turn, texts [2]string) {
	var response reply
	switch {
	case json.Unmarshal(turn.Response, &response) != nil || texts != [2]string{g.text, response.Reply}:
		r.Lost++
	case turn.Number <= g.after:
		r.Reordered++
	case response.hidesUnknown():
		r.UntoldUnknown++
	}
}

// compareEffects compares the effects with the yeses and with the reported outcomes.
func (r *report) compareEffects(writes []*write, effects map[string]int) {
	yeses := map[string]int{}
	told := map[string]map[string]bool{}
	for _, w := range writes {
		r.Confirmed++
		if w.asked() {
			yeses[w.key]++
		}
		if told[w.key] == nil {
			told[w.key] = map[string]bool{}
		}
		for status := range w.told {
			told[w.key][status] = true
		}
	}
	for key, n := range effects {
		r.Effects += n
		switch {
		case yeses[key] == 0:
			r.UnaskedWrites += n
			r.notes = append(r.notes, "nobody asked for the write of "+key)
			continue
		case n > yeses[key]:
			r.DoubleWrites += n - yeses[key]
			r.notes = append(r.notes, fmt.Sprintf("the write of %s happened %d times for %d yeses", key, n, yeses[key]))
		}
		if !told[key]["ok"] && !told[key]["unknown"] {
			r.UntoldEffects++
			r.notes = append(r.notes, fmt.Sprintf("the write of %s took place, and was told as %v", key, told[key]))
		}
	}
	for key, statuses := range told {
		if statuses["ok"] {
			r.ToldDone++
		}
		if statuses["unknown"] {
			r.ToldUnknown++
		}
		if statuses["ok"] && effects[key] == 0 {
			r.MissingEffects++
		}
	}
}

// asked reports whether the yes answers a question. Of two concurrent yeses only the first does,
// unless its own reply asks again.
func (w *write) asked() bool {
	if w.first {
		return true
	}
	for _, t := range w.session.turns {
		if t.reply.Turn == w.turn-1 {
			return t.reply.Confirming != nil
		}
	}
	return false
}

// unknownTold is in the replies of the agents about an unknown outcome.
const unknownTold = "couldn't confirm whether that went through"

// hidesUnknown reports whether the outcome of a call is unknown and the reply does not say so.
func (r *reply) hidesUnknown() bool {
	for _, call := range r.ToolCalls {
		if call.Status == "unknown" {
			return !strings.Contains(r.Reply, unknownTold)
		}
	}
	return false
}

// checkForgotten counts erased sessions that exist.
func (r *report) checkForgotten(ctx context.Context, store memory.Backend, s *service, sessions []string) error {
	for _, id := range sessions {
		r.Forgotten++
		_, err := store.Messages(ctx, s.key(id), memory.Page{Limit: 1, Inactive: true})
		switch {
		case err == nil:
			r.Returned++
			r.notes = append(r.notes, "session "+id+" was forgotten and is there again")
		case !errors.Is(err, memory.ErrNotFound):
			return fmt.Errorf("look for session %s: %w", id, err)
		}
	}
	return nil
}
