package main

import (
	"context"
	"errors"
	"fmt"
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
		Short: "Answer over HTTP: POST /chat, GET /healthz, GET /readyz",
		Long:  "Answer over HTTP: POST /chat, GET /healthz, GET /readyz\n\n" + reloadHelp,
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if addr != "" {
				f.set = append(f.set, "server.addr="+addr)
			}
			a, err := newApp(cmd.Context(), f, parts{logs: cmd.ErrOrStderr()})
			if err != nil {
				return err
			}
			a.watch(f, cmd.ErrOrStderr(), nil)
			return errors.Join(serve(cmd, a), a.Close())
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "", "HOST:PORT to listen on; port 0 takes a free one (default: server.addr)")
	return cmd
}

// serve answers until the command's context ends, then lets turns under way finish.
func serve(cmd *cobra.Command, a *app) error {
	ctx, addr := cmd.Context(), a.settings.Server.Addr
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen: %w; choose another address with --addr", err)
	}
	api := httpapi.New(a.router, &httpapi.Options{
		Agent: a.router.Agent, Ready: a.store.Ping, Sink: a.sink,
		MaxBody: int64(a.settings.Server.Limits.Body), MaxInFlight: a.settings.Server.Limits.InFlight,
	})
	server := httpapi.NewServer(addr, api)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	fmt.Fprintf(cmd.ErrOrStderr(), "listening on http://%s\n", listener.Addr())
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	err = stop(api, server)
	<-ended // http.ErrServerClosed: it was asked to
	return err
}

// stop refuses new turns, waits for those under way, and closes the connections. A turn
// that is cut off is settled by the next one of its session.
func stop(api *httpapi.API, server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	err := api.Drain(ctx)
	if err == nil {
		err = server.Shutdown(ctx) // answers that are still being sent
	}
	if err == nil {
		return nil
	}
	return errors.Join(fmt.Errorf("turns were still under way after %s: %w", drainTime, err), server.Close())
}
