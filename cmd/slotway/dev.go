package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router/httpapi"
)

func newDev(f *flags) *cobra.Command {
	var addr string
	var browse, live bool
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Serve the agent while you write it: reload and test on every save",
		Long: `Serve the agent on this machine while you write it. After each save the agent is loaded again, what
"slotway check" says of it is shown here and in the studio, and its tests are run again: the conversations
below the folder tests beside the agent, else below the agent's folder, that talk to this agent.
Turns that differ are shown as a diff, here and in the studio. A test is also run when its own file
is saved.

A message in the studio calls the agent's tools as "slotway serve" does. The tests do not:
` + liveHelp + `

Telemetry is not logged unless --set telemetry.log=FILE says so.

` + reloadHelp,
		Example: `  slotway --agent agent.yaml dev
  slotway --agent agent.yaml dev --open --addr 127.0.0.1:8090`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.agent == "" {
				return usagef("dev needs a file to watch: name it with --agent FILE, or call it agent.yaml; 'slotway init DIR' makes one")
			}
			f.set = append([]string{"telemetry.log=none"}, f.set...)
			if addr != "" {
				f.set = append(f.set, "server.addr="+addr)
			}
			return f.dev(cmd, browse, live)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "", "HOST:PORT to listen on, of this machine; port 0 takes a free one (default: server.addr)")
	cmd.Flags().BoolVar(&browse, "open", false, "open the studio in the browser")
	cmd.Flags().BoolVar(&live, "live", false, "let the tests call write tools for real where a conversation does not script them")
	return cmd
}

// dev serves, watches and tests until the command's context ends.
func (f *flags) dev(cmd *cobra.Command, browse, live bool) error {
	defer spoolStderr(cmd)()
	settings, err := f.settings()
	if err != nil {
		return err
	}
	if httpapi.LoopbackHost(settings.Server.Addr) == "" {
		return usagef("dev listens on this machine only, not on %s; choose another address with --addr 127.0.0.1:8080", settings.Server.Addr)
	}
	adapters, err := f.authoring(cmd.Context(), true, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	tests := newDevTests(f, live, cmd.OutOrStdout(), cmd.ErrOrStderr())
	r, err := f.open(cmd.Context(), slotway.Options{
		Stderr: cmd.ErrOrStderr(), Adapters: adapters, Tests: tests.results,
		Reloaded: func(_ *config.Agent, err error) {
			if err == nil {
				tests.wake()
			}
		},
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(cmd.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tests.run(ctx)
	}()
	if browse {
		openBrowser(cmd, "http://"+settings.Server.Addr+"/studio")
	}
	err = serve(cmd, f, r)
	stop()
	<-ended
	return errors.Join(err, r.Close())
}

// browsers are the commands that open a URL, by operating system.
var browsers = map[string][]string{
	"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}, "linux": {"xdg-open"}, "freebsd": {"xdg-open"},
}

// openBrowser opens a page; the address that is printed does as well if it cannot.
func openBrowser(cmd *cobra.Command, url string) {
	opener := browsers[runtime.GOOS]
	if len(opener) == 0 {
		return
	}
	if err := exec.CommandContext(cmd.Context(), opener[0], append(opener[1:], url)...).Start(); err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "slotway: no browser could be opened (%v); open %s yourself\n", err, url)
	}
}
