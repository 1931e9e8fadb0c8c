package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
)

// prompted is the companion with a system prompt of its own.
func prompted(t *testing.T, text string) *config.Agent {
	t.Helper()
	data, err := os.ReadFile("testdata/companion.yaml")
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.Replace(string(data), "agent:\n", "agent:\n  system_prompt: "+text+"\n", 1)
	agent, err := config.Parse("companion.yaml", []byte(whole), "")
	if err != nil {
		t.Fatal(err)
	}
	return agent
}

// begin returns the first n messages of the last request to the model.
func (m *mirror) begin(n int) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	for _, line := range m.last[:min(n, len(m.last))] {
		b.WriteString(line.Role + ": " + line.Content + "\n")
	}
	return b.String()
}

func (m *mirror) length() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.last)
}

// The agent's prompt stands first in what a model is told, then the session's, then the step's
// instruction, however little of the conversation there is room for, and after a clear.
func TestPromptsStandFirst(t *testing.T) {
	everyStore(t, func(t *testing.T, set ...string) {
		c := newCompanionOf(t, prompted(t, "You are Ada."), append(set, "memory.max_history_tokens=80")...)
		key := memory.Key{UserID: "ann", AgentID: "companion", SessionID: "s"}
		about := memory.About{SystemPrompt: "Speak like a pirate.", Metadata: []byte(`{"plan":"gold"}`)}
		if err := transfer.Create(t.Context(), c.app.Store(), key, about, c.clock()); err != nil {
			t.Fatal(err)
		}
		const want = "system: You are Ada.\nsystem: Speak like a pirate.\nsystem: Answer from what is known of the past.\n"
		for _, text := range chatter {
			c.say("ann", "s", text)
			if got := c.model.begin(3); got != want {
				t.Fatalf("%q was told\n%s", text, got)
			}
		}
		if n := c.model.length(); n < 5 || n > 12 {
			t.Errorf("the last request had %d messages: nothing was trimmed, or all", n)
		}
		c.say("ann", "other", "the kettle boils")
		if got := c.model.begin(2); got != "system: You are Ada.\nsystem: Answer from what is known of the past.\n" {
			t.Errorf("in a session without a prompt\n%s", got)
		}
		if _, err := sessions.Clear(t.Context(), c.app.Store(), key, c.clock()); err != nil {
			t.Fatal(err)
		}
		c.say("ann", "s", "the tulips are out")
		if got := c.model.begin(3); got != want {
			t.Errorf("after a clear\n%s", got)
		}
		c.healthy()
	})
}

// promptless is a store that cannot tell what is said of a session.
type promptless struct{ memory.Backend }

func (promptless) Sessions(context.Context, memory.Query) ([]memory.Info, error) {
	return nil, memory.ErrCorrupt
}

// A model that cannot be told the session's prompt is not asked: the step's else is said.
func TestWithoutItsPromptNoModelIsAsked(t *testing.T) {
	agent := prompted(t, "You are Ada.")
	c := newCompanionOf(t, agent, "memory.storage=inmem")
	c.say("ann", "s", "the kettle boils")
	asked := c.model.requests()
	tier := c.app.Tiers()[0].(*prompt.Tier)
	*tier = *prompt.NewTier(promptless{c.app.Store()})
	reply, err := c.app.Router().Handle(t.Context(), router.Interaction{Text: "the kettle boils again", Context: router.Context{UserID: "ann", SessionID: "s"}})
	if err != nil || reply.Reply != "I have no words today." || c.model.requests() != asked {
		t.Errorf("the reply is %q (%v) after %d requests", reply.Reply, err, c.model.requests()-asked)
	}
}

// The command line makes, shows and changes what is said of a session.
func TestSessionsCreate(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "prompt.txt")
	if err := os.WriteFile(file, []byte("Say \"Ms\"."), 0o600); err != nil {
		t.Fatal(err)
	}
	do := func(want int, args ...string) string {
		t.Helper()
		var out, logs bytes.Buffer
		code := run(t.Context(), append([]string{"--data", dir, "--agent", "testdata/companion.yaml"}, args...), strings.NewReader(""), &out, &logs)
		if code != want {
			t.Fatalf("%q: exit %d, want %d\n%s%s", args, code, want, out.String(), logs.String())
		}
		return out.String() + logs.String()
	}
	if got := do(0, "sessions", "create", "c1", "--system-prompt", "@"+file, "--metadata", `{"plan": "gold"}`, "--title", "Lamp", "--expires", "1d"); got != "c1\n" {
		t.Errorf("create printed %q", got)
	}
	if got := do(0, "sessions", "create"); len(got) != 37 {
		t.Errorf("create without an id printed %q", got)
	}
	if got := do(1, "sessions", "create", "c1"); !strings.Contains(got, "sessions describe") {
		t.Errorf("create of one that is there: %q", got)
	}
	for _, bad := range [][]string{{"--metadata", "[1]"}, {"--expires", "soon"}, {"--expires", "2020-01-02T03:04:05Z"}, {"--expires", "0d"}, {"--system-prompt", strings.Repeat("a", memory.MaxSystemPrompt+1)}} {
		do(2, append([]string{"sessions", "create", "c2"}, bad...)...)
	}
	for _, set := range []string{"memory.enabled=false", "memory.storage=inmem"} {
		if got := do(1, "--set", set, "sessions", "create", "c2"); !strings.Contains(got, "no session is created: "+strings.SplitN(set, "=", 2)[0]) {
			t.Errorf("create with %s: %q", set, got)
		}
	}
	shown := do(0, "sessions", "show", "c1")
	for _, want := range []string{`system prompt: Say "Ms".`, `metadata {"plan":"gold"}`, "erased at " + time.Now().UTC().Add(24*time.Hour).Format("2006-01-")} {
		if !strings.Contains(shown, want) {
			t.Errorf("show lacks %q:\n%s", want, shown)
		}
	}
	do(0, "sessions", "describe", "c1", "--system-prompt", "", "--expires", "")
	if shown := do(0, "sessions", "show", "c1"); strings.Contains(shown, "Ms") || strings.Contains(shown, "erased") || !strings.Contains(shown, "gold") {
		t.Errorf("after describe:\n%s", shown)
	}
	if got := do(0, "memory", "context", "c1", "--text", "hi"); !strings.Contains(got, "hi") {
		t.Errorf("memory context: %q", got)
	}
}
