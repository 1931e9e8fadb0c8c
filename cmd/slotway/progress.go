package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
)

// bar shows the progress of long work, only on a terminal. A nil bar shows nothing. It is safe for
// concurrent use.
type bar struct{ bar *progressbar.ProgressBar }

// countBar starts a bar of total steps on the command's error stream.
func countBar(cmd *cobra.Command, what string, total int) *bar {
	screen := screenOf(cmd.ErrOrStderr())
	if screen == nil {
		return nil
	}
	return newBar(screen, what, total)
}

// newBar draws a bar at zero.
func newBar(screen io.Writer, what string, total int) *bar {
	b := progressbar.NewOptions(total,
		progressbar.OptionSetWriter(screen),
		progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
	_ = b.RenderBlank() // a terminal that cannot be written to is no reason to stop
	return &bar{b}
}

func (b *bar) add(n int) {
	if b != nil {
		_ = b.bar.Add(n) // as in newBar
	}
}

func (b *bar) finish() {
	if b != nil {
		_ = b.bar.Finish()
	}
}

// stepBar is a bar that learns its total with its first step.
func stepBar[N int | int64](cmd *cobra.Command, what string) (step func(done, total N), finish func()) {
	var b *bar
	var shown N
	return func(done, total N) {
		if b == nil {
			b = countBar(cmd, what, int(total))
		}
		b.add(int(done - shown))
		shown = done
	}, func() { b.finish() }
}

// timeBar shows the elapsed time until stop is called or total is over.
func timeBar(cmd *cobra.Command, what string, total time.Duration) (stop func()) {
	const step = 100 * time.Millisecond
	b := countBar(cmd, what, int(total/step))
	if b == nil {
		return func() {}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(step)
		defer tick.Stop()
		for range int(total / step) {
			select {
			case <-tick.C:
				b.add(1)
			case <-end:
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
		b.finish()
	}
}
