package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway"
)

func newServe(f *flags) *cobra.Command {
	var addr string
	var edit bool
	cmd := &cobra.Command{
		Use: "serve",
		Example: `  slotway serve                                  # the studio is at http://127.0.0.1:8080/studio
  slotway serve --agent agent.yaml --addr 127.0.0.1:0`,
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
			if edit && f.agent == "" {
				return usagef("--edit-agent needs a file: name it with --agent FILE")
			}
			adapters, err := f.authoring(cmd.Context(), edit, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			r, err := f.open(cmd.Context(), slotway.Options{Stderr: cmd.ErrOrStderr(), Adapters: adapters})
			if err != nil {
				return err
			}
			return errors.Join(serve(cmd, f, r), r.Close())
		},
	}
	cmd.Flags().BoolVar(&edit, "edit-agent", false, "let the studio write examples into the agent's file (scope admin)")
	cmd.Flags().StringVar(&addr, "addr", "", "HOST:PORT to listen on; port 0 takes a free one (default: server.addr)")
	return cmd
}

// serve answers until the command's context ends.
func serve(cmd *cobra.Command, f *flags, r *slotway.Runtime) error {
	var listen net.ListenConfig
	listener, err := listen.Listen(cmd.Context(), "tcp", r.Settings().Server.Addr)
	if err != nil {
		return listenError(r.Settings().Server.Addr, err)
	}
	r.Watch()
	if err := slotway.MayListen(r.Settings(), listener.Addr().String()); err == nil {
		if err := printAddresses(cmd.ErrOrStderr(), r, f.agent, listener.Addr()); err != nil {
			return errors.Join(err, listener.Close())
		}
	}
	return r.Serve(cmd.Context(), listener)
}

// printAddresses says where the service is and what is there. Programs read the first line.
func printAddresses(out io.Writer, r *slotway.Runtime, file string, at net.Addr) error {
	agent, base := r.Agent(), "http://"+browsable(at)
	name := agent.ID
	if len(agent.Hash) >= shownHash {
		name += ", version " + agent.Hash[:shownHash]
	}
	if file == "" {
		file = "the embedded one"
	}
	if _, err := fmt.Fprintf(out, "listening on http://%s\n", at); err != nil {
		return fmt.Errorf("print the addresses: %w", err)
	}
	rows := [][2]string{
		{"  agent", name + " (" + file + ")"},
		{"  studio", base + "/studio"},
		{"  chat", "POST " + base + "/chat"},
		{"  API", base + "/openapi.json"},
	}
	if r.Settings().Telemetry.Metrics {
		rows = append(rows, [2]string{"  metrics", base + "/metrics"})
	}
	if names := r.Channels(); len(names) > 0 {
		rows = append(rows, [2]string{"  channels", base + "/channels/... (" + strings.Join(names, ", ") + ")"})
	}
	return printRows(out, rows)
}

// shownHash is how much of the digest of an agent's file names its version.
const shownHash = 8

// browsable is an address that a browser on this machine can open: a listener on all addresses is
// reached at localhost, too.
func browsable(at net.Addr) string {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return at.String()
	}
	return fmt.Sprintf("localhost:%d", tcp.Port)
}

// listenError says why an address cannot be listened on, without the words of each layer.
func listenError(addr string, err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return fmt.Errorf("listen on %s: %w; choose another address with --addr, or end the program that has it", addr, err)
}
