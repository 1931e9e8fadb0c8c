package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/router/telemetry"
)

// spoolStderr puts a spool in front of a long-running command's standard error: neither one that nobody
// reads nor one whose reader has ended may block or end the service. The caller calls flush at the
// end.
func spoolStderr(cmd *cobra.Command) (flush func()) {
	spool := telemetry.NewSpool(cmd.ErrOrStderr())
	cmd.SetErr(spool)
	// The runtime ends a process that writes to a broken standard error, unless it listens for the signal
	// (os/signal, "SIGPIPE"). Nothing reads the channel.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	return func() {
		_ = spool.Close() // what could not be written cannot be told either
		signal.Stop(pipe)
	}
}
