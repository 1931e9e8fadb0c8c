package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/slotway/slotway"
)

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
