package inmem

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
)

// Claim implements memory.Jobs.
func (s *Store) Claim(ctx context.Context, c memory.Claim) ([]memory.Job, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	due := s.listJobs(func(j *memory.Job) bool { return j.Due(&c) })
	due = due[:min(len(due), max(c.Limit, 1))]
	for i, j := range due {
		s.leases++
		due[i] = j.Leased(&c, fmt.Sprint(s.leases))
		s.sessions[j.Key].jobs[j.Kind] = due[i]
	}
	return due, nil
}

// listJobs collects jobs, the longest due first.
func (s *Store) listJobs(want func(*memory.Job) bool) []memory.Job {
	var list []memory.Job
	for _, e := range s.sessions {
		for _, j := range e.jobs {
			if want(&j) {
				list = append(list, j)
			}
		}
	}
	slices.SortFunc(list, func(a, b memory.Job) int {
		return cmp.Or(a.RunAt.Compare(b.RunAt), strings.Compare(a.Key.UserID, b.Key.UserID), strings.Compare(a.Key.AgentID, b.Key.AgentID),
			strings.Compare(a.Key.SessionID, b.Key.SessionID), strings.Compare(a.Kind, b.Kind))
	})
	return list
}

// changeClaimed ends or gives back a claimed job: then says what stays of it; nil: nothing.
func (s *Store) changeClaimed(ctx context.Context, job memory.Job, then func(stored memory.Job) *memory.Job) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	e := s.sessions[job.Key]
	if e == nil || job.Token == "" || e.jobs[job.Kind].Token != job.Token {
		return memory.ErrLease
	}
	if stays := then(e.jobs[job.Kind]); stays != nil {
		e.jobs[job.Kind] = *stays
	} else {
		delete(e.jobs, job.Kind)
	}
	return nil
}

// Finish implements memory.Jobs.
func (s *Store) Finish(ctx context.Context, job memory.Job) error {
	return s.changeClaimed(ctx, job, job.Finished)
}

// Fail implements memory.Jobs.
func (s *Store) Fail(ctx context.Context, job memory.Job, code string, retry time.Time) error {
	return s.changeClaimed(ctx, job, memory.FailedJob(code, retry))
}

// Release implements memory.Jobs.
func (s *Store) Release(ctx context.Context, job memory.Job) error {
	return s.changeClaimed(ctx, job, memory.ReleasedJob)
}

// Jobs implements memory.Backlog.
func (s *Store) Jobs(ctx context.Context, q memory.JobQuery) ([]memory.Job, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	list := s.listJobs(q.Matches)
	return list[:min(len(list), q.Size())], nil
}

// Revive implements memory.Backlog.
func (s *Store) Revive(ctx context.Context, q memory.JobQuery, now time.Time) (int, error) {
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	q.Dead = true
	list := s.listJobs(q.Matches)
	for _, j := range list {
		s.sessions[j.Key].jobs[j.Kind] = j.Revived(now)
	}
	return len(list), nil
}
