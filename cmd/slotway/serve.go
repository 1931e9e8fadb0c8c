package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/router/httpapi"
)

// drainTime is how long turns under way may take once the process was told to stop.
const drainTime = 10 * time.Second

func newServe(f *flags) *cobra.Command {
	var addr string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer over HTTP, as OpenAI's API and MCP do too, with the studio page",
		Long: `Answer over HTTP: POST /chat, sessions and memory under /v1, OpenAI's API at
/v1/chat/completions and /v1/responses, MCP at /mcp, the studio at /studio, and /metrics.
/openapi.json describes all of it.

` + reloadHelp,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if addr != "" {
				f.set = append(f.set, "server.addr="+addr)
			}
			defer spoolErrors(cmd)()
			a, err := newApp(cmd.Context(), f, parts{logs: cmd.ErrOrStderr(), observed: true, fits: asksOrStaysEarly})
			if err != nil {
				return err
			}
			return errors.Join(serve(cmd, f, a), a.Close())
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "", "HOST:PORT to listen on; port 0 takes a free one (default: server.addr)")
	return cmd
}

// serve answers until the command's context ends, then lets turns under way finish.
func serve(cmd *cobra.Command, f *flags, a *app) error {
	ctx, addr := cmd.Context(), a.settings.Server.Addr
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen: %w; choose another address with --addr", err)
	}
	s, err := newService(a, listener.Addr(), cmd.ErrOrStderr())
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	a.watch(f, cmd.ErrOrStderr(), s.reloaded)
	server := httpapi.NewServer(addr, s)
	server.ErrorLog = log.New(cmd.ErrOrStderr(), "slotway: ", 0) // by default it goes past what is printable
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	fmt.Fprintf(cmd.ErrOrStderr(), "listening on http://%s\n", listener.Addr())
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	err = s.stop(server)
	<-ended // http.ErrServerClosed: it was asked to
	return err
}

// stop refuses new turns, waits for those under way, and closes the connections. A turn
// that is cut off is settled by the next one of its session.
func (s *service) stop(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	err := s.api.Drain(ctx)
	if err == nil {
		err = s.mcp.Close()
	}
	if err == nil {
		err = server.Shutdown(ctx) // answers that are still being sent
	}
	if err == nil {
		return nil
	}
	return errors.Join(fmt.Errorf("turns were still under way after %s: %w", drainTime, err), server.Close())
}
