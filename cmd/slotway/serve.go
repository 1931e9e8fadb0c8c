package main

import (
	"errors"
	"fmt"
	"net"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway"
)

func newServe(f *flags) *cobra.Command {
	var addr string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the agent over HTTP: its own API, OpenAI's, MCP, and the studio",
		Long: `Serve the agent over HTTP: POST /chat, sessions and memory under /v1, OpenAI's API at
/v1/chat/completions and /v1/responses, MCP at /mcp, the studio at /studio, and /metrics.
/openapi.json describes all of it.

` + reloadHelp,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if addr != "" {
				f.set = append(f.set, "server.addr="+addr)
			}
			defer spoolStderr(cmd)()
			settings, err := f.settings()
			if err == nil {
				err = slotway.MayListen(settings, settings.Server.Addr) // before anything is opened or written
			}
			if err != nil {
				return err
			}
			r, err := f.open(cmd.Context(), slotway.Options{Stderr: cmd.ErrOrStderr()})
			if err != nil {
				return err
			}
			return errors.Join(serve(cmd, r), r.Close())
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "", "HOST:PORT to listen on; port 0 takes a free one (default: server.addr)")
	return cmd
}

// serve answers until the command's context ends.
func serve(cmd *cobra.Command, r *slotway.Runtime) error {
	var listen net.ListenConfig
	listener, err := listen.Listen(cmd.Context(), "tcp", r.Settings().Server.Addr)
	if err != nil {
		return fmt.Errorf("listen: %w; choose another address with --addr", err)
	}
	r.Watch()
	if err := slotway.MayListen(r.Settings(), listener.Addr().String()); err == nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "listening on http://%s\n", listener.Addr())
	}
	return r.Serve(cmd.Context(), listener)
}
