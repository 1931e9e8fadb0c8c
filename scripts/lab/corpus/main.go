package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/slotway/slotway/scripts/lab/jsonl"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// options are the command line.
type options struct {
	bots, replays, emit, only string
	json, free                bool
	show                      int
}

// run is main without the process. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	fs := flag.NewFlagSet("corpus", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.bots, "bots", "", "folder with a folder for each bot")
	fs.StringVar(&o.replays, "replays", "", "file of recorded conversations, or of goals")
	fs.StringVar(&o.emit, "emit", "", "write the agents into this folder and keep them")
	fs.StringVar(&o.only, "only", "", "this bot alone")
	fs.BoolVar(&o.json, "json", false, "one JSON object")
	fs.BoolVar(&o.free, "free", false, "set nothing before a turn: only what the user said goes in")
	fs.IntVar(&o.show, "show", 0, "failures to show of each class")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	if fs.NArg() > 0 || o.bots == "" || o.replays == "" {
		fmt.Fprintln(stderr, "corpus: usage: corpus --bots DIR --replays FILE; there are no other arguments")
		return 2
	}
	r, err := measure(ctx, o, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "corpus: "+err.Error())
		return 1
	}
	if o.json {
		err = r.writeJSON(stdout)
	} else {
		r.writeText(stdout, o.show)
	}
	if err != nil {
		fmt.Fprintln(stderr, "corpus: "+err.Error())
		return 1
	}
	return 0
}

// measure plays a file.
func measure(ctx context.Context, o options, progress io.Writer) (*report, error) {
	for _, path := range []string{o.bots, o.replays} {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is not there: the recorded conversations and their bots are no part of the project", path)
		}
	}
	dir := o.emit
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "slotway-corpus-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
	}
	m := &measurement{o: o, dir: dir, progress: progress, report: &report{file: filepath.Base(o.replays), total: newScore(), bots: map[string]*score{}}}
	return m.report, m.file(ctx)
}

// measurement is the play of one file.
type measurement struct {
	o        options
	dir      string // of the converted agents
	progress io.Writer
	report   *report
}

// file plays a file of recorded conversations or of goals, bot by bot.
func (m *measurement) file(ctx context.Context) error {
	lines, err := jsonl.Read[conversation](m.o.replays)
	if err != nil {
		return err
	}
	jobs := map[string]*job{}
	at := func(key string) *job {
		if jobs[key] == nil {
			jobs[key] = &job{key: key}
		}
		return jobs[key]
	}
	if len(lines) > 0 && len(lines[0].Turns) == 0 {
		goals, err := jsonl.Read[goal](m.o.replays)
		if err != nil {
			return err
		}
		for _, g := range goals {
			at(g.Bot).goals = append(at(g.Bot).goals, g)
		}
		lines = nil
	}
	if len(lines) > 0 && len(lines[0].Dialog) > 0 {
		return m.inputs(ctx, lines)
	}
	for _, c := range lines {
		key := c.Bot
		if strings.HasSuffix(key, "_multi") {
			key += ":" + c.Domain
		}
		at(key).conversations = append(at(key).conversations, c)
	}
	for _, key := range slices.Sorted(maps.Keys(jobs)) {
		bot, _, _ := strings.Cut(key, ":")
		if m.o.only != "" && m.o.only != key && m.o.only != bot {
			continue
		}
		if err := m.bot(ctx, jobs[key]); err != nil {
			return fmt.Errorf("bot %s: %w", key, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.report.bots)) {
		m.report.total.add(m.report.bots[name])
	}
	return nil
}

// job lists what to play to one bot.
type job struct {
	key           string
	conversations []conversation
	goals         []goal
}

// bot converts, loads and trains a bot once, and plays everything to it.
func (m *measurement) bot(ctx context.Context, j *job) error {
	b, now, err := convert(m.o.bots, j.key)
	if err != nil {
		return err
	}
	if len(b.intents) == 0 {
		m.report.total.skipped["conversation none of whose tasks has a bot"] += len(j.conversations)
		return nil
	}
	agent, err := b.load(m.dir)
	if err != nil {
		return err
	}
	r, err := start(b, agent, now)
	if err != nil {
		return err
	}
	p := &player{r: r, start: now, free: m.o.free, score: newScore()}
	m.report.bots[j.key] = p.score
	for why, n := range b.skipped {
		p.score.skipped[why] += n
	}
	for _, c := range j.conversations {
		if err := p.play(ctx, c); err != nil {
			return err
		}
	}
	for _, g := range j.goals {
		if err := p.goal(ctx, g); err != nil {
			return err
		}
	}
	fmt.Fprintf(m.progress, "%s: %d conversations\n", j.key, p.score.Conversations)
	return nil
}
