package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
)

// context returns the context of the command that runs.
func (f *flags) context() context.Context {
	if f.root == nil || f.root.Context() == nil {
		return context.Background()
	}
	return f.root.Context()
}

// screen returns the terminal for notices; nil: there is none.
func (f *flags) screen() *os.File {
	if f.root == nil {
		return nil
	}
	return screenOf(f.root.ErrOrStderr())
}

// tick returns a function for the training of classifiers: it ends the training with the command's
// context, and shows on a terminal what goes on once that takes longer than a second, as it does for a
// message that waits in a pipe. text says it; trainings is how many there are.
func (f *flags) tick(text string, trainings int) func(done, total int) error {
	ctx, n := f.context(), f.notice(text, trainings)
	return func(done, total int) error {
		n.training(done, total)
		return ctx.Err()
	}
}

func (f *flags) notice(text string, trainings int) *trainingNotice {
	n := &trainingNotice{text: text, trainings: trainings, now: time.Now}
	if screen := f.screen(); screen != nil {
		n.out, n.start = screen, func(total int) *bar { return newBar(screen, "training", total) }
	} else if f.waits {
		n.out = f.root.ErrOrStderr()
	}
	return n
}

// noticeAfter is how long a training goes on without a word, and what must be left of it for a line in a pipe.
const noticeAfter = time.Second

// trainingNotice says that classifiers are trained, how long that takes, and on a terminal how far it is.
type trainingNotice struct {
	text      string
	trainings int
	out       io.Writer            // nil: nobody is told
	start     func(total int) *bar // nil: there is no terminal
	now       func() time.Time

	begun time.Time
	ended int // trainings before the current one
	last  int // what is done of the current one
	bar   *bar
	shown int // on the bar
}

// training is called with the progress of the current training; 0 begins the next one.
func (n *trainingNotice) training(done, total int) {
	if n.out == nil {
		return
	}
	if n.begun.IsZero() {
		n.begun = n.now()
	}
	if done < n.last {
		n.ended++
	}
	n.last = done
	all := max(n.trainings, n.ended+1) * total
	at := min(n.ended*total+done, all)
	if took := n.now().Sub(n.begun); n.text != "" && at < all && took >= noticeAfter {
		left := took * time.Duration(all-at) / time.Duration(max(at, 1))
		if n.start == nil && left < noticeAfter {
			return
		}
		fmt.Fprintf(n.out, "%s It takes about %s more.\n", n.text, left.Round(time.Second))
		n.text = ""
		if n.start != nil {
			n.bar = n.start(all)
		}
	}
	if n.bar == nil {
		return
	}
	n.bar.add(at - n.shown)
	if n.shown = at; at == all {
		n.bar.finish()
		n.bar, n.shown = nil, 0
	}
}

// firstStart tells a person, before the first start in a data folder, what will be in it.
func (f *flags) firstStart(s *settings.Settings) {
	screen, dir := f.screen(), build.DataDir(s)
	if screen == nil {
		return
	}
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		fmt.Fprintf(screen, "First start: %s is made, for conversations, demo databases and trained classifiers (--data or memory.storage_path choose another).\n", dir)
	}
}
