package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
)

// cuts is the number of times that a command is killed before it may finish.
const cuts = 6

// command runs a command of slotway. It kills the command after limit, unless that is 0.
func (m *memoryRun) command(ctx context.Context, limit time.Duration, args ...string) (out string, killed bool, err error) {
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit) // Run kills the command at its end
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, m.service.binary, append([]string{"--set", "telemetry.log=none"}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &stdout, &stderr, m.service.dir
	err = cmd.Run()
	if limit > 0 && ctx.Err() != nil && err != nil {
		return stdout.String(), true, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String(), false, nil
}

// cutOff kills a command at random moments and lets the last try finish. took is the time that
// the command takes without a kill.
func (m *memoryRun) cutOff(ctx context.Context, took time.Duration, args ...string) (kills int, err error) {
	for range cuts {
		_, killed, err := m.command(ctx, 1+time.Duration(m.rng.Int64N(int64(took))), args...)
		if err != nil {
			return kills, err
		}
		if killed {
			kills++
		}
	}
	_, _, err = m.command(ctx, 0, args...)
	return kills, err
}

// sessions exports the sessions of a database by their ids.
func sessions(ctx context.Context, path string) (map[string]string, error) {
	out := map[string]string{}
	return out, eachSession(ctx, path, func(ctx context.Context, store memory.Backend, key memory.Key) error {
		var b strings.Builder
		err := store.Export(ctx, key, &b)
		out[key.SessionID] = b.String()
		return err
	})
}

// differences counts the sessions that differ.
func differences(a, b map[string]string) int {
	n := 0
	for id := range a {
		if a[id] != b[id] {
			n++
		}
	}
	for id := range b {
		if _, ok := a[id]; !ok {
			n++
		}
	}
	return n
}

// reindex computes the vectors again, with another model and then with the first one. It kills the
// second reindex a few times.
func (m *memoryRun) reindex(ctx context.Context) error {
	s := m.service
	before, err := sessions(ctx, s.path())
	if err != nil {
		return err
	}
	args := func(model string) []string {
		global := []string{"--agent", s.agentFile(), "--data", s.dir}
		return append(append(global, memorySettings(m.model.url(), model)...), "memory", "reindex")
	}
	begin := time.Now()
	if _, _, err := m.command(ctx, 0, args(secondModel)...); err != nil {
		return err
	}
	took := time.Since(begin)
	if err := m.inspectAgain(ctx, secondModel); err != nil {
		return err
	}
	if m.report.ReindexKills, err = m.cutOff(ctx, took, args(firstModel)...); err != nil {
		return err
	}
	out, _, err := m.command(ctx, 0, args(firstModel)...)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(out, "0 messages") {
		m.report.ReindexDiffers++
		m.report.note("a reindex after a finished one says %q", out)
	}
	after, err := sessions(ctx, s.path())
	if err != nil {
		return err
	}
	m.report.ReindexDiffers += differences(before, after)
	return m.inspectAgain(ctx, firstModel)
}

// inspectAgain checks that all vectors are from one model.
func (m *memoryRun) inspectAgain(ctx context.Context, model string) error {
	return eachSession(ctx, m.service.path(), func(ctx context.Context, store memory.Backend, key memory.Key) error {
		all, err := store.Messages(ctx, key, memory.Page{Last: true, Inactive: true})
		if err != nil {
			return err
		}
		return m.inspectVectors(ctx, store, key, all, model)
	})
}

// importing imports all sessions into an empty database. It kills the import a few times.
func (m *memoryRun) importing(ctx context.Context) error {
	want, err := sessions(ctx, m.service.path())
	if err != nil {
		return err
	}
	dir := filepath.Dir(m.service.dir)
	file := filepath.Join(dir, "sessions.jsonl")
	var all strings.Builder
	for _, text := range want {
		all.WriteString(text)
	}
	if err := os.WriteFile(file, []byte(all.String()), 0o600); err != nil {
		return err
	}
	args := func(name string) []string {
		return []string{"--data", filepath.Join(dir, name), "sessions", "import", file}
	}
	begin := time.Now()
	if _, _, err := m.command(ctx, 0, args("whole")...); err != nil {
		return err
	}
	if m.report.ImportKills, err = m.cutOff(ctx, time.Since(begin), args("parts")...); err != nil {
		return err
	}
	out, _, err := m.command(ctx, 0, args("parts")...)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(out, "0 sessions") {
		m.report.ImportDiffers++
		m.report.note("an import after a finished one says %q", out)
	}
	got, err := sessions(ctx, filepath.Join(dir, "parts", "memory.db"))
	if err != nil {
		return err
	}
	whole, err := sessions(ctx, filepath.Join(dir, "whole", "memory.db"))
	if err != nil {
		return err
	}
	m.report.ImportDiffers += differences(whole, got) + differences(messages(want), messages(whole))
	return nil
}

// messages returns the lines of exports that an import keeps unchanged. It removes questions,
// confirmations and calls.
func messages(exports map[string]string) map[string]string {
	out := map[string]string{}
	for id, text := range exports {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, `{"message":`) {
				out[id] += line
			}
		}
	}
	return out
}
