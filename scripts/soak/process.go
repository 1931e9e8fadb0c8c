package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"syscall"

	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/scripts/harness"
)

// settings make background work start early and run often.
var settings = []string{
	"server.limits.rate=100000/s", // fills the table of the limiter, but refuses nobody
	"memory.strategy=hybrid", "memory.summary.enabled=true",
	"memory.summary.trigger_message_count=8", "memory.summary.recent_message_count=4",
	"memory.compression.archive_conversations=true", "memory.compression.threshold_tokens=200",
	"memory.compression.recent_messages_to_keep=4",
	"memory.knowledge_base.enable_cross_session_context=true", "memory.knowledge_base.search_always=true",
}

// process is the watched server.
type process struct {
	*harness.Slotway
	key string // API key of a service account
}

// start builds slotway and runs it.
func start(ctx context.Context, dir string) (*process, error) {
	binary, err := harness.Build(ctx, dir)
	if err != nil {
		return nil, err
	}
	agent, err := harness.WriteAgent(dir, harness.Soak)
	if err != nil {
		return nil, err
	}
	keys := filepath.Join(dir, "keys.yaml")
	key, hash := access.NewKey()
	text := fmt.Sprintf("keys:\n- {name: soak, hash: \"sha256:%x\", service: true, scopes: [chat, read, admin, handoff, metrics]}\n", hash)
	if err := os.WriteFile(keys, []byte(text), 0o600); err != nil {
		return nil, err
	}
	args := append([]string{"--agent", agent}, harness.SetFlags(append(settings, "server.auth.keys_file="+keys)...)...)
	service, err := harness.NewSlotway("service", binary, dir, args...)
	if err != nil {
		return nil, err
	}
	p := &process{service, key}
	if err := p.Start(ctx); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// client returns a client for a user.
func (p *process) client(client *http.Client, user string) *harness.Client {
	return &harness.Client{Addr: p.Addr, HTTP: client, Header: http.Header{"Authorization": {"Bearer " + p.key}, "X-User-Id": {user}}}
}

// stop asks the process to end and reports whether it ended cleanly.
func (p *process) stop() bool {
	p.End(syscall.SIGTERM, harness.Patience)
	return p.State().Success()
}

// writeAgent replaces the agent file atomically by a new version.
func (p *process) writeAgent(version int) error {
	agent := filepath.Join(p.Dir, harness.Soak+".yaml")
	next := agent + ".next"
	text := fmt.Sprintf("%s\n# version %d\n", harness.Agent(harness.Soak), version)
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(next, agent)
}
