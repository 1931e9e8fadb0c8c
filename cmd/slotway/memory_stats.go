package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/summary"
)

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
